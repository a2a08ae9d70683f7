"""`matinee approve`."""

import click

from server.cli.command import Command
from server.cli.deciding import decide
from server.cli.given import Terminal, with_terminal
from server.cli.reasons import Reason
from server.cli.ruling import Word


@click.command(
    cls=Command,
    example="matinee approve dec_0197c1f2",
    document='{"approval": "...", "state": "approved", "plan": "...", "run": "..."|null}',
)
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="WORDS", type=Reason(), help="Why, for the record.")
@with_terminal
def command(terminal: Terminal, id_: str, reason: str | None) -> None:
    """Say yes to exactly one plan, once.

    ID is a decision, as `matinee decisions` shows it, or its approval or plan; the first eight
    characters behind `dec_` will do. The card is shown first; then your passphrase is asked for on
    this terminal, and is taken from nowhere else.
    Approving carries nothing out by itself: the call that waits goes on.
    """
    decide(terminal, id_, Word(approve=True, reason=reason))
