from dataclasses import replace

from ledger.stores import copies, downloads, plans, releases, shelf
from ledger.stores.copies import CopyRow
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.stores.releases import NewRelease
from ledger.writer import Transaction
from tests.ledger.moments import START, later
from tests.ledger.stores.test_shelf import ASSET, RECORD

UNDER_WAY = ("downloading",)
PLAN = Plan(
    id="plan_1",
    type="acquisition",
    state=PlanState.SUBMITTED,
    revision=1,
    payload_hash="",
    payload={"slots": [{"season": 1, "episode": 1, "revision": 0}]},
    card={},
    parent=None,
    run=None,
    created_by="key:local",
    created_at=START,
)
DOWNLOAD = DownloadRow(
    id="dl_1",
    client="embedded",
    info_hash="a" * 40,
    hash_v1="a" * 40,
    hash_v2=None,
    name="Show.S01E01.1080p.WEB-DL-GRP",
    plan="plan_1",
    release="rel_none",
    work="work_1",
    run=None,
    state="downloading",
    size=1,
    done=0,
    facts={},
    last_error=None,
    created_at=START,
    updated_at=START,
    completed_at=None,
)


def moved(tx: Transaction, episode: int, state: str, asset: str | None = None) -> None:
    shelf.move_slot(tx, "work_1", 1, episode, state=state, asset_id=asset)


def test_a_file_on_the_shelf_is_known_by_the_release_it_came_from(tx: Transaction) -> None:
    new = NewRelease("one", "g", DOWNLOAD.name, 5, None, {"title": "kept"}, "work_1", None)
    id_ = releases.keep(tx, new, START)
    downloads.add(tx, replace(DOWNLOAD, release=id_, state="imported"))
    shelf.open_record(tx, RECORD)
    shelf.put_asset(tx, replace(ASSET, season=1, episode=1))
    moved(tx, 1, "satisfied", "asset_1")
    moved(tx, 2, "wanted")
    assert copies.copies(tx.conn, "work_1", UNDER_WAY) == [
        CopyRow("work_1", 1, 1, DOWNLOAD.name, {"title": "kept"}, "a" * 40, in_flight=False)
    ]
    assert copies.works_on_the_shelf(tx.conn, limit=5) == (["work_1"], 1)
    assert copies.works_on_the_shelf(tx.conn, limit=0) == ([], 1)


def test_what_is_on_its_way_is_known_by_the_newest_download(tx: Transaction) -> None:
    plans.add(tx, PLAN)
    plans.add(tx, replace(PLAN, id="plan_2"))
    downloads.add(tx, DOWNLOAD)
    second = replace(DOWNLOAD, id="dl_2", info_hash="b" * 40, plan="plan_2", name="Second")
    downloads.add(tx, replace(second, created_at=later(9)))
    assert copies.copies(tx.conn, "work_1", UNDER_WAY) == []
    lost = replace(DOWNLOAD, id="dl_3", info_hash="c" * 40, state="failed")
    downloads.add(tx, replace(lost, created_at=later(10)))
    moved(tx, 1, "in_flight")
    moved(tx, 2, "in_flight")
    assert copies.copies(tx.conn, "work_1", UNDER_WAY) == [
        CopyRow("work_1", 1, 1, "Second", None, "b" * 40, in_flight=True)
    ]
    assert copies.copies(tx.conn, "work_2", UNDER_WAY) == []
