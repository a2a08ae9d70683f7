from collections.abc import Sequence

import pytest

from capabilities.adapters.media_server.asking import (
    MOST_PAGES,
    NOWHERE,
    PAGE,
    TOO_MANY,
    library_of,
    looked_through,
    same_file,
)
from capabilities.adapters.media_server.port import NotSeen, Seen, ServerLibrary

OUTER = ServerLibrary("1", "All", None, ("/media",))
INNER = ServerLibrary("2", "Films", None, ("/media/films", "/more"))
WINDOWS = ServerLibrary("3", "TV", None, ("D:\\TV",))


class Item:
    """An item whose path is its title."""

    def __init__(self, path: str) -> None:
        self.path = path

    def is_at(self, path: str) -> bool:
        return same_file(self.path, path)

    def seen(self) -> Seen:
        return Seen(self.path, self.path)


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("/media/films/a.mkv", INNER),
        ("/media/films-old/a.mkv", OUTER),
        ("/more/a.mkv", INNER),
        ("d:/tv/Show/a.mkv", WINDOWS),
        ("/elsewhere/a.mkv", None),
        ("/media/films", OUTER),
    ],
)
def test_the_closest_folder_decides_whose_file_it_is(
    path: str, library: ServerLibrary | None
) -> None:
    assert library_of([OUTER, INNER, WINDOWS], path) is library


@pytest.mark.anyio
async def test_each_library_is_looked_through_once_for_all_files_in_it() -> None:
    asked: list[tuple[str, int]] = []

    async def page(library: ServerLibrary, number: int) -> Sequence[Item]:
        asked.append((library.id, number))
        return [Item("/media/films/a.mkv"), Item("/media/films/b.mkv")]

    paths = {"a": "/media/films/a.mkv", "b": "/media/films/b.mkv", "x": "/x", "c": "/media/c.mkv"}
    sights = await looked_through(paths, [OUTER, INNER], page)

    assert sights == {
        "a": Seen("/media/films/a.mkv", "/media/films/a.mkv"),
        "b": Seen("/media/films/b.mkv", "/media/films/b.mkv"),
        "x": NOWHERE,
        "c": NotSeen(),
    }
    assert asked == [("1", 0), ("2", 0)]


@pytest.mark.anyio
async def test_a_list_without_an_end_is_left_after_a_while() -> None:
    numbers: list[int] = []

    async def page(library: ServerLibrary, number: int) -> Sequence[Item]:
        del library
        numbers.append(number)
        return [Item("/other.mkv")] * PAGE

    sights = await looked_through({"a": "/media/a.mkv"}, [OUTER], page)

    assert sights == {"a": TOO_MANY}
    assert len(numbers) == MOST_PAGES
