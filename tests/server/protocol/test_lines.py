import re

import anyio
import pytest
from anyio.abc import ByteReceiveStream
from anyio.streams.memory import MemoryObjectReceiveStream
from hypothesis import given
from hypothesis import strategies as st

from server.protocol.lines import Lines

MOST = 12
pieces = st.lists(st.binary(min_size=1, max_size=30) | st.just(b"\n"), max_size=20)


class Arriving(ByteReceiveStream):
    """A stream that arrives in the pieces it was given."""

    def __init__(self, stream: MemoryObjectReceiveStream[bytes]) -> None:
        self._stream = stream

    async def receive(self, max_bytes: int = 65536) -> bytes:
        del max_bytes
        return await self._stream.receive()

    async def aclose(self) -> None:
        await self._stream.aclose()


async def all_lines(chunks: list[bytes]) -> list[bytes | None]:
    send, receive = anyio.create_memory_object_stream[bytes](len(chunks))
    async with Arriving(receive) as stream:
        with send:
            for chunk in chunks:
                send.send_nowait(chunk)
        return [line async for line in Lines(stream).all(MOST)]


async def first_line(chunks: list[bytes]) -> bytes | None:
    send, receive = anyio.create_memory_object_stream[bytes](len(chunks))
    async with Arriving(receive) as stream:
        with send:
            for chunk in chunks:
                send.send_nowait(chunk)
        return await Lines(stream).first(MOST)


@given(chunks=pieces)
def test_lines_do_not_depend_on_how_they_arrive(chunks: list[bytes]) -> None:
    found = re.findall(rb"[^\n]*\n|[^\n]+", b"".join(chunks))
    assert anyio.run(all_lines, chunks) == [line if len(line) <= MOST else None for line in found]


@pytest.mark.parametrize(
    ("chunks", "line"),
    [
        ([b"one\ntwo\n"], b"one\n"),
        ([b"on", b"e\n"], b"one\n"),
        ([], None),
        ([b"x" * MOST + b"\n", b"two\n"], None),
    ],
)
def test_the_first_line_is_there_or_is_none(chunks: list[bytes], line: bytes | None) -> None:
    assert anyio.run(first_line, chunks) == line
