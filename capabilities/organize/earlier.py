"""Where the files of a download were placed before: what a corrected import takes away again."""

from dataclasses import dataclass

from ledger.database import Snapshot
from ledger.stores import placed_files, shelf


@dataclass(frozen=True, slots=True)
class Earlier:
    """One file that an earlier plan for this download placed; ``asset`` is its row still."""

    source: str
    folder: str
    target: str
    inode: int
    asset: str | None


def earlier_places(conn: Snapshot, download: str) -> list[Earlier]:
    """All of them, the newest record last."""
    found: list[Earlier] = []
    for record in shelf.records_of(conn, download):
        for one in record.placements:
            path = f"{one['folder']}/{one['target']}"
            asset = placed_files.asset_at(conn, path)
            found.append(Earlier(one["source"], one["folder"], one["target"], one["inode"], asset))
    return found
