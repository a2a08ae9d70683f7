"""`matinee approve`."""

import click

from server.cli.command import Command
from server.cli.deciding import decide
from server.cli.given import Terminal, with_terminal
from server.cli.ruling import Word


@click.command(
    cls=Command,
    example="matinee approve apr_0197c1f2e4b07d3e",
    document='{"approval": "...", "state": "approved", "plan": "...", "run": "..."|null}',
)
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="WORDS", help="Why, for the record.")
@with_terminal
def command(terminal: Terminal, id_: str, reason: str | None) -> None:
    """Say yes to exactly one plan, once.

    ID is an approval, its plan or its decision, as `matinee decisions` shows it. The card is shown
    first; then your passphrase is asked for on this terminal, and is taken from nowhere else.
    Approving carries nothing out by itself: the call that waits goes on.
    """
    decide(terminal, id_, Word(approve=True, reason=reason))
