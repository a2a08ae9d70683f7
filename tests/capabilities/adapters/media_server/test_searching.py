from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
import pytest

from capabilities.adapters.media_server.asking import NOWHERE
from capabilities.adapters.media_server.port import NotSeen, Seen, ServerLibrary, Sight
from capabilities.adapters.media_server.searching import (
    NAMES_A_LOOK,
    PAGE,
    PAGES_A_LOOK,
    SLOW,
    LibrarySearch,
    title_of,
)

OUTER = ServerLibrary("1", "All", None, ("/media",))
INNER = ServerLibrary("2", "Films", None, ("/media/films", "/more"))
WINDOWS = ServerLibrary("3", "TV", None, ("D:\\TV",))


@dataclass(frozen=True)
class Item:
    """An item whose path is its title."""

    path: str

    @property
    def files(self) -> list[str]:
        return [self.path]

    def seen(self) -> Seen:
        return Seen(self.path, self.path)


@dataclass
class Shelves:
    """Libraries as lists of paths, newest first; keeps what was asked."""

    held: dict[str, list[str]]
    numbers: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    titles: list[str] = field(default_factory=list[str])

    async def page(self, library: ServerLibrary, number: int) -> Sequence[Item]:
        self.numbers.append((library.id, number))
        paths = self.held.get(library.id, [])
        return [Item(path) for path in paths[number * PAGE : (number + 1) * PAGE]]

    async def named(self, library: ServerLibrary, title: str) -> Sequence[Item]:
        self.titles.append(title)
        return [Item(path) for path in self.held.get(library.id, []) if title in path]

    def search(self) -> LibrarySearch:
        return LibrarySearch(self.page, self.named)


def seen(path: str) -> Sight:
    return Seen(path, path)


def others(many: int) -> list[str]:
    return [f"/media/other {number}.mkv" for number in range(many)]


@pytest.mark.anyio
async def test_each_library_is_asked_once_for_all_files_in_it() -> None:
    shelves = Shelves({"2": ["/media/films/a.mkv", "/media/films/b.mkv"]})
    paths = {"a": "/media/films/a.mkv", "b": "/media/films/b.mkv", "x": "/x", "c": "/media/c.mkv"}
    sights = await shelves.search().look(paths, [OUTER, INNER])

    assert sights == {
        "a": seen("/media/films/a.mkv"),
        "b": seen("/media/films/b.mkv"),
        "x": NOWHERE,
        "c": NotSeen(),
    }
    assert shelves.numbers == [("1", 0), ("2", 0)]
    assert shelves.titles == []


@pytest.mark.anyio
async def test_what_is_none_of_the_newest_is_found_by_its_title_in_one_question() -> None:
    shelves = Shelves({"1": [*others(PAGE), "/media/Sintel (2010)/a.mkv"]})
    sights = await shelves.search().look({"a": "/media/Sintel (2010)/a.mkv"}, [OUTER])

    assert sights == {"a": seen("/media/Sintel (2010)/a.mkv")}
    assert (shelves.numbers, shelves.titles) == ([("1", 0)], ["Sintel"])


@pytest.mark.anyio
async def test_a_look_goes_on_where_the_last_one_ended_until_the_library_is_through() -> None:
    pages = 2 * PAGES_A_LOOK + 1
    shelves = Shelves({"1": others(pages * PAGE)})
    search = shelves.search()
    looks: list[list[int]] = []
    for _ in range(3):
        shelves.numbers.clear()
        assert await search.look({"a": "/media/a.mkv"}, [OUTER]) == {"a": NotSeen()}
        looks.append([number for _, number in shelves.numbers])

    assert looks == [[0, 1, 2, 3, 4], [0, 5, 6, 7, 8], [0, 9]]
    shelves.numbers.clear()
    await search.look({"a": "/media/a.mkv"}, [OUTER])
    assert [number for _, number in shelves.numbers] == [0, 1, 2, 3, 4]


@pytest.mark.anyio
async def test_what_only_a_late_page_shows_is_found_after_some_looks() -> None:
    path = "/media/Sintel (2010)/a.mkv"
    shelves = Shelves({"1": [*others(7 * PAGE), path]})

    async def nothing(library: ServerLibrary, title: str) -> Sequence[Item]:
        del library, title
        return []

    search = LibrarySearch(shelves.page, nothing)
    sights = [await search.look({"a": path}, [OUTER]) for _ in range(2)]

    assert sights == [{"a": NotSeen()}, {"a": seen(path)}]


@pytest.mark.anyio
async def test_of_many_titles_each_has_its_turn() -> None:
    shelves = Shelves({"1": others(PAGE)})
    search = shelves.search()
    paths = {str(n): f"/media/Film {n:03} (2010)/a.mkv" for n in range(2 * NAMES_A_LOOK)}
    for _ in range(2):
        await search.look(paths, [OUTER])

    assert len(shelves.titles) == 2 * NAMES_A_LOOK
    assert len(set(shelves.titles)) == 2 * NAMES_A_LOOK


@pytest.mark.anyio
async def test_a_server_that_takes_too_long_has_not_said_that_a_file_is_missing() -> None:
    found = "/media/films/a.mkv"
    inner = Shelves({"2": [found]})

    async def page(library: ServerLibrary, number: int) -> Sequence[Item]:
        if library is OUTER:
            await anyio.sleep_forever()
        return await inner.page(library, number)

    search = LibrarySearch(page, inner.named, look_s=0.05)
    sights = await search.look({"a": found, "b": "/media/b.mkv"}, [INNER, OUTER])

    assert sights == {"a": seen(found), "b": SLOW}


@pytest.mark.parametrize(
    ("path", "library", "title"),
    [
        ("/media/films/Sintel (2010) {tmdb-45745}/Sintel.mkv", INNER, "Sintel"),
        ("/more/Sintel (2010) [tmdbid-45745]/a.mkv", INNER, "Sintel"),
        ("d:/tv/Lantern Street (2019)/Season 01/a.mkv", WINDOWS, "Lantern Street"),
        ("/media/films/Sintel.2010.1080p.mkv", INNER, "Sintel"),
        ("/media/films/三体 (2023)/a.mkv", INNER, "三体"),
        ("/elsewhere/a.mkv", INNER, ""),
    ],
)
def test_the_title_is_that_of_the_works_folder(
    path: str, library: ServerLibrary, title: str
) -> None:
    assert title_of(path, library) == title
