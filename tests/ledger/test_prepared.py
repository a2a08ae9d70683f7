"""A prepared statement writes what SQLAlchemy would write, and its faults are SQLAlchemy's."""

from collections.abc import Callable, Generator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from ledger.database import writing_engine
from ledger.location import Location, SqliteFile
from ledger.prepared import Prepared
from ledger.refusals import lost, refuses
from ledger.tables.schema import Instant, Words
from tests.postgres import Server


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


LAMP = sa.Table(
    "lamp",
    sa.MetaData(),
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("colour", Words),
    sa.Column("lit", sa.Integer, nullable=False),
    sa.Column("facts", sa.JSON(none_as_null=True)),
    sa.Column("at", Instant),
)
COLUMNS = tuple(LAMP.c.keys())
KINDS = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
INSERT = Prepared(
    {name: of(LAMP).on_conflict_do_nothing(index_elements=["id"]) for name, of in KINDS.items()},
    columns=COLUMNS,
)
PLAIN_INSERT = Prepared({name: of(LAMP) for name, of in KINDS.items()}, columns=COLUMNS)
RELIGHT = Prepared(
    dict.fromkeys(
        KINDS,
        LAMP.update()
        .where(LAMP.c.id == sa.bindparam("of"), LAMP.c.colour == Colour.RED)
        .values(lit=sa.bindparam("now_lit"), facts=sa.bindparam("now_facts")),
    )
)
ONE: dict[str, Any] = {
    "id": "one",
    "colour": Colour.RED,
    "lit": 1,
    "facts": {"wörter": [1, None, "二"], "deep": {"a": True}},
    "at": datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC),
}


@pytest.fixture
def conn(location: Location) -> Generator[sa.Connection]:
    engine = writing_engine(location)
    with engine.connect() as conn:
        with conn.begin():
            LAMP.create(conn)
        yield conn
    engine.dispose()


def rows(conn: sa.Connection) -> list[dict[str, Any]]:
    return [dict(row) for row in conn.execute(sa.select(LAMP).order_by(LAMP.c.id)).mappings()]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"facts": None},
        {"colour": None, "at": None},
        {"facts": [], "lit": -(2**31)},
        {"colour": "not\x00storable\ud800"},
    ],
)
def test_it_writes_the_row_that_sqlalchemy_writes(
    conn: sa.Connection, changed: dict[str, Any]
) -> None:
    row = {**ONE, **changed}
    with conn.begin():
        conn.execute(LAMP.insert(), {**row, "id": "theirs"})
        assert INSERT.run(conn, {**row, "id": "ours"}) == 1
        ours, theirs = rows(conn)
        assert {**ours, "id": ""} == {**theirs, "id": ""}
        kinds = sa.text("SELECT count(*) FROM lamp WHERE facts IS NULL")
        assert conn.execute(kinds).scalar() == (2 if row["facts"] is None else 0)


def test_a_row_that_is_there_already_is_counted_as_none(conn: sa.Connection) -> None:
    with conn.begin():
        assert INSERT.run(conn, ONE) == 1
        assert INSERT.run(conn, {**ONE, "lit": 9}) == 0
        assert [row["lit"] for row in rows(conn)] == [1]


def test_an_update_counts_what_it_changed_and_keeps_its_own_conditions(
    conn: sa.Connection,
) -> None:
    with conn.begin():
        for id_, colour in (("red", Colour.RED), ("blue", Colour.BLUE)):
            INSERT.run(conn, {**ONE, "id": id_, "colour": colour})
        told = {"now_lit": 5, "now_facts": {"by": "us"}}
        assert RELIGHT.run(conn, {"of": "red", **told}) == 1
        assert RELIGHT.run(conn, {"of": "blue", **told}) == 0
        assert RELIGHT.run(conn, {"of": "green", **told}) == 0
        assert {row["id"]: row["lit"] for row in rows(conn)} == {"red": 5, "blue": 1}


def test_a_transaction_that_is_rolled_back_takes_it_along(conn: sa.Connection) -> None:
    with conn.begin() as transaction:
        INSERT.run(conn, ONE)
        transaction.rollback()
    with conn.begin():
        assert rows(conn) == []


def test_a_value_that_is_not_given_is_named(conn: sa.Connection) -> None:
    with conn.begin(), pytest.raises(KeyError, match="lit"):
        INSERT.run(conn, {name: value for name, value in ONE.items() if name != "lit"})


@pytest.mark.parametrize("wrong", [{"id": "one"}, {"id": "two", "lit": None}])
def test_what_the_database_refuses_is_told_as_sqlalchemy_tells_it(
    conn: sa.Connection, wrong: dict[str, Any]
) -> None:
    with conn.begin():
        INSERT.run(conn, ONE)
    with pytest.raises(IntegrityError) as told, conn.begin():
        PLAIN_INSERT.run(conn, {**ONE, **wrong})
    assert not refuses(told.value)
    assert not lost(told.value)
    assert "wörter" not in str(told.value)


def test_a_connection_that_is_gone_is_let_go_and_the_next_one_works(
    postgres: Server,
) -> None:
    ours, other = (writing_engine(place) for place in [postgres.create()] * 2)
    conn = ours.connect()
    with conn.begin():
        LAMP.create(conn)
    transaction = conn.begin()
    mine = conn.execute(sa.text("SELECT pg_backend_pid()")).scalar_one()
    with other.begin() as killer:
        killer.execute(sa.text("SELECT pg_terminate_backend(:pid)"), {"pid": mine})
    other.dispose()
    with pytest.raises(OperationalError) as told:
        INSERT.run(conn, ONE)
    assert refuses(told.value)
    assert lost(told.value)
    transaction.rollback()
    with conn.begin():
        assert INSERT.run(conn, ONE) == 1
    conn.close()
    ours.dispose()


def by_us(conn: sa.Connection) -> None:
    INSERT.run(conn, ONE)


def by_sqlalchemy(conn: sa.Connection) -> None:
    conn.execute(sa.select(LAMP))


def refused_when_closed(
    engine: sa.Engine, run: Callable[[sa.Connection], None]
) -> ProgrammingError:
    with engine.connect() as conn, conn.begin() as transaction:
        driver = conn.connection.dbapi_connection
        assert driver is not None
        driver.close()
        with pytest.raises(ProgrammingError) as refused:
            run(conn)
        transaction.rollback()
    return refused.value


def test_a_closed_connection_is_told_as_sqlalchemy_tells_it(tmp_path: Path) -> None:
    engine = writing_engine(SqliteFile(tmp_path / "lamps.db"))
    with engine.begin() as conn:
        LAMP.create(conn)
    told = [refused_when_closed(engine, each) for each in (by_us, by_sqlalchemy)]
    ours, theirs = told
    assert str(ours.orig) == str(theirs.orig)
    assert ours.connection_invalidated == theirs.connection_invalidated
    engine.dispose()
