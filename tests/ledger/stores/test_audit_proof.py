from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from ledger.stores import audit, audit_proof
from ledger.stores.audit import Entry
from ledger.stores.audit_chain import link_hash
from ledger.stores.audit_proof import Breach, Fault, Verdict, verify
from ledger.tables.effects import audit as rows
from ledger.tables.effects import audit_chain as records
from ledger.writer import Transaction
from tests.ledger.moments import START, later


@pytest.fixture
def trail(tx: Transaction) -> Transaction:
    """Three chains of four links each, opened one behind the other."""
    for chain in ("one", "two", "three"):
        for n in range(4):
            entry = Entry(later(n), "key:local", f"{chain} {n}", summary={"n": n})
            audit.write(Transaction(tx.conn, writer=chain), entry)
    assert verify(tx.conn).whole
    return tx


def seq_of(tx: Transaction, action: str) -> int:
    return tx.conn.execute(sa.select(rows.c.seq).where(rows.c.action == action)).scalar_one()


def change(tx: Transaction, action: str, **columns: object) -> None:
    tx.conn.execute(rows.update().where(rows.c.action == action).values(**columns))


def remove(tx: Transaction, *actions: str) -> None:
    tx.conn.execute(rows.delete().where(rows.c.action.in_(actions)))


def put_in(tx: Transaction, **columns: object) -> None:
    new: dict[str, object] = {"at": START, "actor": "x", "action": "put in", "summary": {}}
    tx.conn.execute(rows.insert().values({**new, **columns}))


def row_of(tx: Transaction, action: str) -> dict[str, Any]:
    return dict(tx.conn.execute(sa.select(rows).where(rows.c.action == action)).mappings().one())


def forge(tx: Transaction, action: str, *, behind: str) -> None:
    """Edit a row, and give it the hash that goes with the edit and the row before."""
    forged = {**row_of(tx, action), "actor": "owner:ada"}
    change(tx, action, actor="owner:ada", hash=link_hash(row_of(tx, behind)["hash"], forged))


def only(verdict: Verdict) -> Fault:
    (fault,) = verdict.faults
    assert not verdict.whole
    return fault


def test_a_whole_trail_is_counted_and_its_end_told(trail: Transaction) -> None:
    verdict = verify(trail.conn)
    assert (verdict.rows, verdict.chains, verdict.unchained) == (12, 3, 0)
    assert verdict.end == f"three:4:{row_of(trail, 'three 3')['hash']}"


def test_an_empty_trail_is_whole(tx: Transaction) -> None:
    assert verify(tx.conn) == Verdict(0, 0, 0, None, (), more=False)


@pytest.mark.parametrize(
    ("column", "other"),
    [
        ("at", START + timedelta(microseconds=1)),
        ("actor", "owner:ada"),
        ("outcome", "succeeded"),
        ("summary", {"n": 3}),
        ("run", "run_1"),
    ],
)
def test_an_edited_row_is_named(column: str, other: object, trail: Transaction) -> None:
    change(trail, "two 1", **{column: other})
    fault = only(verify(trail.conn))
    seq = seq_of(trail, "two 1")
    assert (fault.breach, fault.seq, fault.chain, fault.link) == (Breach.EDITED, seq, "two", 2)
    assert f"Row {seq}" in fault.sentence


def test_an_edited_row_with_a_new_hash_is_given_away_by_the_next(trail: Transaction) -> None:
    forge(trail, "two 1", behind="two 0")
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.seq) == (Breach.EDITED, seq_of(trail, "two 2"))


def test_an_edited_last_row_with_a_new_hash_is_not_the_end_on_record(trail: Transaction) -> None:
    forge(trail, "three 3", behind="three 2")
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.seq) == (Breach.EDITED, seq_of(trail, "three 3"))


def test_a_removed_row_leaves_a_gap(trail: Transaction) -> None:
    remove(trail, "two 1", "two 2")
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.seq, fault.link) == (Breach.REMOVED, seq_of(trail, "two 3"), 4)
    assert fault.sentence.startswith("2 rows were removed in front of row ")


def test_a_removed_first_row_leaves_a_gap(trail: Transaction) -> None:
    remove(trail, "one 0")
    assert only(verify(trail.conn)).breach is Breach.REMOVED


def test_a_tail_that_was_cut_off_shows(trail: Transaction) -> None:
    remove(trail, "three 3")
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.chain, fault.link) == (Breach.CUT, "three", 3)
    assert "1 row was cut off" in fault.sentence


def test_a_tail_on_which_a_later_chain_opened_shows_twice(trail: Transaction) -> None:
    remove(trail, "one 3")
    assert [fault.breach for fault in verify(trail.conn).faults] == [Breach.OPENING, Breach.CUT]


