"""Backups made while others write, and put back: on a file and on a server."""

import shutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path

import anyio
import anyio.from_thread
import anyio.to_thread
import pytest
import sqlalchemy as sa

from capabilities.kernel.actors import owner
from ledger.copying import copy_file
from ledger.database import Database, Snapshot
from ledger.dumps import dump
from ledger.faults import LedgerUnavailableError
from ledger.ledger import opened
from ledger.location import Location, PostgresServer, SqliteFile, database_file
from ledger.stores import events, workers
from ledger.stores.workers import WorkerState
from ledger.tables.runs import event
from ledger.writer import Transaction
from server.backups.archive import LEDGER, UnusableArchiveError, digest_of, pack, unpack
from server.backups.making import make
from server.backups.restoring import restore
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from tests.history import check_history
from tests.ledger.homes import furnish
from tests.postgres import Server
from tests.promises.tally import Tally

AT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 1, 2, tzinfo=UTC)
WRITERS = 4


def happened(tx: Transaction) -> None:
    events.append(tx, "happened", {}, AT, run="run_1")


def count(conn: Snapshot) -> int:
    return conn.execute(sa.select(sa.func.count()).select_from(event)).scalar_one()


@asynccontextmanager
async def under_load(database: Database) -> AsyncGenerator[None]:
    """Several callers write without a pause for the time of the block."""
    begun = anyio.Event()

    async def write() -> None:
        while True:
            await database.write(happened)
            begun.set()

    async with anyio.create_task_group() as writers:
        for _ in range(WRITERS):
            writers.start_soon(write)
        await begun.wait()
        yield
        writers.cancel_scope.cancel()


@asynccontextmanager
async def in_use(location: Location) -> AsyncGenerator[None]:
    """Somebody is at work on the ledger for the time of the block."""
    with closing(Database(location)) as database:
        await database.write(happened)
        yield


async def look(location: Location) -> tuple[int, list[str]]:
    database = Database(location)
    try:
        return await database.read(count), await database.read(check_history)
    finally:
        database.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path)
    (tmp_path / "settings.toml").write_text("# as it was\n")
    (tmp_path / "secret.key").write_text("as it was")
    (tmp_path / "torrents").mkdir()
    (tmp_path / "torrents" / f"{'a' * 40}.torrent-state").write_bytes(b"kept")
    return tmp_path


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest, home: Path) -> Location:
    if request.param == "sqlite":
        return SqliteFile(database_file(home))
    server: Server = request.getfixturevalue("postgres")
    return server.create()


async def backed_up(home: Path, location: Location, *, with_key: bool = False) -> Path:
    target = home / "copy.backup"
    await anyio.to_thread.run_sync(
        lambda: make(home, location, target, version="0", at=AT, with_key=with_key)
    )
    return target


@pytest.mark.promise("S6")
@pytest.mark.anyio
async def test_a_backup_under_load_is_one_moment_of_the_ledger_and_can_be_put_back(
    home: Path, location: Location, tally: Tally
) -> None:
    database = Database(location)
    before = after = 0
    with anyio.fail_after(20):
        async with under_load(database):
            before = await database.read(count)
            copy = await backed_up(home, location)
            after = await database.read(count)
        database.close()
        done = await anyio.to_thread.run_sync(lambda: restore(home, location, copy, at=LATER))
    restored, violations = await look(location)
    tally.add(1, len(violations) + int(not before <= restored <= after), rows=restored)
    assert tally.violations == 0
    assert done.kept_aside == home / "backups" / "replaced-20260102T000000Z"
    again = Database(location)
    await again.write(happened)
    assert await again.read(count) == restored + 1
    again.close()


@pytest.mark.promise("S6", control=True)
@pytest.mark.anyio
async def test_a_plain_copy_of_the_file_under_load_loses_what_was_committed(
    home: Path, tally: Tally
) -> None:
    location = SqliteFile(database_file(home))
    database = Database(location)
    copy = home / "plain.sqlite"
    with anyio.fail_after(20):
        async with under_load(database):
            before = await database.read(count)
            await anyio.to_thread.run_sync(shutil.copy2, location.path, copy)
    database.close()
    restored, violations = await look(SqliteFile(copy))
    tally.add(1, len(violations) + int(restored < before))
    assert tally.violations > 0


