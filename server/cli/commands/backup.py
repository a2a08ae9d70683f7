"""`matinee backup`."""

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from ledger.location import SqliteFile
from server.backups.making import FOLDER, default_name, make
from server.cli.alone import ledger_of, told
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.home import Home
from server.protocol.handshake import VERSION
from server.secrets_at_rest.keys import sealing_keys
from server.settings_loading import load_settings


@click.command(
    cls=Command,
    example="matinee backup ~/matinee.backup",
    document='{"path": "...", "bytes": int, "with_key": bool}',
)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--with-key", is_flag=True, help="Include the key of sealed secrets; keep such a file safe."
)
@with_terminal
def command(terminal: Terminal, file: Path | None, *, with_key: bool) -> None:
    """Copy the ledger, the settings and the torrents into one file, also while a server works.

    Without FILE it goes into `backups` in the home. The library's files are not in it.
    """
    location = ledger_of(terminal.home)
    if isinstance(location, SqliteFile) and not location.path.exists():
        raise EndError(Exit.FAILED, "There is nothing to copy: this home has no ledger yet.")
    if with_key:
        _refuse_a_key_from_elsewhere(terminal.home)
    at = datetime.now(UTC)
    target = (file or terminal.home.root / FOLDER / default_name(at)).absolute()
    if target.exists():
        raise EndError(Exit.FAILED, f"{target} is there already. Choose another name.")
    if file is not None and not os.access(target.parent, os.W_OK | os.X_OK):
        raise EndError(
            Exit.FAILED,
            f"{target} cannot be written: its folder is not there or not yours to write to. "
            "Nothing was written; choose another place.",
            code="precondition",
        )
    with told():
        made = make(terminal.home.root, location, target, version=VERSION, at=at, with_key=with_key)
    terminal.speech.data(str(made.path))
    terminal.speech.words(_about_secrets(with_key=made.with_key))
    terminal.speech.document(
        {"path": str(made.path), "bytes": made.size, "with_key": made.with_key}
    )


def _refuse_a_key_from_elsewhere(home: Home) -> None:
    keys = sealing_keys(home.root, keyring=load_settings(home.root).secrets.keyring)
    if keys.elsewhere is not None:
        raise EndError(
            Exit.FAILED,
            f"The key of sealed secrets is in {keys.elsewhere}, so it cannot be put into a backup. "
            "Keep a copy of it yourself, and repeat this without --with-key.",
            code="precondition",
        )


def _about_secrets(*, with_key: bool) -> str:
    if with_key:
        return "The key of sealed secrets is in it: whoever has this file can read them."
    return "The key of sealed secrets is not in it; keep `secret.key` somewhere else."
