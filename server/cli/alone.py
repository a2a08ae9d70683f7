"""What commands need that work on the ledger by themselves, without a server."""

from collections.abc import Generator
from contextlib import contextmanager

from ledger.faults import LedgerUnavailableError
from ledger.location import Location, located
from server.cli.exits import EndError, Exit
from server.cli.home import Home
from server.cli.home_role import worker_in
from server.home_lock import HomeTakenError, held
from server.settings_loading import SettingsError, load_settings


def ledger_of(home: Home) -> Location:
    """Where the ledger of ``home`` is, by its settings.

    Raises:
        EndError: the settings cannot be used.
    """
    try:
        return located(home.root, load_settings(home.root).database.address)
    except SettingsError as wrong:
        raise EndError(Exit.NEEDS_YOU, str(wrong), code="precondition") from wrong


@contextmanager
def alone_in(home: Home) -> Generator[None]:
    """Hold the home, so that no server starts meanwhile; the ledger's refusals end the command.

    Raises:
        EndError: a server or a worker works in it, or the ledger or the disk refused.
    """
    home.prepare()
    if worker_in(home):
        raise EndError(
            Exit.FAILED,
            "A worker works in this home. End it with Ctrl-C or SIGTERM, then try again.",
            code="conflict",
        )
    try:
        with held(home.root), told():
            yield
    except HomeTakenError as taken:
        raise EndError(
            Exit.FAILED,
            "A server works in this home. Stop it with `matinee stop`, then try again.",
            code="conflict",
        ) from taken


@contextmanager
def told() -> Generator[None]:
    """Have refusals of the ledger and the disk end the command with a sentence.

    Raises:
        EndError: with what was refused.
    """
    try:
        yield
    except LedgerUnavailableError as refused:
        words = str(refused)
        raise EndError(
            Exit.FAILED, f"{words[:1].upper()}{words[1:]}.", code="unavailable", hint=refused.cure
        ) from refused
    except OSError as refused:
        where = f" ({refused.filename})" if refused.filename else ""
        raise EndError(
            Exit.FAILED, f"The disk refused: {refused.strerror}{where}.", code="unavailable"
        ) from refused
