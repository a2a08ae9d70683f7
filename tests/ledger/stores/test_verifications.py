from dataclasses import replace

from ledger.stores import shelf, verifications
from ledger.stores.shelf import RecordRow
from ledger.stores.verifications import VERIFYING, Placing
from ledger.writer import Transaction
from tests.ledger.moments import START

RECORD = RecordRow(
    id="rec_1",
    plan="plan_1",
    download="dl_1",
    work="work_1",
    run=None,
    state=VERIFYING,
    journal=[],
    placements=[{"target": "a.mkv", "folder": "/srv"}],
    verification={"checks": []},
    last_error=None,
    created_at=START,
    ended_at=None,
)


def test_only_records_that_are_being_verified_wait(tx: Transaction) -> None:
    shelf.open_record(tx, RECORD)
    shelf.open_record(tx, replace(RECORD, id="rec_2", plan="plan_2", state="succeeded"))
    shelf.open_record(tx, replace(RECORD, id="rec_3", plan="plan_3", verification=None))

    assert verifications.waiting(tx.conn) == [{"checks": []}]


def test_records_are_found_by_their_ids_and_what_is_none_is_left_out(tx: Transaction) -> None:
    ids = [f"rec_{number:04}" for number in range(1_200)]  # more than one statement takes
    for id_ in (ids[0], ids[-1]):
        shelf.open_record(tx, replace(RECORD, id=id_, plan=f"plan_of_{id_}"))

    assert verifications.placings(tx.conn, ids) == [
        Placing(id_, RECORD.placements, RECORD.verification) for id_ in (ids[0], ids[-1])
    ]
    assert verifications.placings(tx.conn, []) == []


def test_a_file_is_known_by_all_the_slots_it_fills(tx: Transaction) -> None:
    for episode in (2, 1):
        shelf.move_slot(tx, "work_1", 1, episode, state="satisfied", asset_id="asset_1")
    shelf.move_slot(tx, "work_1", 1, 3, state="satisfied", asset_id="asset_2")

    assert verifications.filled(tx.conn, ["asset_1", "asset_9"]) == {"asset_1": [(1, 1), (1, 2)]}
