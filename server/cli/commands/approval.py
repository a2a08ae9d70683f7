"""`matinee approval`."""

import click

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Json
from server.cli.as_owner import shown_to_owner
from server.cli.card import card, now
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.finding import approval_of, whole_id
from server.cli.given import Terminal, with_terminal
from server.cli.ids import meant
from server.cli.reasons import reason_option
from server.cli.refusing import refuse_ended
from server.cli.running import running
from server.cli.sorts import APPROVAL_STATES

MOST = 100
UNUSED = ("requested", "approved")
APPROVAL = '{"id": "...", "state": "...", "plan": "...", "card": {...}, ...}'


@click.group("approval", epilog="\b\nExample:\n  matinee approval list")
def command() -> None:
    """What was asked of you, and how it ended; approve and decline decide it."""


@command.command(
    "list",
    cls=Command,
    example="matinee approval list --state approved",
    document=f'{{"approvals": [{APPROVAL}], "page": {{...}}}}',
)
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice([*APPROVAL_STATES, "all"]),
    default=["requested"],
    show_default=True,
    help="Repeatable.",
)
@with_terminal
def list_(terminal: Terminal, states: tuple[str, ...]) -> None:
    """List approvals, newest first."""
    wanted = APPROVAL_STATES if "all" in states else states
    with running(terminal.home) as api:
        found = api.get("/approvals", {"state": list(wanted), "limit": MOST})
    rows = [_row(each) for each in found["approvals"]]
    terminal.speech.data(columns(rows) if rows else "There is none.")
    terminal.speech.document(found)


@command.command(
    "show", cls=Command, example="matinee approval show apr_0197c1f2", document=APPROVAL
)
@click.argument("id_", metavar="ID")
@with_terminal
def show(terminal: Terminal, id_: str) -> None:
    """Show one as its card, and how it stands.

    ID is an approval, its plan or its decision.
    """
    with running(terminal.home) as api:
        found = approval_of(api, whole_id(api, id_))
    terminal.speech.data(f"{card(found, now(), colour=False)}\n{_standing(found)}")
    terminal.speech.document(found)


@command.command(
    "withdraw",
    cls=Command,
    example='matinee approval withdraw apr_0197c1f2 --reason "not tonight"',
    document='{"approval": "...", "state": "withdrawn", "plan": "...", "run": "..."|null}',
)
@click.argument("id_", metavar="ID")
@reason_option("Why, for the record.")
@with_terminal
def withdraw(terminal: Terminal, id_: str, reason: str) -> None:
    """Take back a request, or a yes that was not used; asks for your passphrase."""
    with running(terminal.home) as api:
        whole = whole_id(api, id_)
        approval = approval_of(api, whole)
        refuse_ended(approval, *UNUSED)
        shown = card(approval, now(), colour=terminal.speech.colour_for_person)
        with shown_to_owner(api, meant(id_, whole), shown):
            answer = api.call(f"/approvals/{approval['id']}/withdraw", {"reason": reason})
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)


def _row(approval: Json) -> list[str]:
    title = str(approval["card"].get("title") or approval["capability"])
    return [approval["state"], approval["created_at"][:10], title, approval["id"]]


def _standing(approval: Json) -> str:
    if approval["decided_by"] is None:
        return f"{approval['state']}."
    reason = f": {cleaned(approval['reason'])}" if approval["reason"] else ""
    return f"{approval['state']}, decided by {approval['decided_by']}{reason}."
