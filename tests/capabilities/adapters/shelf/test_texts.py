from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from capabilities.adapters.shelf.faults import (
    CheckFailedError,
    LeftoverError,
    OvertakenError,
    PathRefusedError,
    TargetExistsError,
)
from capabilities.adapters.shelf.leftovers import temporary_name
from capabilities.adapters.shelf.placements import Entry, Step
from capabilities.adapters.shelf.probes import Standing
from capabilities.adapters.shelf.texts import Text, text_standing, write_text
from capabilities.kernel.faults import LostAnswerError
from tests.capabilities.adapters.shelf.scene import Scene

pytestmark = pytest.mark.anyio
TARGET = "Film (2009)/Film (2009).nfo"
TEXT = Text(TARGET, "<movie>火</movie>\n".encode())


async def heard(entry: Entry) -> None:
    """A journal that nobody reads."""
    del entry


async def write(scene: Scene, journal: Callable[[Entry], Awaitable[None]] = heard) -> None:
    await write_text(TEXT, shelf=scene.shelf, token="one", journal=journal)


def at(step: Step, act: Callable[[], object]) -> Callable[[Entry], Awaitable[None]]:
    async def journal(entry: Entry) -> None:
        if entry.step is step:
            act()

    return journal


def there(scene: Scene) -> Path:
    return scene.shelf.path / TARGET


async def test_a_text_stands_under_its_name_and_every_step_was_told(scene: Scene) -> None:
    told: list[Entry] = []

    async def journal(entry: Entry) -> None:
        told.append(entry)

    await write(scene, journal)
    assert scene.on_shelf() == [TARGET]
    assert there(scene).read_bytes() == TEXT.content
    assert [entry.step.value for entry in told] == [
        "planned",
        "temporary_written",
        "checked",
        "renamed",
        "flushed",
    ]
    assert told[-1].digest == TEXT.digest


@pytest.mark.parametrize("early", [True, False], ids=["from the start", "meanwhile"])
async def test_what_has_the_name_is_never_written_over(scene: Scene, early: bool) -> None:
    def put() -> None:
        there(scene).parent.mkdir(exist_ok=True)
        there(scene).write_bytes(b"theirs")

    if early:
        put()
    with pytest.raises(TargetExistsError):
        await write(scene, at(Step.CHECKED, put))
    assert there(scene).read_bytes() == b"theirs"
    assert scene.on_shelf() == [TARGET]


async def test_what_is_read_differently_gets_no_name(scene: Scene) -> None:
    def spoil() -> None:
        (there(scene).parent / temporary_name("one")).write_bytes(b"spoilt")

    with pytest.raises(CheckFailedError):
        await write(scene, at(Step.TEMPORARY_WRITTEN, spoil))
    assert scene.on_shelf() == []


async def test_an_attempt_whose_temporary_file_was_taken_away_names_nothing(scene: Scene) -> None:
    def take() -> None:
        (there(scene).parent / temporary_name("one")).unlink()

    with pytest.raises(OvertakenError):
        await write(scene, at(Step.CHECKED, take))
    assert scene.on_shelf() == []


async def test_what_a_dead_attempt_of_the_same_token_left_is_not_used(scene: Scene) -> None:
    left = there(scene).parent / temporary_name("one")
    left.parent.mkdir()
    left.write_bytes(b"half")
    with pytest.raises(LeftoverError):
        await write(scene)
    assert left.read_bytes() == b"half"


async def test_a_name_that_is_lost_at_once_is_not_called_written(scene: Scene) -> None:
    with pytest.raises(LostAnswerError):
        await write(scene, at(Step.RENAMED, lambda: there(scene).unlink()))


async def test_a_name_that_another_file_took_at_once_is_not_called_ours(scene: Scene) -> None:
    def swap() -> None:
        there(scene).unlink()
        there(scene).write_bytes(b"theirs")

    with pytest.raises(LostAnswerError, match="Something else"):
        await write(scene, at(Step.RENAMED, swap))
    assert there(scene).read_bytes() == b"theirs"


@pytest.mark.parametrize("target", ["../out.nfo", f"Film/{temporary_name('x')}"])
async def test_a_path_that_is_no_place_for_it_is_refused(scene: Scene, target: str) -> None:
    with pytest.raises(PathRefusedError):
        await write_text(Text(target, b"x"), shelf=scene.shelf, token="one", journal=heard)
    assert scene.on_shelf() == []


async def test_it_is_known_again_by_its_bytes_alone(scene: Scene) -> None:
    async def now() -> Standing:
        return await text_standing(scene.shelf, TARGET, TEXT.digest)

    assert await now() is Standing.ABSENT
    await write(scene)
    assert await now() is Standing.PLACED
    there(scene).write_bytes(b"theirs")
    assert await now() is Standing.OCCUPIED
    there(scene).unlink()
    there(scene).symlink_to(scene.sources.path / "pack")
    assert await now() is Standing.OCCUPIED
    there(scene).unlink()
    there(scene).parent.rmdir()
    there(scene).parent.write_bytes(b"a file where the folder was")
    assert await now() is Standing.OCCUPIED
    assert await text_standing(scene.shelf, "../x", TEXT.digest) is Standing.UNKNOWN
