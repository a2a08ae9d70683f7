"""libtorrent's alerts inside the running asyncio loop, without a thread and without polling."""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import libtorrent as lt

_BATCH = 200
_DRAIN_BYTES = 4096

Handlers = Mapping[type[Any], Callable[[Any], None]]
"""What is done with an alert, by its exact type; others are passed over.

An alert and all that hangs on it is gone when its handler returns, so a handler copies what it
wants to keep. Handles of torrents and numbers are copies already.
"""


class AlertPump:
    """Takes alerts out of a session whenever there are some, at most a batch in one loop turn.

    Built and closed inside a running loop. libtorrent writes a byte into a socket when its queue
    of alerts stops being empty (`session.set_alert_fd`), and the loop watches the other end.
    """

    def __init__(self, session: lt.session, handlers: Handlers) -> None:
        self._session = session
        self._handlers = handlers
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[lt.alert] = deque()
        self._turn: asyncio.Handle | None = None
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._loop.add_reader(self._reader, self._woken)
        session.set_alert_fd(self._writer.fileno())

    def close(self) -> None:
        """Stop, and leave unread what is still queued."""
        self._session.set_alert_fd(-1)
        self._loop.remove_reader(self._reader)
        if self._turn is not None:
            self._turn.cancel()
        self._waiting.clear()
        self._reader.close()
        self._writer.close()

    def _woken(self) -> None:
        with suppress(BlockingIOError):
            self._reader.recv(_DRAIN_BYTES)
        if self._turn is None:
            self._take()

    def _take(self) -> None:
        self._turn = None
        # The next `pop_alerts` frees the alerts of the last one, so it waits for an empty queue.
        if not self._waiting:
            self._waiting.extend(self._session.pop_alerts())
        if not self._waiting:
            return
        self._turn = self._loop.call_soon(self._take)
        for _ in range(_BATCH):
            if not self._waiting:
                break
            alert = self._waiting.popleft()
            handler = self._handlers.get(type(alert))
            if handler is not None:
                handler(alert)
