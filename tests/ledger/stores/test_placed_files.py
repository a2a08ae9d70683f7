from dataclasses import replace

from ledger.stores import downloads, placed_files, releases, shelf
from ledger.stores.releases import NewRelease
from ledger.writer import Transaction
from tests.ledger.moments import START
from tests.ledger.stores.test_copies import DOWNLOAD
from tests.ledger.stores.test_shelf import ASSET, RECORD

BOTH = replace(ASSET, id="asset_2", path="/series/S01E02-E03.mkv", season=1, episode=2, record="-")


def filled(tx: Transaction) -> None:
    """A file of an import with one episode, and an adopted one with two."""
    new = NewRelease("one", "g", DOWNLOAD.name, 5, None, {"title": "kept"}, "work_1", None)
    id_ = releases.keep(tx, new, START)
    downloads.add(tx, replace(DOWNLOAD, release=id_, state="imported"))
    shelf.open_record(tx, RECORD)
    shelf.put_asset(tx, replace(ASSET, path="/series/S01E01.mkv", season=1, episode=1))
    shelf.put_asset(tx, BOTH)
    for episode, asset in ((1, "asset_1"), (2, "asset_2"), (3, "asset_2")):
        shelf.move_slot(tx, "work_1", 1, episode, state="satisfied", asset_id=asset)


def test_a_file_is_known_with_its_slots_and_the_release_that_it_came_from(tx: Transaction) -> None:
    filled(tx)
    one, both = placed_files.placed_files(tx.conn, "work_1")
    assert (one.title, one.found, one.download) == (DOWNLOAD.name, {"title": "kept"}, "dl_1")
    assert one.slots == {(1, 1)}
    assert (both.title, both.found, both.download) == (None, None, None)
    assert both.slots == {(1, 2), (1, 3)}


def test_a_file_whose_slot_waits_for_another_counts_by_its_own_number(tx: Transaction) -> None:
    filled(tx)
    shelf.move_slot(tx, "work_1", 1, 1, state="in_flight", asset_id=None)
    one, _ = placed_files.placed_files(tx.conn, "work_1")
    assert one.slots == {(1, 1)}


def test_a_second_file_of_a_filled_slot_fills_none(tx: Transaction) -> None:
    filled(tx)
    shelf.put_asset(tx, replace(ASSET, id="asset_3", path="/series/other.mkv", season=1, episode=1))
    found = {one.asset: one.slots for one in placed_files.placed_files(tx.conn, "work_1")}
    assert found["asset_3"] == frozenset()


def test_files_below_a_folder_are_counted_and_found_by_their_path(tx: Transaction) -> None:
    filled(tx)
    assert placed_files.count_below(tx.conn, "/series") == 2
    assert placed_files.count_below(tx.conn, "/seri") == 0
    assert placed_files.asset_at(tx.conn, BOTH.path) == "asset_2"
    assert placed_files.asset_at(tx.conn, "/series/none.mkv") is None


def test_slots_of_what_goes_wait_for_what_comes_and_miss_a_file_otherwise(tx: Transaction) -> None:
    filled(tx)
    placed_files.let_go(tx, ["asset_2"], [(1, 2)], "work_1")
    states = {
        slot.episode: (slot.state, slot.asset) for slot in shelf.slots(tx.conn, work="work_1")
    }
    assert states == {1: ("satisfied", "asset_1"), 2: ("in_flight", None), 3: ("missing", None)}
    assert [one.id for one in shelf.assets(tx.conn)] == ["asset_1"]
