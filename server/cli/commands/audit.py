"""`matinee audit`."""

from collections.abc import Iterator

import click

from capabilities.rules.wording import counted
from server.cli.api_client import Json
from server.cli.as_owner import as_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.exits import Exit
from server.cli.given import Terminal, with_terminal
from server.cli.ids import named, refuse_short
from server.cli.running import running
from server.cli.sorts import RUN

MOST = 200
REASONS = ("reason", "why")
"""What words that were given with an act are kept as."""


@click.group("audit", epilog="\b\nExample:\n  matinee audit verify")
def command() -> None:
    """What was done, and the proof that nothing of it was changed."""


@command.command(
    "verify",
    cls=Command,
    example="matinee audit verify",
    document='{"whole": bool, "rows": n, "chains": n, "end": "..."|null, '
    '"faults": [{"breach": "...", "sentence": "...", "seq": n|null, ...}], "more": bool}',
)
@with_terminal
def verify(terminal: Terminal) -> Exit:
    """Look at every row of the audit trail.

    Ends with 1 where a row was edited, removed, moved or put in, and names it. The end of the
    trail is printed: kept elsewhere, it also gives away a trail that was written anew as a whole.
    """
    with running(terminal.home) as api:
        verdict = api.get("/audit/verify")
    terminal.speech.data("\n".join(_told(verdict)))
    terminal.speech.document(verdict)
    return Exit.DONE if verdict["whole"] else Exit.FAILED


@command.command(
    "list",
    cls=Command,
    example="matinee audit list --limit 20",
    document='{"rows": [{"seq": n, "at": "...", "actor": "...", "action": "...", ...}], '
    '"next": n|null}',
)
@click.option("--limit", type=click.IntRange(1, MOST), default=50, show_default=True)
@click.option("--before", type=click.IntRange(1), metavar="ROW", help="Only rows older than it.")
@click.option("--run", metavar="ID", help="Only those of one run.")
@with_terminal
def list_(terminal: Terminal, limit: int, before: int | None, run: str | None) -> None:
    """List what was done, newest first; asks for your passphrase."""
    if run is not None:
        refuse_short(run, RUN)
    with as_owner(terminal.home) as (api, _):
        whole = None if run is None else named(api, run, RUN).id
        given = {"limit": limit, "before": before, "run": whole}
        query = {name: value for name, value in given.items() if value is not None}
        found = api.get("/audit", query)
    rows = [_cells(row) for row in found["rows"]]
    terminal.speech.data(columns(rows) if rows else "Nothing was done yet.")
    if found["next"] is not None:
        terminal.speech.words(f"There are older ones: add `--before {found['next']}`.")
    terminal.speech.document(found)


def _told(verdict: Json) -> Iterator[str]:
    for fault in verdict["faults"]:
        yield fault["sentence"]
    if verdict["more"]:
        yield "There is more of it."
    seen = f"{counted(verdict['rows'], 'row')} on {counted(verdict['chains'], 'chain')}"
    if verdict["whole"]:
        yield f"The audit trail is whole: {seen}."
    else:
        yield f"The audit trail does not hold, as far as looked at: {seen}."
    if verdict["end"] is not None:
        yield f"It ends with {verdict['end']}"


def _cells(row: Json) -> list[str]:
    return [
        str(row["seq"]),
        row["at"][:19].replace("T", " "),
        row["actor"],
        row["action"],
        row["capability"] or "",
        row["outcome"] or "",
        _why(row["summary"]),
    ]


def _why(summary: Json) -> str:
    """The words that were given with it; empty where none were."""
    return str(next((summary[name] for name in REASONS if summary.get(name)), ""))
