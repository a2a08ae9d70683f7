"""`matinee decline`."""

import click

from server.cli.command import Command
from server.cli.deciding import decide
from server.cli.given import Terminal, with_terminal
from server.cli.ruling import Word


@click.command(
    cls=Command,
    example='matinee decline apr_0197c1f2e4b07d3e --reason "wait for a smaller one"',
    document='{"approval": "...", "state": "declined", "plan": "...", "run": "..."|null}',
)
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="WORDS", required=True, help="Why; the run is told it.")
@with_terminal
def command(terminal: Terminal, id_: str, reason: str) -> None:
    """Say no to one plan, with a reason.

    ID is an approval, its plan or its decision, as `matinee decisions` shows it. The card is shown
    first; then your passphrase is asked for on this terminal, and is taken from nowhere else.
    """
    decide(terminal, id_, Word(approve=False, reason=reason))
