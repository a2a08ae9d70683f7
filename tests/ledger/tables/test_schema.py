from datetime import datetime, timedelta, timezone

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import StatementError

from ledger.stores import access
from ledger.tables.access import setup_code
from ledger.tables.schema import Instant
from ledger.writer import Transaction
from tests.ledger.moments import START


def test_a_moment_comes_back_in_utc_to_the_microsecond(tx: Transaction) -> None:
    east = datetime(2026, 3, 1, 23, 59, 59, 123456, timezone(timedelta(hours=9)))
    access.put_setup_code(tx, "code", east)
    found = tx.conn.execute(sa.select(setup_code.c.created_at, setup_code.c.used_at)).one()
    assert found.created_at == east
    assert found.created_at.utcoffset() == timedelta(0)
    assert found.used_at is None


def test_a_moment_without_a_zone_is_refused(tx: Transaction) -> None:
    with pytest.raises(StatementError, match="without a time zone"):
        access.put_setup_code(tx, "code", START.replace(tzinfo=None))


def test_a_moment_that_a_database_gives_with_its_zone_is_turned_to_utc() -> None:
    east = datetime(2026, 3, 1, 21, tzinfo=timezone(timedelta(hours=9)))
    found = Instant().process_result_value(east, sqlite.dialect())
    assert found is not None
    assert (found, found.utcoffset()) == (START, timedelta(0))
