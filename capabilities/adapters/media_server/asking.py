"""What asking any media server has in common: its name in faults, and its answers read."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from capabilities.adapters.media_server.port import (
    CannotTell,
    NotSeen,
    Seen,
    ServerHealth,
    ServerLibrary,
    Sight,
)
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError, UnreachableError, WorldFaultError
from capabilities.rules.path_mapping import below_folder

NOWHERE = CannotTell(
    "None of its libraries holds this file's folder. Add the folder there, or correct `paths` of "
    "this server in the settings."
)
TOO_MANY = CannotTell("Its library is too large to be looked through.")

PAGE: Final = 200
MOST_PAGES: Final = 500

T = TypeVar("T")


class Listed(Protocol):
    """An item of a server's list."""

    def is_at(self, path: str) -> bool:
        """Whether the item, or one of its versions, is the file at the server's ``path``."""
        ...

    def seen(self) -> Seen:
        """What the server takes it for."""
        ...


Page = Callable[[ServerLibrary, int], Awaitable[Sequence[Listed]]]
"""A page of a library's items, by its number from 0: `PAGE` items, fewer on the last."""


class Told(BaseModel):
    """A part of an answer; what a server adds in future is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def system_of(name: str) -> str:
    """The words a person knows a server by."""
    return f'the media server "{name}"'


def read(system: str, answer: Answer, shape: TypeAdapter[T]) -> T:
    """The answer's body.

    Raises:
        DeclinedError: the server refused the key or the question.
        UnreachableError: it is no answer of such a server.
    """
    accepted(system, answer)
    try:
        return shape.validate_json(answer.body)
    except ValidationError:
        # The cause is dropped: it quotes other people's words.
        raise UnreachableError(
            system,
            "Its answer is not that of such a server. Check its kind and address in the settings.",
        ) from None


def accepted(system: str, answer: Answer) -> None:
    """Raise DeclinedError unless the server did what was asked."""
    if answer.ok:
        return
    if answer.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise DeclinedError(
            system, "It does not accept its key. Enter a key of an administrator in the settings."
        )
    raise DeclinedError(
        system,
        f"It refused the question with HTTP {answer.status}. Check its kind and address in the "
        "settings.",
    )


async def healthy(version: Callable[[], Awaitable[str]]) -> ServerHealth:
    """How a server is whose version was asked for."""
    try:
        return ServerHealth(reachable=True, version=await version())
    except WorldFaultError as fault:
        return ServerHealth(reachable=False, note=fault.sentence)


def library_of(libraries: Sequence[ServerLibrary], path: str) -> ServerLibrary | None:
    """The library whose folder, in the server's view, is the closest one above ``path``."""
    found = [
        (len(below), library)
        for library in libraries
        for folder in library.folders
        if (below := below_folder(path, folder))
    ]
    return min(found, key=lambda each: each[0])[1] if found else None


def same_file(theirs: str, path: str) -> bool:
    """Whether two paths of one server are the same file."""
    return below_folder(path, theirs) == []


async def looked_through(
    paths: Mapping[str, str], libraries: Sequence[ServerLibrary], page: Page
) -> dict[str, Sight]:
    """What a server knows of files, by what its libraries list.

    Args:
        paths: ours to the server's.
        libraries: all of them.
        page: asks for a page of one.
    """
    sights: dict[str, Sight] = dict.fromkeys(paths, NOWHERE)
    for library in libraries:
        inside = {
            ours: theirs
            for ours, theirs in paths.items()
            if library_of(libraries, theirs) is library
        }
        if inside:
            sights |= await _within(inside, library, page)
    return sights


async def _within(paths: Mapping[str, str], library: ServerLibrary, page: Page) -> dict[str, Sight]:
    left, found = dict(paths), dict[str, Sight]()
    for number in range(MOST_PAGES):
        items = await page(library, number)
        for ours, theirs in list(left.items()):
            item = next((item for item in items if item.is_at(theirs)), None)
            if item is not None:
                found[ours] = item.seen()
                del left[ours]
        if not left:
            return found
        if len(items) < PAGE:
            return {**found, **dict.fromkeys(left, NotSeen())}
    return {**found, **dict.fromkeys(left, TOO_MANY)}
