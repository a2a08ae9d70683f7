from dataclasses import replace

from ledger.stores import assets, shelf
from ledger.stores.other_files import holding
from ledger.writer import Transaction
from tests.ledger.stores.test_assets import ROW
from tests.ledger.stores.test_verifications import RECORD

DOUBLE = replace(ROW, id="asset_d", path="/srv/E01-E02.mkv", record="rec_1", size=1)
PLACED = {"folder": "/srv", "target": "E01-E02.mkv", "season": 1, "episodes": [1, 2]}


def placed(tx: Transaction) -> None:
    """A file with two episodes, by the record that placed it."""
    shelf.open_record(tx, replace(RECORD, placements=[PLACED]))
    assets.put_many(tx, [DOUBLE])


def test_a_file_holds_each_of_its_episodes_and_no_other(tx: Transaction) -> None:
    placed(tx)
    held = [holding(tx.conn, "work_1", 1, episode) for episode in (1, 2, 3)]

    assert held == ["asset_d", "asset_d", None]
    assert holding(tx.conn, "work_1", 2, 2) is None
    assert holding(tx.conn, "work_2", 1, 1) is None


def test_of_several_files_it_is_the_biggest(tx: Transaction) -> None:
    placed(tx)
    single = replace(ROW, id="asset_s", path="/srv/E02.mkv", episode=2, size=9)
    assets.put_many(tx, [single])

    assert holding(tx.conn, "work_1", 1, 2) == "asset_s"
    assert holding(tx.conn, "work_1", 1, 1) == "asset_d"


def test_a_file_of_a_film_holds_it(tx: Transaction) -> None:
    assets.put_many(tx, [replace(ROW, season=None, episode=None)])

    assert holding(tx.conn, "work_1", 0, 0) == ROW.id
    assert holding(tx.conn, "work_1", 1, 1) is None


def test_what_was_adopted_or_placed_long_ago_is_known_by_its_first_episode(
    tx: Transaction,
) -> None:
    old = {name: told for name, told in PLACED.items() if name not in {"season", "episodes"}}
    shelf.open_record(tx, replace(RECORD, placements=[old]))
    assets.put_many(tx, [DOUBLE, replace(ROW, record="plan_of_an_adoption")])

    assert holding(tx.conn, "work_1", 1, 1) == ROW.id
    assert holding(tx.conn, "work_1", 1, 2) is None