@pytest.mark.anyio
async def test_settings_and_torrents_come_back_and_what_was_there_is_kept(home: Path) -> None:
    location = SqliteFile(database_file(home))
    copy = await backed_up(home, location)
    (home / "settings.toml").write_text("# changed\n")
    (home / "secret.key").write_text("changed")
    (home / "torrents" / f"{'b' * 40}.torrent-state").write_bytes(b"later")
    done = restore(home, location, copy, at=LATER)
    assert (home / "settings.toml").read_text() == "# as it was\n"
    assert (home / "secret.key").read_text() == "changed"
    assert [path.name for path in (home / "torrents").iterdir()] == [f"{'a' * 40}.torrent-state"]
    assert done.kept_aside is not None
    assert sorted(path.name for path in done.kept_aside.iterdir()) == [
        "matinee.sqlite",
        "settings.toml",
        "torrents",
    ]


@pytest.mark.anyio
async def test_the_key_of_secrets_is_in_a_backup_only_when_asked_for(home: Path) -> None:
    location = SqliteFile(database_file(home))
    copy = await backed_up(home, location, with_key=True)
    (home / "secret.key").write_text("changed")
    restore(home, location, copy, at=LATER)
    assert (home / "secret.key").read_text() == "as it was"


@pytest.mark.anyio
async def test_a_damaged_ledger_is_kept_as_it_is_and_replaced(home: Path) -> None:
    location = SqliteFile(database_file(home))
    copy = await backed_up(home, location)
    location.path.write_bytes(b"overwritten")
    done = restore(home, location, copy, at=LATER)
    assert done.kept_aside is not None
    assert (done.kept_aside / "matinee.sqlite").read_bytes() == b"overwritten"
    assert await look(location) == (0, [])


@pytest.mark.anyio
async def test_an_empty_home_takes_a_backup(home: Path, tmp_path: Path) -> None:
    copy = await backed_up(home, SqliteFile(database_file(home)))
    other = tmp_path / "other"
    other.mkdir()
    place = SqliteFile(database_file(other))
    assert restore(other, place, copy, at=LATER).kept_aside is None
    assert await look(place) == (0, [])


@pytest.mark.anyio
async def test_a_ledger_that_is_damaged_in_the_archive_changes_nothing(home: Path) -> None:
    location = SqliteFile(database_file(home))
    whole = location.path.read_bytes()
    with closing(sqlite3.connect(location.path)) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
        file.commit()
    copy = await backed_up(home, location)
    location.path.write_bytes(whole)
    with pytest.raises(UnusableArchiveError, match="newer version"):
        restore(home, location, copy, at=LATER)
    assert location.path.read_bytes() == whole
    assert not (home / "backups").exists()


@pytest.mark.anyio
async def test_a_backup_of_the_other_kind_of_database_is_refused(
    home: Path, postgres: Server
) -> None:
    copy = await backed_up(home, SqliteFile(database_file(home)))
    with pytest.raises(UnusableArchiveError, match="is of a ledger on sqlite"):
        restore(home, postgres.create(), copy, at=LATER)


@pytest.mark.anyio
async def test_on_a_server_nobody_may_be_at_work_while_it_is_restored(
    home: Path, postgres: Server
) -> None:
    location = postgres.create()
    copy = await backed_up(home, location)
    async with in_use(location):
        with pytest.raises(LedgerUnavailableError, match="other connections use this database"):
            restore(home, location, copy, at=LATER)


@pytest.mark.anyio
async def test_on_a_server_whoever_was_at_work_in_the_backup_is_dead_after_the_restore(
    home: Path, postgres: Server
) -> None:
    location = postgres.create()
    async with opened(home, location=location) as ledger:
        await ledger.engine.connect("worker")
        copy = await backed_up(home, location)
        assert [each.id for each in await ledger.read(workers.alive)] == [ledger.worker]
    await anyio.to_thread.run_sync(lambda: restore(home, location, copy, at=LATER))
    async with opened(home, location=location) as again:
        assert await again.read(workers.alive) == []
        before = await again.read(lambda conn: workers.by_id(conn, ledger.worker))
        assert before is not None
        assert (before.state, before.ended_at is None) == (WorkerState.DEAD, False)


@pytest.mark.anyio
async def test_a_server_that_cannot_be_reached_is_told(home: Path) -> None:
    nowhere = PostgresServer("postgresql+psycopg://u:hidden@127.0.0.1:1/none")
    with pytest.raises(
        LedgerUnavailableError, match="could not be opened: the database server cannot be reached"
    ) as refused:
        await backed_up(home, nowhere)
    assert "hidden" not in str(refused.value)


@pytest.mark.anyio
async def test_a_backup_in_the_middle_of_sealing_anew_opens_with_the_keys_in_it(
    home: Path, tmp_path: Path
) -> None:
    for name in ("secret.key.next", "secret.key.old"):
        (home / name).write_text(name)
    copy = await backed_up(home, SqliteFile(database_file(home)), with_key=True)
    other = tmp_path / "other"
    other.mkdir()
    restore(other, SqliteFile(database_file(other)), copy, at=LATER)
    held = {path.name: path.read_text() for path in other.glob("secret.key*")}
    assert held == {
        "secret.key": "as it was",
        "secret.key.next": "secret.key.next",
        "secret.key.old": "secret.key.old",
    }
    assert {path.stat().st_mode & 0o777 for path in other.glob("secret.key*")} == {0o600}


