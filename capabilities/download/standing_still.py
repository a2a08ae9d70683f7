"""Why a download stands still, and whether that was meant: then it is not resumed for anybody."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from capabilities.adapters.downloader.port import ClientState, Transfer
from capabilities.rules.holding import Hold, hold_of
from ledger.database import Snapshot
from ledger.stores import decisions
from ledger.stores.decisions import WAITING, DecisionKind
from ledger.stores.downloads import DownloadRow

CHECKED_FACT: Final = "stopped_for_check"
"""Among the facts of a download: it stands still until a check found all of it."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why it is not resumed, and what to do."""

    sentence: str
    cure: str


_HOLDS: Final[Mapping[Hold, Why]] = {
    Hold.SPACE: Why(
        "It is held for want of space, and goes on by itself when there is enough.",
        "Free some space on the downloads' disk.",
    ),
    Hold.DANGER: Why("It is held because of what it contains.", "Look at the decision about it."),
    Hold.GIVEN_UP: Why("It was given up.", "Plan it anew, or remove it."),
}
_OWNERS: Final = Why(
    "The owner paused it, and so the owner lets it run again.",
    "Resume it in the download client.",
)
_SHARED: Final = Why(
    "Something of it is missing, and what is fetched would be written into files that the library"
    " has under other names.",
    "Have it rechecked; put the missing files back from elsewhere, or remove the torrent.",
)
_MISSING: Final = Why("Files of it are missing, so it is held.", "Have it rechecked instead.")
_STOPPED: Final = Why(
    "It is complete, and was stopped in its client; whoever did so lets it run again.",
    "Resume it in the download client.",
)
_RUNS: Final = Why("It does not stand still.", "Look at it with download__inspect.")


def why_not_resumed(
    conn: Snapshot, row: DownloadRow, transfer: Transfer, *, guarded: bool
) -> Why | None:
    """Why it may not be let run again; None where nobody meant it to stand still.

    ``guarded``: others see what is written into its files.
    """
    state = transfer.state
    if (hold := hold_of(row.facts)) is not None:
        return _HOLDS[hold]
    if _is_dangerous(conn, row):
        return _HOLDS[Hold.DANGER]
    if state is ClientState.PAUSED_BY_OWNER:
        return _OWNERS
    if state is ClientState.MISSING_FILES:
        return _MISSING
    if state is ClientState.COMPLETED:
        return None if row.facts.get(CHECKED_FACT) else _STOPPED
    if state not in {ClientState.PAUSED_BY_US, ClientState.FAILED}:
        return _RUNS
    whole = 0 < transfer.wanted_bytes <= transfer.done_bytes
    return _SHARED if guarded and not whole else None


def _is_dangerous(conn: Snapshot, row: DownloadRow) -> bool:
    kind = DecisionKind.DANGEROUS_CONTENT
    asked, _ = decisions.listing(conn, states=WAITING, kind=kind, limit=1000)
    return any(one.subject == row.id for one in asked)
