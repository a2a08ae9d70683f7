"""Acting as the owner, from a terminal where the owner sits."""

from collections.abc import Generator
from contextlib import contextmanager

from server.cli.api_client import Api
from server.cli.exits import EndError, Exit
from server.cli.passphrase import (
    ControllingTerminal,
    NoAnswerError,
    NoTerminalError,
    controlling_terminal,
)
from server.cli.refusing import refuse_without_owner

PROMPT = "Passphrase: "


@contextmanager
def asking() -> Generator[ControllingTerminal]:
    """The person at the controlling terminal, for a command that is nothing without them.

    Raises:
        EndError: there is no such terminal, or the person left instead of answering.
    """
    try:
        with controlling_terminal() as person:
            yield person
    except NoTerminalError as fault:
        raise EndError(
            Exit.NEEDS_YOU,
            "This needs the owner at a terminal, and there is none here. Nothing was done; "
            "type the same command on a terminal.",
            code="denied",
        ) from fault
    except NoAnswerError as fault:
        raise EndError(
            Exit.NEEDS_YOU, "Nothing was typed, so nothing was done.", code="denied"
        ) from fault


@contextmanager
def signed_in(api: Api, person: ControllingTerminal) -> Generator[None]:
    """The owner's session for the length of a block, opened with the passphrase typed now.

    Raises:
        EndError: it is not the passphrase, or there is no owner.
        NoAnswerError: no passphrase was typed.
    """
    refuse_without_owner(api)
    passphrase = person.ask_secretly(PROMPT)
    if not passphrase:
        raise NoAnswerError
    api.sign_in(passphrase)
    try:
        yield
    finally:
        api.sign_out()
