"""Questions to libtorrent that it answers by an alert."""

from collections.abc import Callable
from typing import Generic, TypeVar

import anyio
import libtorrent as lt

ANSWER_S = 10

AnswerT = TypeVar("AnswerT")


class Answers(Generic[AnswerT]):
    """Answers of one kind, one outstanding for each torrent."""

    def __init__(self) -> None:
        self._open: dict[lt.torrent_handle, tuple[anyio.Event, list[AnswerT]]] = {}

    def give(self, handle: lt.torrent_handle, answer: AnswerT) -> None:
        """The alert came; nothing happens if nobody asked."""
        if handle in self._open:
            event, box = self._open[handle]
            box.append(answer)
            event.set()

    async def to(self, handle: lt.torrent_handle, ask: Callable[[], None]) -> AnswerT:
        """Ask, and wait for the answer.

        Raises:
            TimeoutError: there was none within `ANSWER_S` seconds.
        """
        event, box = self._open[handle] = anyio.Event(), list[AnswerT]()
        try:
            ask()
            with anyio.fail_after(ANSWER_S):
                await event.wait()
        finally:
            del self._open[handle]
        return box[0]
