"""Other processes at work on the same ledger, to be killed, stopped and listened to."""

import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from signal import Signals

import anyio
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream

from ledger.location import Location, SqliteFile
from ledger.pace import Pace

QUICK = Pace(beat_s=0.1, lease_s=1.0, first_pause_s=0)
"""What the processes beat by; whoever watches them waits as short."""
WITHIN_S = 30


@dataclass(slots=True)
class Child:
    """A process that says what it sees, a line at a time."""

    process: Process
    _held: str = ""

    async def line(self) -> str:
        """The next line that it says."""
        assert self.process.stdout is not None
        words = TextReceiveStream(self.process.stdout)
        with anyio.fail_after(WITHIN_S):
            while "\n" not in self._held:
                self._held += await words.receive()
        line, _, self._held = self._held.partition("\n")
        return line

    async def says(self, wanted: str) -> None:
        """Wait until it says ``wanted``."""
        while await self.line() != wanted:
            pass

    async def rest(self) -> list[str]:
        """Every further line, to the end."""
        assert self.process.stdout is not None
        async for words in TextReceiveStream(self.process.stdout):
            self._held += words
        return self._held.splitlines()

    async def tell(self, words: str) -> None:
        """Say a line to it."""
        assert self.process.stdin is not None
        await self.process.stdin.send(f"{words}\n".encode())

    def send(self, signal: Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(signal)

    async def ended(self) -> int:
        """Wait until it is gone; returns how."""
        with anyio.fail_after(WITHIN_S):
            return await self.process.wait()


@asynccontextmanager
async def child(
    location: Location, act: str, module: str = "tests.ledger.victim"
) -> AsyncGenerator[Child]:
    """A process that plays ``act`` on the ledger at ``location``; it is killed at the end."""
    where = str(location.path) if isinstance(location, SqliteFile) else location.url
    async with await anyio.open_process(
        [sys.executable, "-m", module, where, act],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None,
    ) as process:
        try:
            yield Child(process)
        finally:
            if process.returncode is None:
                process.send_signal(Signals.SIGCONT)
                process.kill()


async def killed(location: Location, act: str) -> None:
    """Let a process play ``act``, and kill it in the middle."""
    async with child(location, act) as process:
        await process.says("in the middle")
        process.send(Signals.SIGKILL)
        assert await process.ended() == -Signals.SIGKILL