@pytest.mark.anyio
async def test_secrets_that_are_sealed_anew_while_a_backup_is_made_open_from_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "secret.key").unlink()
    keys = sealing_keys(home, {})
    async with opened(home) as ledger:
        secrets = SealedSecrets(ledger, keys)
        await secrets.put(owner("ann"), "metadata.tmdb.key", "v")
        copied: list[Path] = []

        def copy_after_two_keys(source: Path, target: Path) -> None:
            copy_file(source, target)
            if not copied:
                anyio.from_thread.run(secrets.reseal, owner("ann"))
                anyio.from_thread.run(secrets.reseal, owner("ann"))
            copied.append(target)

        monkeypatch.setattr("server.backups.making.copy_file", copy_after_two_keys)
        copy = await backed_up(home, SqliteFile(database_file(home)), with_key=True)
    assert len(copied) == 2
    other = tmp_path / "other"
    other.mkdir()
    restore(other, SqliteFile(database_file(other)), copy, at=LATER)
    async with opened(other) as ledger:
        (secret,) = await SealedSecrets(ledger, sealing_keys(other, {})).all()
    assert secret.trouble is None


@pytest.mark.anyio
async def test_two_restores_in_one_second_keep_what_each_replaced(home: Path) -> None:
    location = SqliteFile(database_file(home))
    copy = await backed_up(home, location)
    kept = [restore(home, location, copy, at=LATER).kept_aside for _ in range(3)]
    names = [path.name for path in kept if path is not None]
    assert names == [f"replaced-20260102T000000Z{n}" for n in ("", "-2", "-3")]


def repacked(copy: Path, ledger: bytes | None = None, **changed: str) -> Path:
    """An archive with another ledger in it, or another manifest."""
    target = copy.with_name("repacked.backup")
    folder = copy.with_name("repacking")
    manifest = unpack(copy, folder)
    if ledger is not None:
        (folder / LEDGER).write_bytes(ledger)
    members = {name: folder / name for name in manifest.digests}
    digests = {name: digest_of(path) for name, path in members.items()}
    pack(target, manifest.model_copy(update={"digests": digests, **changed}), members)
    shutil.rmtree(folder)
    return target


@pytest.mark.anyio
@pytest.mark.parametrize("what", ["newer", "damaged", "cut"])
async def test_on_a_server_a_backup_is_looked_at_before_anything_is_replaced(
    home: Path, postgres: Server, what: str
) -> None:
    location = postgres.create()
    copy = await backed_up(home, location)
    match what:
        case "newer":
            copy, why = repacked(copy, revision="9999"), "newer version"
        case "damaged":
            copy, why = repacked(copy, b"no dump at all"), "no whole dump"
        case _:
            copy, why = repacked(copy, b"PGDMP"), "no whole dump"
    with pytest.raises(UnusableArchiveError, match=why):
        restore(home, location, copy, at=LATER)
    assert not (home / "backups").exists()


@pytest.mark.anyio
async def test_a_dump_of_something_else_is_no_ledger(home: Path, postgres: Server) -> None:
    location, empty = postgres.create(), postgres.create(template=None)
    dump(empty, home / "empty")
    copy = repacked(await backed_up(home, location), (home / "empty").read_bytes())
    with pytest.raises(UnusableArchiveError, match="holds no ledger"):
        restore(home, location, copy, at=LATER)


@pytest.mark.anyio
async def test_a_refused_restore_leaves_no_folder_behind(home: Path, postgres: Server) -> None:
    location = postgres.create()
    copy = await backed_up(home, location)
    async with in_use(location):
        with pytest.raises(LedgerUnavailableError, match="other connections"):
            restore(home, location, copy, at=LATER)
    assert list((home / "backups").iterdir()) == []


@pytest.mark.anyio
async def test_what_a_server_or_its_programs_say_is_not_repeated(home: Path) -> None:
    nowhere = PostgresServer("postgresql+psycopg://u:hidden@127.0.0.1:1/none")
    with pytest.raises(LedgerUnavailableError) as refused:
        await backed_up(home, nowhere)
    assert "127.0.0.1" not in str(refused.value)
    with pytest.raises(LedgerUnavailableError, match="cannot be reached") as refused:
        dump(nowhere, home / "dump")
    assert "127.0.0.1" not in str(refused.value)
