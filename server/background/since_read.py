"""What became of a download since its row was read, while its client was asked."""

from capabilities.adapters.downloader.port import ClientState
from capabilities.download.standing_still import CHECKED_FACT
from capabilities.rules.holding import KEPT_BACK, hold_of
from ledger.database import Snapshot
from ledger.stores import claims, downloads
from ledger.stores.downloads import DownloadRow


def is_overtaken(read: DownloadRow, now: DownloadRow) -> bool:
    """Whether it was given up, stopped or removed meanwhile: then what was seen is not written."""
    hold, removed = hold_of(now.facts), ClientState.REMOVED.value
    if hold in KEPT_BACK and hold is not hold_of(read.facts):
        return True
    return now.state == removed and read.state != removed


def waits_for_us(conn: Snapshot, row: DownloadRow) -> bool:
    """Whether one that we paused has no reason left: no hold, and no check of its files.

    A check that guards files of the library pauses it before that is written down.
    """
    now = downloads.by_id(conn, row.id)
    if now is None or CHECKED_FACT in now.facts or hold_of(now.facts) is not None:
        return False
    return claims.unsettled_on(conn, f"recheck:btih:{now.info_hash}") is None
