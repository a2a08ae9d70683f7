"""What is known to be refused before anybody types a passphrase."""

from collections.abc import Iterable
from datetime import datetime

from capabilities.kernel.codes import Code
from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Api, Json
from server.cli.exits import EndError, Exit, exit_of
from server.cli.harmless import harmless

READ_ONLY, MASTER = "read_only", "master"
WAITING = ("open", "investigating", "awaiting_user")
BY_HAND = ("done", "not-done")
BY_THE_OWNER = ("approved", "declined")


def refuse_without_owner(api: Api) -> None:
    """Refuse to ask for the passphrase of an owner that there is not.

    Raises:
        EndError: with how to become it.
    """
    status = _readable(api, "/status")
    if status is not None and not status["owner_exists"]:
        raise EndError(
            Exit.NEEDS_YOU,
            "There is no owner yet, so nobody can do this. Nothing was changed.",
            code=Code.PRECONDITION,
            hint="Type `matinee owner`.",
        )


def refuse_read_only(api: Api) -> None:
    """Refuse what a read-only house does not do.

    Raises:
        EndError: with who turned the switch, and how it is turned back.
    """
    how = f"`matinee switch off {READ_ONLY} --reason …` allows it again."
    if (switch := _switch(api, READ_ONLY)) is not None and switch["on"]:
        raise _switched("The house is read-only", switch, how)


def switched_off(api: Api) -> str | None:
    """What to say before a run that may look and draft and do nothing; None where it may act."""
    switch = _switch(api, MASTER)
    if switch is None or switch["on"]:
        return None
    return (
        f"Automatic acts are switched off, by {switch['set_by']}: {cleaned(switch['reason'])}. The "
        "agent can look, search and draft plans, and nothing will be done; "
        f"`matinee switch on {MASTER} --reason …` allows it again."
    )


def _switch(api: Api, name: str) -> Json | None:
    standing = (_readable(api, "/switches") or {}).get("switches", ())
    return next((switch for switch in standing if switch["name"] == name), None)


def _switched(what: str, switch: Json, how: str) -> EndError:
    return EndError(
        exit_of(Code.DENIED),
        f"{what}, by {switch['set_by']}: {cleaned(switch['reason'])}. Nothing was done.",
        code=Code.DENIED,
        hint=how,
    )


def refuse_ended(approval: Json, *open_states: str) -> None:
    """Refuse what is only done to an approval that stands in one of these states.

    Raises:
        EndError: with how it ended.
    """
    state = approval["state"]
    if state not in open_states:
        decided = state in BY_THE_OWNER and approval["decided_by"]
        by = f" by {approval['decided_by']}" if decided else ""
        raise EndError(
            Exit.FAILED, f"This is {state}{by} already. Nothing was changed.", code=Code.CONFLICT
        )


def refuse_overdue(approval: Json, now: datetime) -> None:
    """Refuse to decide what ran out unanswered.

    Raises:
        EndError: it did.
    """
    if datetime.fromisoformat(approval["expires_at"]) <= now:
        raise EndError(
            Exit.FAILED,
            "The time for this approval ran out. Nothing was decided; what needs it asks again.",
            code=Code.PRECONDITION,
        )


def refuse_choice(decision: Json, option: str, reason: str | None) -> None:
    """Refuse to settle what is settled, what is a plan's, and by what there is not.

    Raises:
        EndError: with what can be done instead.
    """
    if decision["state"] not in WAITING:
        raise EndError(
            Exit.FAILED,
            f"This was settled already: {cleaned(decision['resolution'] or decision['state'])}. "
            "Nothing was changed.",
            code=Code.CONFLICT,
        )
    if decision["approval"] is not None:
        id_ = decision["id"]
        raise EndError(
            Exit.FAILED,
            "This asks for your approval of a plan. Nothing was changed.",
            code=Code.PRECONDITION,
            hint=f"`matinee approve {id_}`, or `matinee decline {id_} --reason …`.",
        )
    offered: dict[str, Json] = {each["id"]: each for each in decision["options"]}
    if offered and option not in offered:
        raise EndError(
            Exit.USAGE,
            f"There is no option {harmless(option)!r}; the options are {_all(offered)}. "
            "Nothing was changed.",
            code=Code.INVALID_INPUT,
        )
    if option in BY_HAND and reason is None and _is_ours(decision, offered.get(option, {})):
        raise EndError(
            Exit.USAGE,
            "Settling by hand needs a reason; it is kept with it. Add `--reason`.",
            code=Code.INVALID_INPUT,
        )


def _all(options: Iterable[str]) -> str:
    return harmless(", ".join(options))


def _is_ours(decision: Json, option: Json) -> bool:
    """Whether an option means what its name says, and is no call and no choice of a run's own."""
    return "capability" not in option and decision["kind"] != "choose_option"


def _readable(api: Api, path: str) -> Json | None:
    """None where this caller's key does not read it; then signing in tells."""
    try:
        return api.get(path)
    except EndError:
        return None
