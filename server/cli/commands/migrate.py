"""`matinee migrate`."""

import click

from ledger.migrate import due, migrate
from server.cli.alone import alone_in, ledger_of, told
from server.cli.command import Command
from server.cli.given import Terminal, with_terminal


@click.command(
    cls=Command,
    example="matinee migrate --dry-run",
    document='{"steps": [{"revision": "...", "title": "..."}], "done": bool, "backup": "..."|null}',
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@with_terminal
def command(terminal: Terminal, *, dry_run: bool) -> None:
    """Bring the ledger's tables up to this version; a start of the server does so too.

    A ledger in a file is copied into `backups` first.
    """
    location = ledger_of(terminal.home)
    backup = None
    if dry_run:
        with told():
            steps = due(location)
    else:
        with alone_in(terminal.home):
            done = migrate(location)
        steps, backup = done.steps, done.backup
    for step in steps:
        terminal.speech.words(f"{step.revision}  {step.title}")
    terminal.speech.words(_summary(len(steps), dry_run=dry_run))
    if backup is not None:
        terminal.speech.words(f"A copy from before lies at {backup}.")
    terminal.speech.document(
        {
            "steps": [{"revision": step.revision, "title": step.title} for step in steps],
            "done": not dry_run,
            "backup": None if backup is None else str(backup),
        }
    )


def _summary(steps: int, *, dry_run: bool) -> str:
    if steps == 0:
        return "The tables are those of this version; there is nothing to do."
    return "Nothing was changed." if dry_run else "The tables are those of this version now."
