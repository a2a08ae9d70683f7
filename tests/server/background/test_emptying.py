from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.recycling import MARKS, RECYCLE
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import to_json
from ledger.ledger import Ledger, opened
from ledger.stores import policies, recycled, shelf
from ledger.stores.shelf import RecordRow
from server.background.emptying import Emptied, Emptier

pytestmark = pytest.mark.anyio
PLACE = f"{RECYCLE}/Film (2009)/Film (2009).mkv"


async def put_there(ledger: Ledger, folders: Folders, *, days_ago: int = 31) -> Path:
    """A file in the recycle folder, and the record whose journal says so."""
    there = folders.films / PLACE
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(b"the old one")
    for name, content in MARKS.items():
        (folders.films / RECYCLE / name).write_bytes(content)
    now, at = there.stat(), ledger.now()
    step: dict[str, object] = {
        "file": 0,
        "step": "recycled",
        "folder": str(folders.films),
        "from": "Film (2009)/Film (2009).mkv",
        "to": PLACE,
        "inode": now.st_ino,
        "size": now.st_size,
        "at": (at - timedelta(days=days_ago)).isoformat(timespec="seconds"),
    }
    row = RecordRow("rec_1", "plan_1", "dl_1", "w", None, "succeeded", [], [], None, None, at, at)
    await ledger.write(lambda tx: shelf.open_record(tx, row))
    await ledger.write(lambda tx: shelf.journal(tx, "rec_1", step))
    return there


async def put_again(ledger: Ledger, folders: Folders, *, days_ago: int) -> None:
    """A later record that put the same file there once more, after its owner had moved it back."""
    there = folders.films / PLACE
    now, at = there.stat(), ledger.now()
    step: dict[str, object] = {
        "file": 0,
        "step": "recycled",
        "folder": str(folders.films),
        "from": "Film (2009)/Film (2009).mkv",
        "to": PLACE,
        "inode": now.st_ino,
        "size": now.st_size,
        "at": (at - timedelta(days=days_ago)).isoformat(timespec="seconds"),
    }
    row = RecordRow("rec_2", "plan_2", "dl_2", "w", None, "succeeded", [], [], None, None, at, at)
    await ledger.write(lambda tx: shelf.open_record(tx, row))
    await ledger.write(lambda tx: shelf.journal(tx, "rec_2", step))


async def days(ledger: Ledger, number: int) -> None:
    body = to_json(OrganizePolicy(recycle_days=number))
    await ledger.write(lambda tx: policies.publish(tx, "organize", body, ledger.now()))


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncGenerator[Ledger]:
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    made = Folders(tmp_path / "downloads", tmp_path / "films", tmp_path / "series")
    for each in (made.downloads, made.films, made.series):
        each.mkdir()
    return made


async def test_what_lay_there_for_its_days_is_deleted_and_the_journal_says_so(
    ledger: Ledger, folders: Folders
) -> None:
    there = await put_there(ledger, folders)
    emptier = Emptier(ledger, folders)
    assert await emptier.empty() == Emptied(files=1)
    assert not there.parent.exists()
    assert sorted(p.name for p in (folders.films / RECYCLE).iterdir()) == sorted(MARKS)
    record = await ledger.read(lambda conn: shelf.record_by_id(conn, "rec_1"))
    assert record is not None
    assert [step["step"] for step in record.journal] == ["recycled", "emptied"]
    assert await ledger.read(recycled.recycled) == []
    assert await emptier.empty() == Emptied()


@pytest.mark.parametrize(("after", "ago"), [(0, 4000), (40, 39)], ids=["never", "not yet"])
async def test_what_is_not_due_stays(
    ledger: Ledger, folders: Folders, after: int, ago: int
) -> None:
    there = await put_there(ledger, folders, days_ago=ago)
    await days(ledger, after)
    assert await Emptier(ledger, folders).empty() == Emptied()
    assert there.exists()


async def test_a_persons_own_files_there_are_theirs(ledger: Ledger, folders: Folders) -> None:
    there = await put_there(ledger, folders)
    own = there.with_name("my own.mkv")
    own.write_text("put here by hand")
    there.unlink()
    there.write_text("put in its place by hand")
    assert await Emptier(ledger, folders).empty() == Emptied()
    assert own.exists()
    assert there.read_text() == "put in its place by hand"


async def test_a_library_that_is_away_keeps_what_it_has_until_it_is_back(
    ledger: Ledger, folders: Folders
) -> None:
    there = await put_there(ledger, folders)
    away = folders.films.rename(folders.films.with_name("away"))
    assert await Emptier(ledger, folders).empty() == Emptied(away=1)
    away.rename(folders.films)
    assert there.exists()
    assert await Emptier(ledger, folders).empty() == Emptied(files=1)


async def test_a_folder_that_was_swapped_for_a_link_leads_nowhere(
    ledger: Ledger, folders: Folders, tmp_path: Path
) -> None:
    there = await put_there(ledger, folders)
    moved = there.parent.rename(tmp_path / "moved")
    there.parent.symlink_to(moved)
    assert (await Emptier(ledger, folders).empty()).files == 0
    assert (moved / there.name).exists()


async def test_what_is_no_library_of_this_home_is_left_alone(
    ledger: Ledger, folders: Folders, tmp_path: Path
) -> None:
    there = await put_there(ledger, folders)
    other = Folders(folders.downloads, tmp_path / "other", folders.series)
    assert await Emptier(ledger, other).empty() == Emptied()
    assert there.exists()


async def test_what_was_put_there_once_more_stays_for_its_days_from_then_on(
    ledger: Ledger, folders: Folders
) -> None:
    there = await put_there(ledger, folders, days_ago=90)
    await put_again(ledger, folders, days_ago=2)
    assert await Emptier(ledger, folders).empty() == Emptied()
    assert there.exists()
    (lying,) = await ledger.read(recycled.recycled)
    assert lying.record == "rec_2"


async def test_one_that_cannot_be_deleted_keeps_no_other_from_it(
    ledger: Ledger, folders: Folders
) -> None:
    there = await put_there(ledger, folders)
    step: dict[str, object] = {
        "step": "recycled",
        "folder": str(folders.films),
        "to": "Film (2009)/outside.mkv",
        "inode": 1,
        "size": 1,
        "at": (ledger.now() - timedelta(days=99)).isoformat(timespec="seconds"),
    }
    await ledger.write(lambda tx: shelf.journal(tx, "rec_1", step))
    assert await Emptier(ledger, folders).empty() == Emptied(files=1)
    assert not there.exists()
    (left,) = await ledger.read(recycled.recycled)
    assert left.place == "Film (2009)/outside.mkv"
