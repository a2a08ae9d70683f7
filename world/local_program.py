"""Somebody else's program on 127.0.0.1, in a folder of its own, for the time of a block."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import Process

_START_S = 20.0
_STOP_S = 20.0
_LOOK_AGAIN_S = 0.02


class ProgramMissingError(Exception):
    """It is not installed; the text says how to change that."""


class NotStartedError(Exception):
    """It did not come up; the text says as much."""


@dataclass(frozen=True, slots=True)
class LocalProgram:
    """A program that runs, and how it is entered.

    Attributes:
        address: of its web interface, without a path.
        process: its process; killed, it leaves what a crash would leave.
    """

    address: str
    user: str
    password: str = field(repr=False)
    process: Process

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def installed(program: str, package: str) -> str:
    """Where a program is that comes with Debian's ``package``.

    Raises:
        ProgramMissingError: nowhere.
    """
    found = shutil.which(program)
    if found is None:
        raise ProgramMissingError(f"{program} is not installed (on Debian: apt install {package}).")
    return found


@asynccontextmanager
async def listening(command: Sequence[str], folder: Path, port: int) -> AsyncGenerator[Process]:
    """A process of this command for the time of the block; it listens when that begins.

    Args:
        command: the program, and what it is told.
        folder: an existing one, its home; what it prints goes to the file ``log`` there.
        port: where on 127.0.0.1 it will listen.

    Raises:
        NotStartedError: it ends, or does not listen in time.
    """
    with (folder / "log").open("ab") as log:
        process = await anyio.open_process(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={
                "HOME": str(folder),
                "LC_ALL": "C.UTF-8",
                "PATH": os.environ.get("PATH", os.defpath),
            },
            start_new_session=True,
        )
    try:
        await _until_listening(process, port, Path(command[0]).name)
        yield process
    finally:
        with anyio.CancelScope(shield=True):
            await _ended(process)


async def _until_listening(process: Process, port: int, name: str) -> None:
    with anyio.move_on_after(_START_S):
        while process.returncode is None:
            if await _listens(port):
                return
            await anyio.sleep(_LOOK_AGAIN_S)
    ended = process.returncode
    why = "it took too long" if ended is None else f"it ended with {ended}"
    raise NotStartedError(f"{name} did not start ({why}).")


async def _listens(port: int) -> bool:
    try:
        stream = await anyio.connect_tcp("127.0.0.1", port)
    except OSError:
        return False
    await stream.aclose()
    return True


async def _ended(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
        with anyio.move_on_after(_STOP_S):
            await process.wait()
    if process.returncode is None:
        process.kill()
        await process.wait()
    await process.aclose()
