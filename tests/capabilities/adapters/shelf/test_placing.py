import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from capabilities.adapters.shelf.faults import (
    CheckFailedError,
    LeftoverError,
    NoSpaceError,
    NotPermittedError,
    ObstructedError,
    PathRefusedError,
    ReadOnlyError,
    SourceChangedError,
    TargetExistsError,
)
from capabilities.adapters.shelf.placements import Entry, Mode, Step
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import DeclinedError, LostAnswerError, UnreachableError
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene, at

pytestmark = pytest.mark.anyio
HERE = [Mode.HARDLINK, Mode.COPY, Mode.MOVE, Mode.SYMLINK]
BEFORE_RENAME = [Step.PLANNED, Step.TEMPORARY_WRITTEN, Step.CHECKED]


async def test_every_step_is_in_the_journal_before_the_next_is_taken(scene: Scene) -> None:
    seen: list[tuple[Step, list[str]]] = []

    async def journal(entry: Entry) -> None:
        await anyio.lowlevel.checkpoint()
        seen.append((entry.step, scene.on_shelf()))

    await scene.place(Mode.HARDLINK, journal=journal)
    temporary = "Film (2009)/.matinee-one.tmp"
    assert seen == [
        (Step.PLANNED, []),
        (Step.TEMPORARY_WRITTEN, [temporary]),
        (Step.CHECKED, [temporary]),
        (Step.RENAMED, [TARGET]),
        (Step.FLUSHED, [TARGET]),
    ]


async def test_a_copy_carries_its_digest_from_the_check_on(scene: Scene) -> None:
    seen: dict[Step, str | None] = {}
    placed = await scene.place(
        Mode.COPY, journal=lambda entry: seen.update({entry.step: entry.digest})
    )
    assert seen[Step.TEMPORARY_WRITTEN] is None
    assert seen[Step.CHECKED] == seen[Step.FLUSHED] == placed.digest == scene.digest()


@pytest.mark.parametrize("mode", HERE)
@pytest.mark.parametrize("stands", ["file", "folder", "dangling link"])
async def test_an_existing_target_is_never_replaced(scene: Scene, mode: Mode, stands: str) -> None:
    target = scene.shelf.path / TARGET
    target.parent.mkdir()
    match stands:
        case "file":
            target.write_bytes(b"mine")
        case "folder":
            target.mkdir()
        case _:
            target.symlink_to("nowhere")
    before = target.lstat()
    with pytest.raises(TargetExistsError):
        await scene.place(mode)
    assert target.lstat() == before
    assert list(target.parent.iterdir()) == [target]
    assert scene.film()


@pytest.mark.parametrize("mode", HERE)
async def test_a_target_that_appears_at_the_last_moment_is_not_replaced(
    scene: Scene, mode: Mode
) -> None:
    target = scene.shelf.path / TARGET
    with pytest.raises(TargetExistsError):
        await scene.place(mode, journal=at(Step.CHECKED, lambda: target.write_bytes(b"mine")))
    assert target.read_bytes() == b"mine"
    assert scene.on_shelf() == [TARGET]
    assert len(scene.film()) == 3_000_000


@pytest.mark.parametrize("mode", HERE)
async def test_of_two_placements_of_one_target_exactly_one_wins(scene: Scene, mode: Mode) -> None:
    waiting, both = 0, anyio.Event()

    async def journal(entry: Entry) -> None:
        nonlocal waiting
        if entry.step is Step.CHECKED:
            waiting += 1
            if waiting == 2:
                both.set()
            await both.wait()

    won: list[str] = []
    lost: list[str] = []

    async def contend(token: str) -> None:
        try:
            await scene.place(mode, attempt=token, journal=journal)
            won.append(token)
        except TargetExistsError:
            lost.append(token)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(contend, "left")
            group.start_soon(contend, "right")
    assert len(won) == len(lost) == 1
    assert scene.on_shelf() == [TARGET]


@pytest.mark.parametrize("step", BEFORE_RENAME)
@pytest.mark.parametrize("mode", HERE)
async def test_a_journal_that_fails_before_the_rename_leaves_nothing(
    scene: Scene, mode: Mode, step: Step
) -> None:
    def fail() -> None:
        raise RuntimeError("the ledger is locked")

    with pytest.raises(RuntimeError, match="the ledger is locked"):
        await scene.place(mode, journal=at(step, fail))
    assert scene.on_shelf() == []
    assert len(scene.film()) == 3_000_000


async def test_a_cancelled_copy_stops_in_the_middle_and_leaves_nothing(scene: Scene) -> None:
    with scene.sources.path_of(FILM).open("r+b") as film:
        film.truncate(32 << 30)  # a hole: far more than could be copied in the time
    temporary = scene.shelf.path / "Film (2009)/.matinee-one.tmp"
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(scene.place, Mode.COPY)
            while not temporary.exists():
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
    assert scene.on_shelf() == []


@pytest.mark.parametrize("mode", HERE)
async def test_a_source_that_is_another_file_by_now_is_declined(scene: Scene, mode: Mode) -> None:
    placement = await scene.planned(mode)
    film = scene.sources.path_of(FILM)
    film.rename(film.with_name("old.mkv"))
    film.write_bytes(b"another")
    with pytest.raises(SourceChangedError):
        await scene.place(placement)
    assert scene.on_shelf() == []


