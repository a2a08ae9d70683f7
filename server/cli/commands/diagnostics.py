"""`matinee diagnostics`."""

import os
from pathlib import Path

import click

from server.cli.as_owner import as_owner
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal


@click.command(
    cls=Command,
    example="matinee diagnostics --output matinee.zip",
    document='{"file": "...", "bytes": n, "titles": bool}',
)
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="FILE.zip",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where it is written; nothing is overwritten.",
)
@click.option("--with-titles", is_flag=True, help="Let it tell what you have, want and asked for.")
@with_terminal
def command(terminal: Terminal, output: Path, *, with_titles: bool) -> None:
    """Write a file for whoever helps you, without secrets; asks for your passphrase.

    It holds versions, settings, what `matinee doctor` finds, counts, the newest acts, decisions
    and tasks, and the end of the log; keys and paths are taken out, and titles unless you add
    them. Look through it before you hand it on: its README says what is in it.
    """
    if output.exists():
        raise _there_already(output)
    if not os.access(output.parent, os.W_OK | os.X_OK):
        raise _not_there(output)
    with as_owner(terminal.home) as (api, _):
        bundle = api.fetch("/diagnostics", {"titles": "true"} if with_titles else None)
    _write(output, bundle)
    terminal.speech.words(f"Written to {output}. Look through it before you hand it on.")
    terminal.speech.document({"file": str(output), "bytes": len(bundle), "titles": with_titles})


def _write(output: Path, bundle: bytes) -> None:
    try:
        with open(output, "xb", opener=_private) as file:
            file.write(bundle)
    except FileExistsError as there:
        raise _there_already(output) from there
    except OSError as refused:
        raise EndError(
            Exit.FAILED, f"{output} cannot be written: {refused.strerror}. Choose another place."
        ) from refused


def _there_already(output: Path) -> EndError:
    return EndError(
        Exit.FAILED,
        f"{output} is there already. Nothing was written; choose another name.",
        code="conflict",
    )


def _not_there(output: Path) -> EndError:
    return EndError(
        Exit.FAILED,
        f"{output} cannot be written: its folder is not there or not yours to write to. "
        "Nothing was written; choose another place.",
        code="precondition",
    )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
