import os
import socket
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pytest

from server.cli.carrying import Carrier

PATIENCE_S = 5


@dataclass
class Ends:
    """What the two sides of a carrier hold, and how it ended."""

    server: socket.socket
    client_writes: int
    client_reads: int
    ended: Future[bool]

    def close(self, end: int) -> None:
        with suppress(OSError):
            os.close(end)


@contextmanager
def carrying() -> Generator[Ends]:
    near, far = socket.socketpair()
    source, client_writes = os.pipe()
    client_reads, sink = os.pipe()
    with near, far, ThreadPoolExecutor(1) as pool:
        ends = Ends(far, client_writes, client_reads, pool.submit(Carrier(near, source, sink).run))
        try:
            far.settimeout(PATIENCE_S)
            yield ends
        finally:
            far.close()
            for end in (client_writes, client_reads):
                ends.close(end)
            with suppress(Exception):
                ends.ended.result(PATIENCE_S)
            for end in (source, sink):
                os.close(end)


def read_exactly(count: int, read: Callable[[int], bytes]) -> bytes:
    held = b""
    while len(held) < count:
        piece = read(count - len(held))
        assert piece, "ended early"
        held += piece
    return held


def test_bytes_go_both_ways_unchanged() -> None:
    up, down = os.urandom(300_000), os.urandom(700_000)
    with carrying() as ends:
        writers = [
            threading.Thread(target=os.write, args=(ends.client_writes, up)),
            threading.Thread(target=ends.server.sendall, args=(down,)),
        ]
        for writer in writers:
            writer.start()
        got_down = read_exactly(len(down), lambda n: os.read(ends.client_reads, n))
        got_up = read_exactly(len(up), ends.server.recv)
        for writer in writers:
            writer.join()
    assert (got_up, got_down) == (up, down)


def test_a_client_that_reads_nothing_can_still_send() -> None:
    with carrying() as ends:
        ends.server.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                ends.server.send(b"x" * 65_536)
        ends.server.settimeout(PATIENCE_S)
        os.write(ends.client_writes, b"cancel\n")
        assert read_exactly(7, ends.server.recv) == b"cancel\n"


def test_after_the_clients_last_word_the_answer_still_arrives() -> None:
    with carrying() as ends:
        os.write(ends.client_writes, b"question\n")
        ends.close(ends.client_writes)
        assert read_exactly(9, ends.server.recv) == b"question\n"
        assert ends.server.recv(1) == b""
        ends.server.sendall(b"answer\n")
        ends.server.close()
        assert os.read(ends.client_reads, 100) == b"answer\n"
        assert ends.ended.result(PATIENCE_S) is True


def test_what_the_server_sent_before_it_left_arrives() -> None:
    with carrying() as ends:
        ends.server.sendall(b"x" * 50_000)
        ends.server.close()
        assert len(read_exactly(50_000, lambda n: os.read(ends.client_reads, n))) == 50_000
        assert ends.ended.result(PATIENCE_S) is False


def test_a_client_that_reads_no_more_ends_it_without_a_byte_being_sent() -> None:
    with carrying() as ends:
        ends.close(ends.client_reads)
        assert ends.ended.result(PATIENCE_S) is True


def test_a_server_that_vanishes_with_unread_bytes_ends_it() -> None:
    with carrying() as ends:
        os.write(ends.client_writes, b"x" * 1000)
        read_exactly(1, ends.server.recv)
        ends.server.close()
        assert ends.ended.result(PATIENCE_S) is False


@pytest.mark.parametrize("size", [1, 5_000_000])
def test_a_server_that_reads_nothing_and_leaves_ends_it(size: int) -> None:
    with carrying() as ends:
        sender = threading.Thread(target=_write_quietly, args=(ends.client_writes, b"x" * size))
        sender.start()
        ends.server.close()
        assert ends.ended.result(PATIENCE_S) is False
        os.set_blocking(ends.client_writes, False)
        sender.join(PATIENCE_S) if size == 1 else None


def _write_quietly(end: int, data: bytes) -> None:
    with suppress(OSError):
        os.write(end, data)
