import anyio
import pytest

from ledger.database import Database
from ledger.stores import references
from ledger.writer import Transaction


def test_a_reference_is_short_and_leads_back(tx: Transaction) -> None:
    assert references.issue(tx, "run:1", "rel", "rel_abc") == "rel:1"
    assert references.issue(tx, "run:1", "rel", "rel_def") == "rel:2"
    assert references.target_of(tx.conn, "run:1", "rel", 2) == "rel_def"


def test_the_same_thing_keeps_its_reference(tx: Transaction) -> None:
    first = references.issue(tx, "run:1", "rel", "rel_abc")
    references.issue(tx, "run:1", "rel", "rel_def")
    assert references.issue(tx, "run:1", "rel", "rel_abc") == first


def test_a_reference_is_good_only_where_it_was_issued(tx: Transaction) -> None:
    references.issue(tx, "run:1", "rel", "rel_abc")
    assert references.issue(tx, "key:local", "rel", "rel_def") == "rel:1"
    assert references.issue(tx, "run:1", "dl", "dl_abc") == "dl:1"
    assert references.target_of(tx.conn, "key:local", "rel", 1) == "rel_def"
    assert references.target_of(tx.conn, "run:2", "rel", 1) is None
    assert references.target_of(tx.conn, "run:1", "rel", 2) is None


def test_the_newest_references_are_named_first(tx: Transaction) -> None:
    for n in range(7):
        references.issue(tx, "run:1", "rel", f"rel_{n}")
    assert references.recent(tx.conn, "run:1", "rel") == [
        "rel:7",
        "rel:6",
        "rel:5",
        "rel:4",
        "rel:3",
    ]
    assert references.recent(tx.conn, "run:1", "rel", limit=1) == ["rel:7"]
    assert references.recent(tx.conn, "run:1", "dl") == []


@pytest.mark.anyio
async def test_many_that_ask_at_once_get_numbers_of_their_own(database: Database) -> None:
    issued: list[str] = []

    async def ask(n: int) -> None:
        target = f"rel_{n % 16}"
        issued.append(await database.write(lambda tx: references.issue(tx, "run:1", "rel", target)))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as askers:
            for n in range(32):
                askers.start_soon(ask, n)
    assert set(issued) == {f"rel:{n}" for n in range(1, 17)}


def test_several_are_issued_together_as_one_by_one(tx: Transaction) -> None:
    assert references.issue(tx, "run:1", "rel", "rel_b") == "rel:1"
    issued = references.issue_all(tx, "run:1", "rel", ["rel_a", "rel_b", "rel_a", "rel_c"])
    assert issued == ["rel:2", "rel:1", "rel:2", "rel:3"]
    assert references.issue(tx, "run:1", "rel", "rel_c") == "rel:3"
    assert references.issue_all(tx, "run:1", "rel", []) == []
