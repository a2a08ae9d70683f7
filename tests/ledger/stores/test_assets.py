from dataclasses import replace

import pytest

from ledger.stores import assets, shelf
from ledger.stores.assets import Change
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction
from tests.ledger.moments import START, later

SERIES = "/library/Series"
ROW = AssetRow(
    id="asset_1",
    path=f"{SERIES}/a.mkv",
    work="work_1",
    season=1,
    episode=1,
    quality="WEBDL-1080p",
    size=900,
    device=3,
    inode=11,
    streams={},
    record="plan_1",
    seen_at=START,
    mtime_ns=5,
)
OTHER = replace(ROW, id="asset_2", path=f"{SERIES}/b.mkv", size=400, inode=12)


def states(tx: Transaction) -> dict[tuple[int, int], tuple[str, str | None]]:
    return {
        (row.season, row.episode): (row.state, row.asset)
        for row in shelf.slots(tx.conn, work="work_1")
    }


def test_files_below_a_folder_are_told_and_no_others(tx: Transaction) -> None:
    beside = replace(ROW, id="asset_3", path="/library/Series_old/a.mkv")
    odd = replace(ROW, id="asset_4", path="/library/Serieszz/a.mkv")
    assets.put_many(tx, [ROW, OTHER, beside, odd])
    assert assets.below(tx.conn, SERIES) == {ROW.path: ROW, OTHER.path: OTHER}
    assert list(assets.below(tx.conn, "/library/Series_old")) == [beside.path]


def test_slots_are_filled_and_keep_the_file_they_have(tx: Transaction) -> None:
    shelf.move_slot(tx, "work_1", 1, 1, state="satisfied", asset_id="asset_0")
    shelf.move_slot(tx, "work_1", 1, 2, state="wanted", asset_id=None)
    wanted = {("work_1", 1, number): "asset_1" for number in (1, 2, 3)}
    assert assets.satisfy(tx, wanted) == 2
    assert states(tx) == {
        (1, 1): ("satisfied", "asset_0"),
        (1, 2): ("satisfied", "asset_1"),
        (1, 3): ("satisfied", "asset_1"),
    }
    assert assets.satisfy(tx, {}) == 0


def test_a_file_that_only_moved_keeps_its_streams(tx: Transaction) -> None:
    assets.put_many(tx, [ROW, OTHER])
    assets.put_streams(tx, {"asset_1": {"width": 1920}, "asset_2": {"width": 720}}, later(1))
    moved = Change("asset_1", f"{SERIES}/c.mkv", 900, 3, 11, 5)
    grown = Change("asset_2", OTHER.path, 500, 3, 12, 6)
    assets.change(tx, [moved, grown], later(2))
    held = assets.below(tx.conn, SERIES)
    assert held[moved.path].probed_at == later(1)
    assert (held[OTHER.path].size, held[OTHER.path].probed_at) == (500, None)
    assert [row.id for row in assets.unprobed(tx.conn, limit=9)] == ["asset_2"]


def test_a_gone_file_leaves_its_slots_missing_or_to_its_copy(tx: Transaction) -> None:
    assets.put_many(tx, [ROW, OTHER])
    assets.satisfy(tx, {("work_1", 1, number): "asset_1" for number in (1, 2)})
    assets.forget(tx, ["asset_1", "asset_9"])
    assert states(tx) == {(1, 1): ("satisfied", "asset_2"), (1, 2): ("missing", None)}
    assert list(assets.below(tx.conn, SERIES)) == [OTHER.path]


def test_files_to_be_read_come_in_pages(tx: Transaction) -> None:
    assets.put_many(tx, [ROW, OTHER])
    (first,) = assets.unprobed(tx.conn, limit=1)
    (second,) = assets.unprobed(tx.conn, limit=1, after=first.id)
    assert [first.id, second.id] == ["asset_1", "asset_2"]
    assert assets.unprobed(tx.conn, limit=1, after=second.id) == []


@pytest.mark.parametrize("inode", [0, 2**63 - 1, 2**63, 2**64 - 1])
def test_an_inode_of_any_file_system_comes_back_as_it_was(tx: Transaction, inode: int) -> None:
    assets.put_many(tx, [replace(ROW, inode=inode, device=inode)])
    shelf.put_asset(tx, replace(OTHER, inode=inode))
    assets.change(tx, [Change("asset_1", ROW.path, 901, 3, inode, 5)], later(1))
    held = assets.below(tx.conn, SERIES)
    assert {(row.inode, row.size) for row in held.values()} == {(inode, 901), (inode, 400)}


def test_a_file_does_not_move_to_where_another_one_was_recorded_meanwhile(tx: Transaction) -> None:
    assets.put_many(tx, [ROW, OTHER])
    assets.change(tx, [Change("asset_1", OTHER.path, 900, 3, 11, 5)], later(1))
    assert assets.below(tx.conn, SERIES) == {ROW.path: ROW, OTHER.path: OTHER}
