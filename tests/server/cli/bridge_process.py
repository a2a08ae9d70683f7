"""A bridge as a process of its own, and what a client says to it and hears."""

from pathlib import Path

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from tests.server.cli.command import installed
from tests.server.protocol.clients import environment


async def started(root: Path, secret: str | None = None, *arguments: str) -> Process:
    return await anyio.open_process(
        [str(installed(root)), "mcp", *arguments], env=environment(root, secret), cwd=root
    )


async def said(process: Process, *lines: str) -> None:
    assert process.stdin is not None
    await process.stdin.send("".join(f"{line}\n" for line in lines).encode())


async def heard(process: Process) -> bytes:
    assert process.stdout is not None
    return await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", 1_000_000)


async def rest(process: Process) -> tuple[int, bytes, bytes]:
    """How it ended, and what it wrote since it was last heard."""
    assert process.stdout is not None
    assert process.stderr is not None
    with anyio.fail_after(5):
        out = b"".join([chunk async for chunk in process.stdout])
        error = b"".join([chunk async for chunk in process.stderr])
        return await process.wait(), out, error
