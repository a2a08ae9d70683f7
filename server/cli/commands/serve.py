"""`matinee serve`."""

import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, suppress

import anyio
import click
import structlog

from ledger.faults import LedgerUnavailableError
from server.cli import refused_start
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.home import Home
from server.cli.home_role import at_work, remember
from server.cli.one_time_code import forgotten_afterwards, keep
from server.cli.reaching import DOCTOR
from server.cli.starting import welcome
from server.home_lock import HomeTakenError, held
from server.protocol.unix_address import AddressTooLongError
from server.protocol.unix_listener import SocketTakenError
from server.role import Role
from server.settings_loading import SettingsError, load_settings


@click.command(
    cls=Command,
    example="matinee serve --port 8930",
    document='{"address": "..."|null, "home": "...", "code": "..."|null}, once, when it answers',
)
@click.option("--host", metavar="ADDRESS", help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="The TCP port to listen on; 0 takes a free one.",
)
@click.option(
    "--role",
    type=click.Choice([str(role) for role in Role]),
    default=str(Role.ALL),
    show_default=True,
    help="Doors only (api), work only (worker), or both; for processes that share a ledger.",
)
@with_terminal
def command(terminal: Terminal, host: str | None, port: int | None, role: str) -> None:
    """Run the server in this terminal until it is stopped.

    Ctrl-C, SIGTERM and `matinee stop` end it in good order (a worker: Ctrl-C or SIGTERM). Its
    log is on standard error.
    """
    _log_to_standard_error(terminal.speech.verbosity)
    with _kept_for_who_launched(terminal.home), _refusals():
        _refuse_early(terminal.home, Role(role))
        as_worker = nullcontext() if Role(role).has_doors else at_work(terminal.home)
        with forgotten_afterwards(terminal.home), as_worker:
            anyio.run(_serve, terminal, host, port, Role(role))
    terminal.speech.words("Stopped.")


def _remember(home: Home, role: Role) -> None:
    """Keep what the home is for; beside a process with doors, a worker leaves that to it."""
    if role.has_doors:
        remember(home, role)
        return
    with suppress(HomeTakenError), held(home.root):
        remember(home, role)


@contextmanager
def _kept_for_who_launched(home: Home) -> Generator[None]:
    """Keep why the start was refused: in the background nobody hears it."""
    try:
        yield
    except EndError as ended:
        document = {"sentence": ended.sentence, "code": str(ended.code), "hint": ended.hint}
        refused_start.tell(home, ended.status, document)
        raise


@contextmanager
def _refusals() -> Generator[None]:
    """What a start is refused for, as an end of the command.

    Raises:
        EndError: with its own exit status.
    """
    try:
        yield
    except (HomeTakenError, SocketTakenError) as taken:
        raise EndError(Exit.FAILED, str(taken), code="conflict") from taken
    except (SettingsError, AddressTooLongError) as wrong:
        raise EndError(Exit.NEEDS_YOU, str(wrong), code="precondition") from wrong
    except LedgerUnavailableError as away:
        words = str(away)
        raise EndError(
            Exit.UNREACHABLE,
            f"{words[:1].upper()}{words[1:]}.",
            code="unavailable",
            hint=away.cure or DOCTOR,
        ) from away
    except OSError as refused:
        raise _refused(refused) from refused


def _refuse_early(home: Home, role: Role) -> None:
    """Raise at once what serving would raise only after an import of seconds."""
    home.prepare()
    load_settings(home.root)
    if role.has_doors:
        with held(home.root):
            pass


async def _serve(terminal: Terminal, host: str | None, port: int | None, role: Role) -> None:
    # Most of a start is this import.
    from server.serving import Started, TakenForDeadError, serve
    from server.tcp_listener import NotListeningError

    def tell(started: Started) -> None:
        _remember(terminal.home, role)
        if started.address is None:
            terminal.speech.words(f"A worker works in {started.home}. Ctrl-C ends it.")
        else:
            keep(terminal.home, started.code)
            welcome(terminal, started.address, started.code)
        terminal.speech.document(
            {"address": started.address, "home": str(started.home), "code": started.code}
        )
        sys.stdout.flush()

    try:
        await serve(terminal.home, host=host, port=port, tell=tell, role=role)
    except TakenForDeadError as lost:
        raise EndError(Exit.FAILED, str(lost), code="unavailable") from lost
    except NotListeningError as refused:
        raise EndError(Exit.FAILED, str(refused), code="unavailable", hint=DOCTOR) from refused


def _refused(refused: OSError) -> EndError:
    return EndError(
        Exit.FAILED,
        f"The server cannot start: {refused.strerror or refused}.",
        code="unavailable",
        hint=DOCTOR,
    )


def _log_to_standard_error(verbosity: int) -> None:
    level = logging.INFO if verbosity else logging.WARNING
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            # The default shows the values of local variables with a traceback: secrets too.
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
