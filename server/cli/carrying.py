"""Bytes between a client's pipes and the server's socket, both ways, until one side ends.

Standard library only: `matinee mcp` imports this.
"""

import os
import select
import socket

CHUNK = 65_536
# A pipe that is ready takes this much without blocking (pipe(7)), so a client that reads slowly
# holds up its own answers and never what it sends.
PIECE = select.PIPE_BUF


class Carrier:
    """One client's connection.

    When the client closes its input, the server is told and may still answer; when the server
    closes, what it sent is still delivered; when the client no longer reads, all ends.
    """

    def __init__(self, server: socket.socket, source: int, sink: int) -> None:
        """Take the socket and the descriptors the client writes to and reads from."""
        server.setblocking(False)
        self._server = server
        self._source = source
        self._sink = sink
        self._sending = True
        self._receiving = True
        self._up = bytearray()
        self._down = bytearray()

    def run(self) -> bool:
        """Carry until nothing is left to carry; false when the server left before the client."""
        while self._receiving or self._down:
            ready = self._wait()
            if not self._give(ready.get(self._sink, 0)):
                return True
            self._exchange(ready.get(self._server.fileno(), 0))
            if ready.get(self._source):
                self._take()
        return not self._sending

    def _wait(self) -> dict[int, int]:
        poll = select.poll()
        poll.register(self._sink, select.POLLOUT if self._down else 0)
        wanted = select.POLLIN if self._receiving and not self._down else 0
        wanted |= select.POLLOUT if self._up else 0
        if wanted:
            poll.register(self._server, wanted)
        if self._sending and not self._up:
            poll.register(self._source, select.POLLIN)
        return dict(poll.poll())

    def _give(self, ready: int) -> bool:
        if ready & ~select.POLLOUT:
            return False
        if ready:
            try:
                del self._down[: os.write(self._sink, self._down[:PIECE])]
            except BrokenPipeError:
                return False
        return True

    def _exchange(self, ready: int) -> None:
        if ready & select.POLLOUT:
            try:
                del self._up[: self._server.send(self._up)]
            except OSError:
                self._up.clear()
        if ready & ~select.POLLOUT and not self._down:
            try:
                self._down += self._server.recv(CHUNK)
            except BlockingIOError:
                return
            except OSError:
                self._receiving = False
            else:
                self._receiving = bool(self._down)

    def _take(self) -> None:
        try:
            self._up += os.read(self._source, CHUNK)
        except OSError:  # a terminal that was closed
            self._up.clear()
        if not self._up:
            self._sending = False
            try:
                self._server.shutdown(socket.SHUT_WR)
            except OSError:
                self._receiving = False
