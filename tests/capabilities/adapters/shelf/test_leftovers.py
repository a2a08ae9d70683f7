import pytest

from capabilities.adapters.shelf.leftovers import (
    clean,
    is_attempt_at,
    leftovers,
    temporary_name,
    token_for,
    token_of,
)
from tests.capabilities.adapters.shelf.scene import TARGET, Scene

pytestmark = pytest.mark.anyio
FOLDER = "Film (2009)"


async def test_what_dead_attempts_left_is_known_by_their_tokens(scene: Scene) -> None:
    assert await leftovers(scene.shelf, FOLDER) == frozenset()
    folder = scene.shelf.path / FOLDER
    folder.mkdir()
    for name in (temporary_name("a-1"), temporary_name("B_2"), "film.mkv", ".matinee-.tmp"):
        (folder / name).write_bytes(b"x")
    assert await leftovers(scene.shelf, FOLDER) == {"a-1", "B_2"}


async def test_cleaning_takes_one_attempts_file_and_no_other(scene: Scene) -> None:
    folder = scene.shelf.path / FOLDER
    folder.mkdir()
    for name in (temporary_name("dead"), temporary_name("alive"), "film.mkv"):
        (folder / name).write_bytes(b"x")
    assert await clean(scene.shelf, TARGET, "dead")
    assert not await clean(scene.shelf, TARGET, "dead")
    assert scene.on_shelf() == [f"{FOLDER}/.matinee-alive.tmp", f"{FOLDER}/film.mkv"]


async def test_cleaning_where_no_folder_is_finds_nothing(scene: Scene) -> None:
    assert not await clean(scene.shelf, TARGET, "dead")


async def test_a_temporary_name_gives_its_token_back() -> None:
    assert token_of(temporary_name("x" * 64)) == "x" * 64
    assert token_of(".matinee-a b.tmp") is None
    for token in ("", "x" * 65, "a/b", "a b", "ä"):
        with pytest.raises(ValueError, match="token"):
            temporary_name(token)


async def test_every_attempt_at_a_placement_is_known_by_what_they_share() -> None:
    for token in (token_for("ours", "a1b2c3", 1), token_for("ours", "d4e5f6", 1), "ours-1"):
        assert is_attempt_at(token, "ours", 1)
    for token in (token_for("ours", "a1b2c3", 11), token_for("theirs", "a1b2c3", 1), "ours-2"):
        assert not is_attempt_at(token, "ours", 1)