def test_a_chain_without_any_row_left_shows(trail: Transaction) -> None:
    remove(trail, *(f"three {n}" for n in range(4)))
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.chain, fault.link) == (Breach.CUT, "three", 0)


def test_a_row_put_in_at_the_end_of_a_chain_shows(trail: Transaction) -> None:
    last = row_of(trail, "three 3")
    forged = {**last, "action": "put in", "link": 5}
    put_in(trail, **{**forged, "seq": last["seq"] + 1, "hash": link_hash(last["hash"], forged)})
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.chain) == (Breach.PUT_IN, "three")
    assert f"row {last['seq'] + 1}" in fault.sentence


def test_a_row_put_in_without_a_right_hash_is_named(trail: Transaction) -> None:
    put_in(trail, chain="one", link=5, hash="0" * 64)
    verdict = verify(trail.conn)
    assert [fault.breach for fault in verdict.faults] == [Breach.EDITED, Breach.PUT_IN]
    assert verdict.faults[0].seq == seq_of(trail, "put in")


@pytest.mark.parametrize("columns", [{}, {"chain": "one"}, {"chain": "one", "link": 9}])
def test_a_row_put_in_outside_of_all_chains_is_named(
    columns: dict[str, object], trail: Transaction
) -> None:
    put_in(trail, **columns)
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.seq) == (Breach.PUT_IN, seq_of(trail, "put in"))


def test_a_row_with_a_hash_and_no_chain_is_not_an_old_one(tx: Transaction) -> None:
    put_in(tx, hash="0" * 64)
    assert only(verify(tx.conn)).breach is Breach.PUT_IN


def test_a_row_that_was_moved_shows(trail: Transaction) -> None:
    one, two = seq_of(trail, "one 1"), seq_of(trail, "one 2")
    change(trail, "one 1", seq=1000)
    change(trail, "one 2", seq=one)
    trail.conn.execute(rows.update().where(rows.c.seq == 1000).values(seq=two))
    breaches = [fault.breach for fault in verify(trail.conn).faults]
    assert breaches[:2] == [Breach.REMOVED, Breach.MOVED]


def test_a_changed_opening_is_given_away_by_the_first_row(trail: Transaction) -> None:
    trail.conn.execute(
        records.update().where(records.c.id == "two").values(opened_with="one:4:beef")
    )
    verdict = verify(trail.conn)
    assert [fault.breach for fault in verdict.faults] == [Breach.OPENING, Breach.EDITED]
    assert verdict.faults[0].seq == seq_of(trail, "two 0")


def test_a_second_beginning_of_all_shows(trail: Transaction) -> None:
    trail.conn.execute(records.update().where(records.c.id == "two").values(opened_with="start"))
    assert verify(trail.conn).faults[0].breach is Breach.OPENING


def test_a_chain_removed_whole_is_missed_by_the_next(trail: Transaction) -> None:
    remove(trail, *(f"two {n}" for n in range(4)))
    trail.conn.execute(records.delete().where(records.c.id == "two"))
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.chain) == (Breach.OPENING, "three")


def test_a_removed_record_shows(trail: Transaction) -> None:
    trail.conn.execute(records.delete().where(records.c.id == "two"))
    fault = only(verify(trail.conn))
    assert (fault.breach, fault.seq) == (Breach.NO_RECORD, seq_of(trail, "two 0"))


@pytest.mark.parametrize(
    ("columns", "breach"),
    [({"links": 5}, Breach.CUT), ({"links": 3}, Breach.PUT_IN), ({"head": "x"}, Breach.EDITED)],
)
def test_an_edited_record_shows(
    columns: dict[str, object], breach: Breach, trail: Transaction
) -> None:
    trail.conn.execute(records.update().where(records.c.id == "two").values(**columns))
    assert only(verify(trail.conn)).breach is breach


def test_rows_older_than_the_chains_stand_below_them(tx: Transaction) -> None:
    put_in(tx)
    put_in(tx)
    audit.write(tx, Entry(START, "key:local", "first chained"))
    verdict = verify(tx.conn)
    assert (verdict.whole, verdict.rows, verdict.unchained) == (True, 3, 2)


def test_every_page_is_looked_at(trail: Transaction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_proof, "PAGE", 3)
    assert verify(trail.conn).rows == 12
    change(trail, "three 3", actor="x")
    assert only(verify(trail.conn)).seq == seq_of(trail, "three 3")


def test_more_faults_than_are_told_are_admitted(
    trail: Transaction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_proof, "MOST_FAULTS", 2)
    trail.conn.execute(rows.update().values(actor="x"))
    verdict = verify(trail.conn)
    assert (len(verdict.faults), verdict.more) == (2, True)
