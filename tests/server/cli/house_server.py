"""`matinee serve` for the bridge's tests: the small house on its socket, until told to stop."""

import fcntl
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import anyio

from server.protocol import handshake

STARTS = "starts"
BROKEN = "broken"
OLD_VERSION = "0.0.1"


def main(arguments: Sequence[str]) -> int:
    """Serve; ``--old`` says that this is an earlier version."""
    root = Path(arguments[arguments.index("--home") + 1])
    if (root / BROKEN).exists():
        return 1
    if "--old" in arguments:
        handshake.VERSION = OLD_VERSION
    lock = os.open(root / "lock", os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return 1
    with (root / STARTS).open("a") as starts:
        starts.write(f"{os.getpid()} {handshake.VERSION} {os.environ.get('MATINEE_KEY')}\n")
    anyio.run(_serve, root)
    return 0


async def _serve(root: Path) -> None:
    from tests.server.protocol.house import built_house  # slow, and not needed to fail

    async with (
        built_house(root) as house,
        house.on_socket(),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(_stop_on_signal, house.stopped)
        await house.stopped.wait()
        tasks.cancel_scope.cancel()


async def _stop_on_signal(stopped: anyio.Event) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM) as received:
        async for _ in received:
            stopped.set()
