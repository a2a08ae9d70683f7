"""What asking any media server has in common: its answers read, and the library of a file."""

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from capabilities.adapters.media_server.port import (
    CannotTell,
    ServerHealth,
    ServerLibrary,
)
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError, UnreachableError, WorldFaultError
from capabilities.rules.path_mapping import below_folder

NOWHERE = CannotTell(
    "None of its libraries holds this file's folder. Add the folder there, or correct `paths` of "
    "this server in the settings."
)

T = TypeVar("T")


class Told(BaseModel):
    """A part of an answer; what a server adds in future is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


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
