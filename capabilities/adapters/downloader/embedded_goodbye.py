"""Leaving the trackers, without making everybody else wait."""

import anyio
import libtorrent as lt

from capabilities.adapters.downloader.embedded_alerts import Handlers

_GOODBYE_S = 2


class Goodbyes:
    """Counts trackers that were told that we stop, and those that have answered.

    A session that is dropped before they answered waits for them with the interpreter's lock held,
    which stops the whole process.
    """

    def __init__(self) -> None:
        self._waited_for = 0
        self._changed = anyio.Event()

    def handlers(self) -> Handlers:
        """What is done with the alerts of trackers."""
        return {
            lt.tracker_announce_alert: self._on_announce,
            lt.tracker_reply_alert: self._on_answer,
            lt.tracker_error_alert: self._on_answer,
        }

    async def answered(self) -> None:
        """Wait for those that were told so far, but not for long."""
        with anyio.move_on_after(_GOODBYE_S):
            while self._waited_for > 0:
                self._changed = anyio.Event()
                await self._changed.wait()

    def _on_announce(self, alert: lt.tracker_announce_alert) -> None:
        if alert.event == lt.event_t.stopped:
            self._waited_for += 1

    def _on_answer(self, _: lt.tracker_alert) -> None:
        self._waited_for = max(0, self._waited_for - 1)
        self._changed.set()
