"""`matinee restore`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from server.backups.archive import UnusableArchiveError
from server.backups.restoring import restore
from server.cli.alone import alone_in, ledger_of
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal


@click.command(
    cls=Command,
    example="matinee restore ~/matinee.backup",
    document='{"made_at": "...", "version": "...", "kept_aside": "..."|null}',
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_terminal
def command(terminal: Terminal, file: Path) -> None:
    """Put a backup in the place of what this home holds; no server may work in it.

    What the home held is kept in `backups`. What was done since the backup is not in it, a
    revoked key or a withdrawn grant neither: the next start looks at the world before it acts.
    """
    location = ledger_of(terminal.home)
    with alone_in(terminal.home):
        try:
            done = restore(terminal.home.root, location, file.absolute(), at=datetime.now(UTC))
        except UnusableArchiveError as unusable:
            raise EndError(Exit.FAILED, str(unusable), code="precondition") from unusable
    made = done.manifest.made_at.astimezone().strftime("%Y-%m-%d %H:%M")
    terminal.speech.words(f"The home is as it was on {made}.")
    if done.kept_aside is not None:
        terminal.speech.words(f"What it held until now lies at {done.kept_aside}.")
    terminal.speech.document(
        {
            "made_at": done.manifest.made_at.isoformat(),
            "version": done.manifest.version,
            "kept_aside": None if done.kept_aside is None else str(done.kept_aside),
        }
    )
