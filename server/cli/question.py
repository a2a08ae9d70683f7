"""What a followed run asks the owner: put to whoever sits at the controlling terminal."""

import sys
from collections.abc import Iterator

from server.cli.api_client import Api, Json
from server.cli.card import card, now
from server.cli.exits import EndError, Exit
from server.cli.harmless import harmless
from server.cli.passphrase import (
    ControllingTerminal,
    NoAnswerError,
    NoTerminalError,
    controlling_terminal,
)
from server.cli.printing import Speech
from server.cli.ruling import ask_for_word, rule

OPEN = "requested"


class Question:
    """One question of one run."""

    def __init__(self, api: Api, speech: Speech) -> None:
        """Take the server to ask and the way to speak."""
        self._api = api
        self._speech = speech

    def put(self, run: Json) -> None:
        """Ask, and return once the question is settled, here or elsewhere.

        Raises:
            EndError: it stays open: nobody is here to ask, or they left it waiting.
        """
        decision = self._api.get(f"/decisions/{run['waits_for']['decision']}")
        if decision["approval"] is None:
            raise _to_choose(run)
        approval = self._approval(decision["approval"])
        try:
            with controlling_terminal() as person:
                self._settle(approval, person)
        except NoTerminalError as fault:
            self._speech.error(card(approval, now(), colour=self._speech.colour(sys.stderr)))
            raise _left(
                decision["id"], approval, "there is no terminal here to ask you at"
            ) from fault
        except NoAnswerError as fault:
            raise _left(decision["id"], approval, "it is left waiting") from fault

    def _settle(self, approval: Json, person: ControllingTerminal) -> None:
        person.say(card(approval, now(), colour=self._speech.colour_for_person))
        while self._approval(approval["id"])["state"] == OPEN:
            word = ask_for_word(person)
            if word is None:
                raise NoAnswerError
            try:
                person.say(rule(self._api, approval, word, person).sentence)
            except EndError as refused:
                person.say(self._speech.hinted(harmless(refused.sentence)))

    def _approval(self, id_: str) -> Json:
        return self._api.get(f"/approvals/{id_}")


def _left(decision: str, approval: Json, why: str) -> EndError:
    return EndError(
        Exit.NEEDS_YOU,
        f"This needs your approval, and {why}. The run goes on waiting.",
        code="needs_approval",
        hint=f"Type `matinee approve {decision}` on a terminal.",
        details={"approval": approval["id"], "run": approval["run"]},
    )


def _to_choose(run: Json) -> EndError:
    asked = run["waits_for"]
    said = "\n".join((f"The run asks: {harmless(asked['title'])}", *_options(asked)))
    example = f"""matinee call runs.choose_option '{{"run": "{run["id"]}", "option": "..."}}'"""
    return EndError(
        Exit.NEEDS_YOU,
        f"{said}\nIt goes on waiting.",
        code="needs_choice",
        hint=f"Type `{example}`, later.",
        details={"run": run["id"], "options": asked["options"]},
    )


def _options(asked: Json) -> Iterator[str]:
    for option in asked["options"]:
        yield f"  {harmless(str(option['id']))}: {harmless(str(option.get('title', '')))}"
