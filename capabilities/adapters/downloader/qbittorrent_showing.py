"""Waiting until qBittorrent shows what it does: its picture of itself is up to 1.5 s old."""

import anyio

from capabilities.adapters.downloader.port import ClientState
from capabilities.adapters.downloader.qbittorrent_answers import Row
from capabilities.adapters.downloader.qbittorrent_live import Live
from capabilities.adapters.downloader.qbittorrent_notes import Notes
from capabilities.adapters.downloader.qbittorrent_states import STOPPED, UNTOLD, state_of

_SHOWS_NO_PAUSE = {ClientState.FAILED, ClientState.MISSING_FILES}
_REFRESH_MS = 1500
_CHECK_BEGINS_S = 1.0


async def until_told(live: Live, id_: str) -> Row | None:
    """The torrent once it can be seen whether it is stopped, or after a while as it is."""
    over = anyio.current_time() + live.pace.settle_s / 2

    def is_so() -> bool:
        row = live.row(id_)
        return row is None or row.state not in UNTOLD or anyio.current_time() >= over

    await live.until(is_so, "It does not show how the torrent is.")
    return live.row(id_)


async def until_paused(live: Live, id_: str, *, ours: bool) -> None:
    """Until it stands still, and whose pause it is can be seen too.

    What hides that, such as a move of its files or an error, is believed after a while.
    """
    over = anyio.current_time() + live.pace.settle_s / 2

    def is_so() -> bool:
        row = live.row(id_)
        if row is None:
            return True
        hidden = row.state in UNTOLD and anyio.current_time() >= over
        told = row.state in STOPPED or hidden or state_of(row.state) in _SHOWS_NO_PAUSE
        return told and Notes.of(row.tags).paused_by_us is ours

    await live.until(is_so, "It was told to stop and does not show it.")


async def until_checking(live: Live, id_: str) -> None:
    """Until it is seen to check, or until it would have been seen to if it were not over."""
    shown_ms = live.mirror.server.get("refresh_interval", _REFRESH_MS)
    shown_ms = shown_ms if isinstance(shown_ms, int) else _REFRESH_MS
    over = anyio.current_time() + min(2 * shown_ms / 1000 + 0.1, live.pace.settle_s / 2)

    def is_so() -> bool:
        row = live.row(id_)
        checking = row is None or state_of(row.state) is ClientState.CHECKING
        return checking or anyio.current_time() >= over

    await live.until(is_so, "It was told to check and does not show it.")


async def let_check_begin(live: Live, id_: str) -> None:
    """Let a check begin that does not: one that ran when its files were missed waits for that.

    One that was stopped begins by itself, and stays stopped afterwards.
    """
    over = anyio.current_time() + _CHECK_BEGINS_S

    def is_so() -> bool:
        row = live.row(id_)
        checking = row is not None and state_of(row.state) is ClientState.CHECKING
        return not checking or anyio.current_time() >= over

    await live.until(is_so, "It was told to check and does not show it.")
    row = live.row(id_)
    if row is not None and state_of(row.state) is ClientState.CHECKING:
        await live.start(id_)
