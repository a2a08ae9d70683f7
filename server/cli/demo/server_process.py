"""The demo's server: the installed command in a process of its own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream

from server.cli.demo.faults import DemoFailedError

START_S = 30
STOP_S = 10


@dataclass(frozen=True, slots=True)
class Served:
    """Where the server answers, and the one-time code while there is no owner."""

    address: str
    code: str | None
    process: Process


def command() -> str:
    """The installed ``matinee`` of this environment.

    Raises:
        DemoFailedError: it is not installed.
    """
    beside = Path(sys.executable).with_name("matinee")
    found = str(beside) if beside.exists() else shutil.which("matinee")
    if found is None:
        raise DemoFailedError("The command `matinee` is not installed in this environment.")
    return found


def environment() -> dict[str, str]:
    """The caller's environment without a word of the owner's real home: variables beat files."""
    return {name: held for name, held in os.environ.items() if not name.startswith("MATINEE_")}


@asynccontextmanager
async def serving(home: Path, *, leave: bool) -> AsyncGenerator[Served]:
    """A server for ``home``, ended with the block unless it is to be left running.

    Raises:
        DemoFailedError: it does not start.
    """
    log = home / "server.log"
    with log.open("ab") as errors:
        process = await anyio.open_process(
            [command(), "serve", "--home", str(home), "--port", "0", "--json"],
            stdin=subprocess.DEVNULL,
            stderr=errors,
            env=environment(),
            start_new_session=True,
        )
    try:
        yield await _started(process, log)
    finally:
        if not leave:
            with anyio.CancelScope(shield=True):
                await _ended(process)


async def _started(process: Process, log: Path) -> Served:
    if process.stdout is None:
        raise DemoFailedError("The server's output cannot be read.")
    said = ""
    with anyio.move_on_after(START_S):
        async for text in TextReceiveStream(process.stdout):
            said += text
            with suppress(json.JSONDecodeError):
                told = json.loads(said)
                return Served(told["address"], told["code"], process)
    told = await anyio.Path(log).read_text(encoding="utf-8", errors="replace")
    raise DemoFailedError(f"The server did not start. {told[-2000:]}")


async def _ended(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        with anyio.move_on_after(STOP_S) as waited:
            await process.wait()
        if waited.cancelled_caught:
            process.kill()
            await process.wait()
    await process.aclose()