@pytest.mark.parametrize("mode", HERE)
async def test_a_source_swapped_for_a_link_is_declined(scene: Scene, mode: Mode) -> None:
    placement = await scene.planned(mode)
    film = scene.sources.path_of(FILM)
    film.rename(film.with_name("old.mkv"))
    film.symlink_to("/etc/passwd")
    with pytest.raises(DeclinedError):
        await scene.place(placement)
    assert scene.on_shelf() == []


async def test_a_source_that_grew_since_it_was_planned_is_declined(scene: Scene) -> None:
    placement = await scene.planned(Mode.COPY)
    with scene.sources.path_of(FILM).open("ab") as film:
        film.write(b"more")
    with pytest.raises(SourceChangedError):
        await scene.place(placement)
    assert scene.on_shelf() == []


async def test_a_moved_source_that_changed_meanwhile_is_kept(scene: Scene) -> None:
    film = scene.sources.path_of(FILM)
    with pytest.raises(SourceChangedError):
        await scene.place(Mode.MOVE, journal=at(Step.FLUSHED, lambda: os.utime(film, (1, 1))))
    assert film.exists()
    assert scene.on_shelf() == [TARGET]


async def test_a_copy_that_differs_from_its_source_is_thrown_away(scene: Scene) -> None:
    temporary = scene.shelf.path / "Film (2009)/.matinee-one.tmp"

    def rot() -> None:
        with temporary.open("r+b") as file:
            file.write(b"rot")

    with pytest.raises(CheckFailedError):
        await scene.place(Mode.COPY, journal=at(Step.TEMPORARY_WRITTEN, rot))
    assert scene.on_shelf() == []


async def test_a_folder_swapped_for_a_link_leads_nowhere(scene: Scene, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = scene.shelf.path / "Film (2009)"

    with pytest.raises(ObstructedError):
        await scene.place(
            Mode.HARDLINK, journal=at(Step.PLANNED, lambda: folder.symlink_to(outside))
        )
    assert not list(outside.iterdir())


async def test_a_folder_swapped_in_the_middle_is_noticed(scene: Scene, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = scene.shelf.path / "Film (2009)"

    def swap() -> None:
        folder.rename(folder.with_name("old"))
        folder.symlink_to(outside)

    with pytest.raises(LostAnswerError):
        await scene.place(Mode.HARDLINK, journal=at(Step.CHECKED, swap))
    assert not list(outside.iterdir())


async def test_a_target_replaced_right_after_the_rename_is_not_called_placed(
    scene: Scene,
) -> None:
    target = scene.shelf.path / TARGET

    def replace() -> None:
        target.unlink()
        target.write_bytes(b"another")

    with pytest.raises(LostAnswerError):
        await scene.place(Mode.MOVE, journal=at(Step.RENAMED, replace))
    assert len(scene.film()) == 3_000_000


@pytest.mark.parametrize(
    "target", ["../film.mkv", "/film.mkv", "Film/" + "x" * 256, ".matinee-other.tmp"]
)
async def test_a_bad_target_is_refused_before_anything_is_written_down(
    scene: Scene, target: str
) -> None:
    journal: list[Entry] = []
    with pytest.raises(PathRefusedError):
        await scene.place(Mode.HARDLINK, target=target, journal=journal.append)
    assert journal == []
    assert not list(scene.shelf.path.iterdir())


async def test_a_token_that_is_no_plain_word_is_refused(scene: Scene) -> None:
    with pytest.raises(ValueError, match="token"):
        await scene.place(Mode.HARDLINK, attempt="../x")


@pytest.mark.parametrize("mode", HERE)
async def test_the_temporary_file_of_another_attempt_is_not_touched(
    scene: Scene, mode: Mode
) -> None:
    temporary = scene.shelf.path / "Film (2009)/.matinee-one.tmp"
    temporary.parent.mkdir()
    temporary.write_bytes(b"theirs")
    with pytest.raises(LeftoverError):
        await scene.place(mode)
    assert temporary.read_bytes() == b"theirs"


async def test_a_full_disk_is_told_and_leaves_nothing(scene: Scene, small_disk: Path) -> None:
    with Root(small_disk, "the library") as full:
        with pytest.raises(NoSpaceError) as caught:
            await Scene(scene.sources, full).place(Mode.COPY)
        assert isinstance(caught.value, UnreachableError)
        assert Scene(scene.sources, full).on_shelf() == []
    assert os.statvfs(small_disk).f_bfree == os.statvfs(small_disk).f_blocks
    assert len(scene.film()) == 3_000_000


async def test_a_read_only_disk_is_told(scene: Scene, read_only_disk: Path) -> None:
    with Root(read_only_disk, "the library") as sealed, pytest.raises(ReadOnlyError):
        await Scene(scene.sources, sealed).place(Mode.COPY)


@contextmanager
def without_rights(folder: Path) -> Generator[None]:
    """Root may write everywhere, so it becomes nobody for a while."""
    user = os.geteuid()
    folder.chmod(0o555)
    try:
        if user == 0:
            os.seteuid(65534)
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o755)


async def test_a_folder_that_may_not_be_written_to_is_told(scene: Scene) -> None:
    placement = await scene.planned(Mode.COPY)
    with without_rights(scene.shelf.path), pytest.raises(NotPermittedError):
        await scene.place(placement)
