"""Which files of a torrent still wait for a place: it goes only after every one of them has one."""

from collections.abc import Iterable
from typing import Any

from ledger.database import Snapshot
from ledger.stores import decisions, plans, shelf
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState

PLACED = "succeeded"


def waiting_plans(conn: Snapshot) -> list[Plan]:
    """Acquisitions whose files are still to come into the library, all of them."""
    return plans.in_state(conn, "acquisition", PlanState.SUBMITTED)


def open_files(conn: Snapshot, row: DownloadRow, waiting: Iterable[Plan]) -> list[str]:
    """Wanted files that were neither placed nor left out by a plan that was carried out.

    One that was left because nobody knew what it is waits as long as the owner is asked about it.

    Wanted are those of its own plan, and of every other plan that waits for the same torrent: a
    pack of several works or seasons is acquired by several.
    """
    hashes = {row.info_hash, row.hash_v1, row.hash_v2}
    mine = plans.by_id(conn, row.plan)
    about = [each for each in waiting if each.payload.get("info_hash") in hashes]
    wanted = {
        str(file["path"])
        for plan in (*about, *([] if mine is None else [mine]))
        for file in plan.payload["files"]
    }
    done = _done(conn, row)
    return sorted(
        path
        for path in wanted
        if path not in done and not any(one.endswith(f"/{path}") for one in done)
    )


def _done(conn: Snapshot, row: DownloadRow) -> set[str]:
    done = set[str]()
    asked = decisions.open_for(conn, f"identify:{row.id}") is not None
    for record in shelf.records_of(conn, row.id):
        if record.state != PLACED:
            continue
        done |= {str(one["source"]) for one in record.placements}
        plan = plans.by_id(conn, record.plan)
        left: list[dict[str, Any]] = [] if plan is None else plan.payload.get("left", [])
        done |= {str(one["path"]) for one in left if not (asked and one.get("unidentified"))}
    return done
