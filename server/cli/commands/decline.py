"""`matinee decline`."""

import click

from server.cli.command import Command
from server.cli.deciding import decide
from server.cli.given import Terminal, with_terminal
from server.cli.reasons import reason_option
from server.cli.ruling import Word


@click.command(
    cls=Command,
    example='matinee decline dec_0197c1f2 --reason "wait for a smaller one"',
    document='{"approval": "...", "state": "declined", "plan": "...", "run": "..."|null}',
)
@click.argument("id_", metavar="ID")
@reason_option("Why; the run is told it.")
@with_terminal
def command(terminal: Terminal, id_: str, reason: str) -> None:
    """Say no to one plan, with a reason.

    ID is a decision, as `matinee decisions` shows it, or its approval or plan; the first eight
    characters behind `dec_` will do. The card is shown first; then your passphrase is asked for on
    this terminal, and is taken from nowhere else.
    """
    decide(terminal, id_, Word(approve=False, reason=reason))
