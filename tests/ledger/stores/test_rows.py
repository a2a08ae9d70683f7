from dataclasses import dataclass

import pytest

from ledger.stores import rows
from ledger.tables.access import owner
from ledger.writer import Transaction
from tests.ledger.moments import START


@dataclass(frozen=True, slots=True)
class Backwards:
    created_at: object
    name: str


def test_only_the_columns_that_are_asked_for_are_read_in_the_order_of_the_fields(
    tx: Transaction,
) -> None:
    tx.conn.execute(owner.insert().values(name="ann", passphrase_hash="x", created_at=START))
    statement = rows.select(owner, Backwards, owner.c.name == "ann")
    assert "passphrase_hash" not in str(statement)
    assert rows.values(Backwards, tx.conn.execute(statement)) == [Backwards(START, "ann")]


def test_a_class_without_declared_fields_is_refused() -> None:
    with pytest.raises(TypeError, match="dict is no dataclass"):
        rows.columns(owner, dict)
