from dataclasses import replace

from ledger.stores import downloads, plans, shelf
from ledger.stores.expected import give_back, slots_of, take_back
from ledger.writer import Transaction
from tests.ledger.stores.test_copies import DOWNLOAD, PLAN, UNDER_WAY

OVER = replace(DOWNLOAD, state="failed")
OTHER = replace(DOWNLOAD, id="dl_2", info_hash="b" * 40, plan="plan_2")


def laid_out(tx: Transaction, state: str, *, other: bool = False) -> None:
    plans.add(tx, PLAN)
    downloads.add(tx, OVER)
    if other:
        plans.add(tx, replace(PLAN, id="plan_2"))
        downloads.add(tx, OTHER)
    asset = "asset_1" if state == "satisfied" else None
    shelf.move_slot(tx, "work_1", 1, 1, state=state, asset_id=asset)


def state(tx: Transaction) -> str:
    (slot,) = shelf.slots(tx.conn, work="work_1")
    return slot.state


def test_the_slots_of_a_download_are_those_of_its_plan(tx: Transaction) -> None:
    laid_out(tx, "wanted")
    assert slots_of(tx.conn, OVER) == {(1, 1)}
    assert slots_of(tx.conn, replace(OVER, plan="gone")) == frozenset()


def test_what_is_given_back_is_wanted_and_what_is_taken_back_is_on_its_way(
    tx: Transaction,
) -> None:
    laid_out(tx, "in_flight")
    give_back(tx, OVER, UNDER_WAY)
    assert state(tx) == "wanted"
    take_back(tx, OVER, UNDER_WAY)
    assert state(tx) == "in_flight"


def test_a_slot_that_another_download_is_on_its_way_to_is_left(tx: Transaction) -> None:
    laid_out(tx, "in_flight", other=True)
    give_back(tx, OVER, UNDER_WAY)
    assert state(tx) == "in_flight"
    shelf.move_slot(tx, "work_1", 1, 1, state="wanted", asset_id=None)
    take_back(tx, OVER, UNDER_WAY)
    assert state(tx) == "wanted"


def test_a_filled_slot_is_left(tx: Transaction) -> None:
    laid_out(tx, "satisfied")
    give_back(tx, OVER, UNDER_WAY)
    take_back(tx, OVER, UNDER_WAY)
    assert state(tx) == "satisfied"
