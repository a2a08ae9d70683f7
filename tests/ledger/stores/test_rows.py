from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import pytest

from ledger.stores import access, rows
from ledger.tables.access import api_key, failed_sign_in, owner
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


class Door(StrEnum):
    FRONT = "front"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Failure:
    door: Door
    at: datetime


@dataclass(frozen=True, slots=True)
class Perhaps:
    revoked_at: datetime | None
    name: Door | None


def test_words_of_a_closed_set_come_out_as_its_members(tx: Transaction) -> None:
    access.note_failure(tx, "back", START)
    (found,) = rows.values(Failure, tx.conn.execute(rows.select(failed_sign_in, Failure)))
    assert found.door is Door.BACK
    access.add_key(tx, name="front", secret=None, scopes=(), at=START)
    (key,) = rows.values(Perhaps, tx.conn.execute(rows.select(api_key, Perhaps)))
    assert key == Perhaps(None, Door.FRONT)


def test_a_word_that_is_in_no_closed_set_is_told(tx: Transaction) -> None:
    access.note_failure(tx, "window", START)
    with pytest.raises(ValueError, match="window"):
        rows.values(Failure, tx.conn.execute(rows.select(failed_sign_in, Failure)))
