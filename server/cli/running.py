"""A server for the terminal's commands: the one that runs for the home, else one started now."""

import time
from collections.abc import Generator
from contextlib import contextmanager

from server.cli.api_client import Api, answers, connected
from server.cli.exits import EndError, Exit
from server.cli.home import Home
from server.cli.home_role import no_doors
from server.cli.reaching import (
    DOCTOR,
    PAUSE_S,
    START_TIMEOUT_S,
    NoServerError,
    StartRefusedError,
    connection,
)


@contextmanager
def running(home: Home) -> Generator[Api]:
    """The API of this home's server; one is started in the background if none runs.

    Raises:
        EndError: it does not start, or does not answer; or it is the home of a worker.
    """
    if not answers(home):
        _start(home)
    with connected(home) as api:
        yield api


def _start(home: Home) -> None:
    """Start a server as bridges do, through the same lock, and wait until it takes commands."""
    if (closed := no_doors(home)) is not None:
        raise EndError(Exit.FAILED, closed.sentence, code="precondition", hint=closed.hint)
    refusal = ""
    try:
        connection(home, None).close()
    except StartRefusedError as fault:
        ended = fault.refused
        raise EndError(
            _exit(ended.status), fault.sentence, code=ended.code, hint=ended.hint
        ) from fault
    except NoServerError as fault:
        # It may run all the same, and only its built-in key be revoked.
        refusal = str(fault)
    until = time.monotonic() + (0 if refusal else START_TIMEOUT_S)
    while not answers(home):
        if time.monotonic() >= until:
            sentence = refusal or "Matinee's server started and takes no commands."
            hint = "" if DOCTOR in sentence else DOCTOR
            raise EndError(Exit.FAILED, sentence, code="unavailable", hint=hint)
        time.sleep(PAUSE_S)


def _exit(status: int) -> Exit:
    """The status of a start that ended, as this command's own; a strange one is a failure."""
    return next((each for each in Exit if each == status and each is not Exit.DONE), Exit.FAILED)
