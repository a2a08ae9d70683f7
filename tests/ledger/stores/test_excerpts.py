from ledger.clock import new_id
from ledger.stores import audit, decisions, excerpts
from ledger.stores.audit import Entry
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.tables.declared import declared
from ledger.writer import Transaction
from tests.ledger.moments import START, later

TITLE = "Night Train (1959)"


def asked(tx: Transaction, n: int) -> None:
    decisions.raise_(tx, NewDecision(DecisionKind.OTHER, new_id("x"), f"{TITLE} {n}"), later(n))


def test_every_table_is_counted(tx: Transaction) -> None:
    audit.write(tx, Entry(START, "key:local", "a"), Entry(START, "key:local", "b"))
    found = excerpts.counts(tx.conn)
    assert set(found) == {table.name for table in declared().sorted_tables}
    assert (found["audit"], found["audit_chain"], found["work"]) == (2, 1, 0)


def test_the_newest_rows_come_first_and_no_more_than_asked_for(tx: Transaction) -> None:
    for n in range(3):
        asked(tx, n)
    found = excerpts.newest(tx.conn, limit=2, titles=True)
    assert [row["title"] for row in found["decision"]] == [f"{TITLE} 2", f"{TITLE} 1"]


def test_without_titles_no_column_that_may_hold_one_is_shown(tx: Transaction) -> None:
    asked(tx, 1)
    audit.write(tx, Entry(START, "key:local", "a", summary={"sentence": TITLE}))
    found = excerpts.newest(tx.conn, limit=5, titles=False)
    assert TITLE not in str(found)
    assert found["decision"][0]["kind"] == "other"
    assert TITLE in str(excerpts.newest(tx.conn, limit=5, titles=True))


def test_no_column_that_opens_something_is_ever_shown(tx: Transaction) -> None:
    shown = {
        f"{each.table.name}.{name}"
        for each in excerpts.EXCERPTS
        for name in (*each.facts, *each.telling)
    }
    assert not shown & {"invocation.token", "invocation.key", "invocation.fingerprint"}
    assert all(name.partition(".")[2] != "secret_hash" for name in shown)
    assert excerpts.newest(tx.conn, limit=1, titles=True).keys() == {
        each.table.name for each in excerpts.EXCERPTS
    }


def test_what_the_ledger_knows_by_name_is_told_to_those_who_must_hide_it(tx: Transaction) -> None:
    asked(tx, 1)
    assert excerpts.titles(tx.conn) == {f"{TITLE} 1"}


def test_the_database_says_what_it_is(tx: Transaction) -> None:
    kind, _, number = excerpts.database_version(tx.conn).partition(" ")
    assert kind in {"sqlite", "postgresql"}
    assert number[0].isdigit()
