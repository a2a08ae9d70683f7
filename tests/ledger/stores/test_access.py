import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.database import Database
from ledger.location import database_file
from ledger.stores import access
from ledger.tables.access import setup_code
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def test_a_home_has_no_owner_before_its_first_start(tx: Transaction) -> None:
    assert access.the_owner(tx.conn) is None
    access.create_owner(tx, "ann", "argon2…", START)
    assert access.the_owner(tx.conn) == access.Owner("ann", "argon2…")


def test_only_the_newest_setup_code_is_good_and_only_once(tx: Transaction) -> None:
    access.put_setup_code(tx, "old", START)
    access.put_setup_code(tx, "new", later(1))
    assert not access.use_setup_code(tx, "old", later(2))
    assert not access.use_setup_code(tx, "guess", later(2))
    assert access.use_setup_code(tx, "new", later(2))
    assert not access.use_setup_code(tx, "new", later(3))


def test_a_setup_code_is_good_for_a_day_to_the_moment(tx: Transaction) -> None:
    access.put_setup_code(tx, "code", START)
    assert not access.use_setup_code(tx, "code", START + access.SETUP_CODE_LASTS)
    just_before = START + access.SETUP_CODE_LASTS - timedelta(microseconds=1)
    assert access.use_setup_code(tx, "code", just_before)


def test_a_setup_code_of_an_earlier_release_without_an_end_is_not_good(tx: Transaction) -> None:
    tx.conn.execute(setup_code.insert().values(code_hash=access.digest("code"), created_at=START))
    assert not access.use_setup_code(tx, "code", later(1))


def test_a_session_is_its_owners_until_it_expires_or_ends(tx: Transaction) -> None:
    access.open_session(tx, "cookie", "ann", START, later(60))
    access.open_session(tx, "other", "ann", START, later(60))
    assert access.session_owner(tx.conn, "cookie", later(59)) == "ann"
    assert access.session_owner(tx.conn, "cookie", later(60)) is None
    assert access.session_owner(tx.conn, "guess", later(1)) is None
    access.end_session(tx, "cookie", later(2))
    assert access.session_owner(tx.conn, "cookie", later(3)) is None
    assert access.session_owner(tx.conn, "other", later(3)) == "ann"


def test_failures_are_counted_for_each_door_and_cleared_by_a_success(tx: Transaction) -> None:
    for second in (0, 10, 20):
        access.note_failure(tx, "owner", later(second))
    access.note_failure(tx, "setup", later(20))
    assert access.failures_since(tx.conn, "owner", START) == 2
    assert access.failures_since(tx.conn, "owner", later(-1)) == 3
    access.forget_failures(tx, "owner")
    assert access.failures_since(tx.conn, "owner", later(-1)) == 0
    assert access.failures_since(tx.conn, "setup", START) == 1


def test_failures_older_than_a_day_are_forgotten_when_another_is_counted(tx: Transaction) -> None:
    day = access.FAILURES_KEPT.total_seconds()
    for second in (0, 10, day + 5):
        access.note_failure(tx, "owner", later(second))
    assert access.failures_since(tx.conn, "owner", later(-1)) == 2


def test_a_key_is_found_by_its_secret_and_by_its_id(tx: Transaction) -> None:
    id_ = access.add_key(tx, name="phone", secret="s3cret", scopes=("read", "plan"), at=START)
    key = access.key_by_secret(tx.conn, "s3cret")
    assert key == access.key_by_id(tx.conn, id_)
    assert key is not None
    assert (key.name, key.scopes, key.expires_at) == ("phone", ["read", "plan"], None)
    assert access.key_by_secret(tx.conn, "guess") is None
    assert access.key_by_id(tx.conn, "key_none") is None


def test_the_built_in_key_has_no_secret_that_could_be_sent(tx: Transaction) -> None:
    access.add_key(tx, name="this machine", secret=None, scopes=(), at=START, id_=access.LOCAL_KEY)
    assert access.key_by_id(tx.conn, access.LOCAL_KEY) is not None
    assert access.key_by_secret(tx.conn, "") is None


def test_a_key_is_good_until_it_expires_or_is_revoked(tx: Transaction) -> None:
    id_ = access.add_key(tx, name="phone", secret="s", scopes=(), at=START, expires_at=later(60))
    key = access.key_by_id(tx.conn, id_)
    assert key is not None
    assert key.usable(later(59))
    assert not key.usable(later(60))
    assert access.revoke_key(tx, id_, later(1))
    assert not access.revoke_key(tx, id_, later(2))
    assert not access.revoke_key(tx, "key_none", later(2))
    revoked = access.key_by_secret(tx.conn, "s")
    assert revoked is not None
    assert revoked.revoked_at == later(1)
    assert not revoked.usable(later(2))


def test_keys_are_listed_newest_first_with_their_last_use(tx: Transaction) -> None:
    old = access.add_key(tx, name="old", secret="1", scopes=(), at=START)
    new = access.add_key(tx, name="new", secret="2", scopes=(), at=later(1))
    access.touch_key(tx, old, later(5))
    assert [(key.id, key.last_used_at) for key in access.keys(tx.conn)] == [
        (new, None),
        (old, later(5)),
    ]


@pytest.mark.anyio
async def test_no_secret_stands_in_the_file(database: Database, home: Path) -> None:
    def write(tx: Transaction) -> None:
        access.add_key(tx, name="phone", secret="the-key-itself", scopes=(), at=START)
        access.open_session(tx, "the-cookie-itself", "ann", START, later(60))
        access.put_setup_code(tx, "the-code-itself", START)

    await database.write(write)
    database.close()
    with closing(sqlite3.connect(database_file(home))) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"itself" not in database_file(home).read_bytes()
