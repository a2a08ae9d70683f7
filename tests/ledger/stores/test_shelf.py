from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from ledger.stores import shelf
from ledger.stores.shelf import AssetRow, RecordRow
from ledger.writer import Transaction
from tests.ledger.moments import START, later

RECORD = RecordRow(
    id="rec_1",
    plan="plan_1",
    download="dl_1",
    work="work_1",
    run="run_1",
    state="running",
    journal=[],
    placements=[],
    verification=None,
    last_error=None,
    created_at=START,
    ended_at=None,
)
ASSET = AssetRow(
    id="asset_1",
    path="Sintel (2010)/Sintel.mkv",
    work="work_1",
    season=None,
    episode=None,
    quality="1080p",
    size=5_000_000_000,
    device=2**40,
    inode=2**62,
    streams={"video": [{"codec": "hevc"}]},
    record="rec_1",
    seen_at=START,
)


def test_attempts_are_found_by_id_plan_download_and_run(tx: Transaction) -> None:
    later_one = replace(RECORD, id="rec_2", plan="plan_2", run=None, created_at=later(1))
    shelf.open_record(tx, later_one)
    shelf.open_record(tx, RECORD)
    assert shelf.record_by_id(tx.conn, "rec_1") == RECORD
    assert shelf.record_of_plan(tx.conn, "plan_2") == later_one
    assert shelf.records_of(tx.conn, "dl_1") == [RECORD, later_one]
    assert shelf.records_of_run(tx.conn, "run_1") == [RECORD]
    assert shelf.record_by_id(tx.conn, "rec_none") is None
    assert shelf.record_of_plan(tx.conn, "plan_none") is None


def test_a_plan_has_one_attempt(tx: Transaction) -> None:
    shelf.open_record(tx, RECORD)
    with pytest.raises(IntegrityError):
        shelf.open_record(tx, replace(RECORD, id="rec_2"))


def test_the_journal_only_grows(tx: Transaction) -> None:
    shelf.open_record(tx, RECORD)
    shelf.journal(tx, "rec_1", {"step": "linked"})
    shelf.journal(tx, "rec_1", {"step": "verified"})
    shelf.change_record(tx, "rec_1", state="succeeded", ended_at=later(1))
    assert shelf.record_by_id(tx.conn, "rec_1") == replace(
        RECORD,
        journal=[{"step": "linked"}, {"step": "verified"}],
        state="succeeded",
        ended_at=later(1),
    )


def test_a_path_on_the_shelf_has_the_newest_facts(tx: Transaction) -> None:
    shelf.put_asset(tx, ASSET)
    other = replace(ASSET, id="asset_2", path="Another.mkv", work="work_2")
    shelf.put_asset(tx, other)
    assert shelf.assets(tx.conn) == [other, ASSET]
    better = replace(ASSET, id="asset_3", quality="2160p", inode=7)
    shelf.put_asset(tx, better)
    assert shelf.assets(tx.conn) == [other, better]
    assert shelf.assets(tx.conn, work="work_1") == [better]
    assert shelf.assets(tx.conn, work="work_none") == []
    assert shelf.count_assets(tx.conn) == 2


def test_every_change_of_a_slot_raises_its_revision(tx: Transaction) -> None:
    assert shelf.slot_for(tx.conn, "work_1", 1, 2) is None
    seen: list[tuple[str, int, str | None]] = []
    for state, asset in (("in_flight", None), ("satisfied", "asset_1"), ("satisfied", "asset_1")):
        shelf.move_slot(tx, "work_1", 1, 2, state=state, asset_id=asset)
        found = shelf.slot_for(tx.conn, "work_1", 1, 2)
        assert found is not None
        seen.append((found.state, found.revision, found.asset))
    assert seen == [
        ("in_flight", 1, None),
        ("satisfied", 2, "asset_1"),
        ("satisfied", 3, "asset_1"),
    ]
    assert len(shelf.slots(tx.conn)) == 1


def test_slots_are_listed_in_order_of_season_and_episode(tx: Transaction) -> None:
    for work, season, episode in (("b", 0, 0), ("a", 2, 1), ("a", 1, 10), ("a", 1, 9)):
        shelf.move_slot(tx, work, season, episode, state="wanted", asset_id=None)
    found = [(slot.work, slot.season, slot.episode) for slot in shelf.slots(tx.conn)]
    assert found == [("a", 1, 9), ("a", 1, 10), ("a", 2, 1), ("b", 0, 0)]
    assert [slot.work for slot in shelf.slots(tx.conn, work="b")] == ["b"]
