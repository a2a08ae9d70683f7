"""`matinee decisions`."""

import shutil
from collections.abc import Iterator

import click

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Api, Json
from server.cli.as_owner import shown_to_owner
from server.cli.candidate_table import candidate_table, is_candidate
from server.cli.card import card, now
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.deciding import OPEN
from server.cli.evidence_view import facts_told
from server.cli.exits import Exit
from server.cli.finding import decision_of, whole_id
from server.cli.given import Terminal, with_terminal
from server.cli.ids import meant
from server.cli.printing import Speech
from server.cli.reasons import Reason
from server.cli.refusing import refuse_choice, refuse_read_only
from server.cli.running import running

MOST = 100
COMPARED = 3
"""Decisions of a list whose candidates are shown with it."""
IN_TABLE = frozenset({"evidence", "contradictions"})
"""Evidence that the table of candidates tells, each beside its work."""
SETTLED = ("resolved", "dismissed")


class _Decisions(click.Group):
    """The group; what names none of its commands is meant for the one that shows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name in where it was left out."""
        named = any(each in self.commands for each in args)
        asked = any(each in ctx.help_option_names for each in args)
        return super().parse_args(ctx, args if named or asked else ["show", *args])


@click.group(
    "decisions",
    cls=_Decisions,
    epilog="\b\nExamples:\n  matinee decisions\n  matinee decisions resolve dec_0197c1f2 retry",
)
def command() -> None:
    """What waits for your decision, and settling it; without a command, what waits."""


@command.command(
    "show",
    cls=Command,
    example="matinee decisions",
    document='{"decisions": [{"id": "...", "kind": "...", "title": "...", "approval": ...}], '
    '"page": {...}}, with an ID that one decision',
)
@click.argument("id_", metavar="[ID]", required=False)
@with_terminal
def show(terminal: Terminal, id_: str | None) -> None:
    """What waits for your decision; with an ID, all that is known about it.

    ID is a decision or its approval; the first eight characters behind `dec_` will do.
    """
    with running(terminal.home) as api:
        if id_ is None:
            found = api.get("/decisions", {"limit": MOST})
            terminal.speech.data(_listed(found, terminal.speech))
        else:
            found = decision_of(api, whole_id(api, id_))
            terminal.speech.data("\n".join(_page(api, found, terminal.speech)))
    terminal.speech.document(found)


@command.command(
    "resolve",
    cls=Command,
    example="matinee decisions resolve dec_0197c1f2 retry",
    document='{"decision": "...", "option": "...", "state": "..."}',
)
@click.argument("id_", metavar="ID")
@click.argument("option")
@click.option("--reason", metavar="WORDS", type=Reason(), help="Why; needed to settle by hand.")
@with_terminal
def resolve(terminal: Terminal, id_: str, option: str, reason: str | None) -> Exit:
    """Settle a decision by one of the options that it shows.

    It is shown first; then your passphrase is asked for on this terminal, and is taken from nowhere
    else. A plan is approved with `matinee approve` instead. Ends with 5 where the decision stays
    open because the outcome is still not known.
    """
    with running(terminal.home) as api:
        whole = whole_id(api, id_)
        found = decision_of(api, whole)
        refuse_choice(found, option, reason)
        refuse_read_only(api)
        page = "\n".join(_page(api, found, terminal.speech, choosing=True))
        with shown_to_owner(api, meant(id_, whole), page):
            choice = {"option": option, "reason": reason or ""}
            answer = api.call(f"/decisions/{found['id']}/resolve", choice)
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)
    return Exit.DONE if answer.data["state"] in SETTLED else Exit.UNKNOWN


def _listed(found: Json, speech: Speech) -> str:
    rows = [
        [each["severity"], each["kind"].replace("_", " "), each["title"], each["id"]]
        for each in found["decisions"]
    ]
    return (
        "\n".join([columns(rows), *_compared(found, speech)]) if rows else "Nothing waits for you."
    )


def _compared(found: Json, speech: Speech) -> Iterator[str]:
    """The candidates of the first decisions that have any."""
    asked = [each for each in found["decisions"] if any(map(is_candidate, each["options"]))]
    for each in asked[:COMPARED]:
        yield f"\n{cleaned(each['title'])} ({each['id']})"
        yield from _candidates(each, speech)
    if (more := len(asked) - COMPARED) > 0:
        have = "has" if more == 1 else "have"
        yield f"\n{more} more {have} candidates; show one with its id."


def _page(api: Api, decision: Json, speech: Speech, *, choosing: bool = False) -> Iterator[str]:
    """All about a decision; whoever is choosing already is not told how to."""
    if decision["approval"] is not None:
        approval = api.get(f"/approvals/{decision['approval']}")
        yield card(approval, now(), colour=False)
        yield speech.hinted(_standing(approval, decision["id"]))
        return
    yield f"{cleaned(decision['title'])} ({decision['state'].replace('_', ' ')})"
    yield from facts_told(_besides_candidates(decision))
    yield from _candidates(decision, speech, choosing=choosing)
    for option in decision["options"]:
        if is_candidate(option):
            continue
        yield f"  option {option['id']}: {cleaned(str(option.get('title', '')))}"
    if decision["resolution"] is not None:
        yield f"Settled by {decision['resolved_by']}: {cleaned(decision['resolution'])}"


def _besides_candidates(decision: Json) -> Json:
    """The evidence without what the table of candidates says again."""
    evidence: Json = decision["evidence"]
    if not any(map(is_candidate, decision["options"])):
        return evidence
    return {name: held for name, held in evidence.items() if name not in IN_TABLE}


def _candidates(decision: Json, speech: Speech, *, choosing: bool = False) -> Iterator[str]:
    candidates = [each for each in decision["options"] if is_candidate(each)]
    if candidates:
        yield candidate_table(candidates, shutil.get_terminal_size().columns)
        if decision["resolution"] is None and not choosing:
            choose = f"Choose one with `matinee decisions resolve {decision['id']} ID`."
            yield speech.hinted(choose)


def _standing(approval: Json, decision: str) -> str:
    if approval["state"] != OPEN:
        return f"{approval['state']}."
    how = f"`matinee approve {decision}` or `matinee decline {decision} --reason …`"
    return f"{approval['state']}; {how}."
