"""``--ask``: the person at the controlling terminal decides, by the command made for it."""

from contextlib import suppress
from pathlib import Path

import anyio

from server.cli.demo.faults import DemoFailedError
from server.cli.demo.server_process import command, environment
from server.cli.exits import EndError, Exit
from server.cli.passphrase import NoTerminalError, controlling_terminal

TRIES = 3


async def person_approves(home: Path, approval: str) -> None:
    """Run ``matinee approve`` on this terminal: its card, its passphrase prompt, its answer.

    A process of its own, so that an interrupt at the prompt ends it and leaves the terminal as it
    was.

    Raises:
        DemoFailedError: the plan was not approved.
    """
    for _ in range(TRIES):
        match await _approve(home, approval):
            case Exit.DONE:
                return
            case Exit.NEEDS_YOU:  # not the passphrase, or nothing was typed
                continue
            case _:
                break
    raise DemoFailedError("the plan was not approved, so nothing was downloaded.")


def refuse_without_terminal() -> None:
    """Refuse to wait for a person where there is none.

    Raises:
        EndError: there is no controlling terminal.
    """
    try:
        with controlling_terminal():
            return
    except NoTerminalError as fault:
        raise EndError(
            Exit.NEEDS_YOU,
            "This needs the owner at a terminal, and there is none here. Nothing was done.",
            code="denied",
        ) from fault


async def _approve(home: Path, approval: str) -> int:
    process = await anyio.open_process(
        [command(), "approve", approval, "--home", str(home)],
        stdin=None,
        stdout=None,
        stderr=None,
        env=environment(),
    )
    try:
        return await process.wait()
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
