"""Looking files up in the libraries of a server that has no question by path.

A look asks a bounded number of questions, however large a library is: for its newest items, where
what was placed just now mostly is; then for items by the names that the files' folders have; then
for a few pages more, going on where the look before has ended, until the whole library was gone
through and it begins anew.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import anyio

from capabilities.adapters.media_server.asking import NOWHERE, library_of, same_file
from capabilities.adapters.media_server.port import (
    CannotTell,
    NotSeen,
    Seen,
    ServerLibrary,
    Sight,
)
from capabilities.rules.names.parsing import parse
from capabilities.rules.path_mapping import below_folder

PAGE: Final = 200
PAGES_A_LOOK: Final = 4
"""Beyond the newest items; libraries of up to a thousand are so seen whole at every look."""
NAMES_A_LOOK: Final = 20
LOOK_S: Final = 30.0
SLOW: Final = CannotTell("It took too long to answer for this file.")


class Listed(Protocol):
    """An item of a server's list."""

    @property
    def files(self) -> Iterable[str]:
        """Where it lies, in the server's view: every version and every part of it."""
        ...

    def seen(self) -> Seen:
        """What the server takes it for."""
        ...


Page = Callable[[ServerLibrary, int], Awaitable[Sequence[Listed]]]
"""A page of a library's items, newest first, by its number from 0: `PAGE`, fewer on the last."""
Named = Callable[[ServerLibrary, str], Awaitable[Sequence[Listed]]]
"""The films, or the episodes of series, of a title."""


@dataclass(slots=True)
class LibrarySearch:
    """Looks files up; remembers how far it has gone through each library.

    Attributes:
        look_s: seconds that one look may take.
    """

    page: Page
    named: Named
    look_s: float = LOOK_S
    _going_on: dict[str, int] = field(default_factory=dict[str, int])
    _turn: int = 0

    async def look(
        self, paths: Mapping[str, str], libraries: Sequence[ServerLibrary]
    ) -> dict[str, Sight]:
        """What a server knows of files.

        Args:
            paths: ours to the server's.
            libraries: all of them.

        Raises:
            WorldFaultError: the server did not answer, or refused.
        """
        sights: dict[str, Sight] = dict.fromkeys(paths, NOWHERE)
        with anyio.move_on_after(self.look_s):
            for library in libraries:
                inside = {
                    ours: theirs
                    for ours, theirs in paths.items()
                    if library_of(libraries, theirs) is library
                }
                sights |= dict.fromkeys(inside, SLOW)
                if inside:
                    await self._look_into(library, _Wanted(inside, library, sights))
        return sights

    async def _look_into(self, library: ServerLibrary, wanted: "_Wanted") -> None:
        newest = await self.page(library, 0)
        wanted.match(newest)
        if len(newest) == PAGE:
            for title in self._titles(wanted):
                wanted.match(await self.named(library, title))
            await self._go_on(library, wanted)
        wanted.give_up()

    def _titles(self, wanted: "_Wanted") -> list[str]:
        """The titles to ask for in this look; with very many, others than in the look before."""
        titles = list(dict.fromkeys(wanted.titles()))
        self._turn += 1
        first = self._turn * NAMES_A_LOOK % max(len(titles), 1)
        return [*titles[first:], *titles[:first]][:NAMES_A_LOOK]

    async def _go_on(self, library: ServerLibrary, wanted: "_Wanted") -> None:
        number = self._going_on.get(library.id, 1)
        for _ in range(PAGES_A_LOOK):
            if not wanted.left:
                return
            items = await self.page(library, number)
            wanted.match(items)
            number = number + 1 if len(items) == PAGE else 1
            self._going_on[library.id] = number
            if number == 1:
                return


class _Wanted:
    """The files of one library that are looked for; what is found goes into ``sights``."""

    def __init__(
        self, paths: Mapping[str, str], library: ServerLibrary, sights: dict[str, Sight]
    ) -> None:
        self.left = dict(paths)
        self._library = library
        self._sights = sights

    def match(self, items: Sequence[Listed]) -> None:
        for ours, theirs in list(self.left.items()):
            found = next((item for item in items if _is_at(item, theirs)), None)
            if found is not None:
                self._sights[ours] = found.seen()
                del self.left[ours]

    def titles(self) -> Iterator[str]:
        for theirs in self.left.values():
            title = title_of(theirs, self._library)
            if title:
                yield title

    def give_up(self) -> None:
        self._sights |= dict.fromkeys(self.left, NotSeen(self._library.kind))


def title_of(path: str, library: ServerLibrary) -> str:
    """The title of a work, as its folder right below the library has it, or else its file."""
    for folder in library.folders:
        below = below_folder(path, folder)
        if below:
            return parse(below[0]).title
    return ""


def _is_at(item: Listed, path: str) -> bool:
    return any(same_file(file, path) for file in item.files)
