"""What every media server answers, whatever it is and however it is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from capabilities.rules.works import WorkKind


class ServerKind(StrEnum):
    """The servers there are adapters for."""

    JELLYFIN = "jellyfin"
    EMBY = "emby"
    PLEX = "plex"
    KODI = "kodi"


@dataclass(frozen=True, slots=True)
class ServerHealth:
    """Whether it answers, with its version, or what is wrong in ``note``."""

    reachable: bool
    version: str = ""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ServerLibrary:
    """A library of the server.

    Attributes:
        id: the server's own.
        kind: None where it holds both kinds, or the server does not say.
        folders: as the server sees them.
    """

    id: str
    name: str
    kind: WorkKind | None
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """The server has the file, and takes it for this.

    Attributes:
        item: the server's own id.
        ids: of the film or episode elsewhere, by source in lower case: ``{"tmdb": "45745"}``.
        taken_for: the kind of works that it keeps the file among; None where that is not said.
    """

    item: str
    title: str
    ids: Mapping[str, str] = field(default_factory=dict[str, str])
    taken_for: WorkKind | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NotSeen:
    """The server was asked for the file and does not show it.

    Attributes:
        taken_for: the kind of works that the file's folder is a library of there; None where that
            is not said.
    """

    taken_for: WorkKind | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CannotTell:
    """The server answered, but no answer of its could tell; ``why`` is a sentence."""

    why: str


Sight = Seen | NotSeen | CannotTell


class MediaServer(Protocol):
    """One media server. Paths are absolute and ours; the adapter knows what the server calls them.

    What is asked of it raises DeclinedError when the server refuses, UnreachableError when no
    readable answer comes, and ThrottledError when it asks to slow down.
    """

    @property
    def name(self) -> str:
        """The owner's name for it."""
        ...

    @property
    def kind(self) -> ServerKind:
        """What it is."""
        ...

    async def health(self) -> ServerHealth:
        """Whether it answers and accepts its key; raises nothing."""
        ...

    async def libraries(self) -> list[ServerLibrary]:
        """Its libraries of films and series, with their folders."""
        ...

    async def refresh(self, paths: Sequence[str]) -> None:
        """Have it look at new or changed files soon; asking twice does no harm.

        Raises:
            LostAnswerError: it was asked, and whether it heard is not known.
        """
        ...

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """What it knows of the file at each path.

        However large its libraries are, one call asks a bounded number of questions.
        """
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """A server, and the kinds of works that it is to show."""

    server: MediaServer
    kinds: frozenset[WorkKind] = frozenset(WorkKind)


@dataclass(frozen=True, slots=True)
class MediaServers:
    """All servers that the owner configured."""

    every: tuple[Shown, ...]

    def showing(self, kind: WorkKind) -> list[MediaServer]:
        """The servers that are to show works of a kind."""
        return [shown.server for shown in self.every if kind in shown.kinds]
