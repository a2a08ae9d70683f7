"""A media server as the settings have it: what all adapters are made of."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import TypeAdapter

from capabilities.adapters.media_server.asking import read
from capabilities.adapters.media_server.port import ServerKind
from capabilities.adapters.outbound import Outbound
from capabilities.rules.path_mapping import PathMap

T = TypeVar("T")


class Configured:
    """Its name and kind, the way to it, and what it calls our folders.

    Attributes:
        system: the words a person knows it by.
        address: its base address, without a final slash.
        headers: what signs every request.
        way: what carries them.
        paths: ours to its own.
    """

    def __init__(
        self,
        kind: ServerKind,
        name: str,
        address: str,
        headers: Mapping[str, str],
        *,
        outbound: Outbound,
        paths: PathMap | None,
    ) -> None:
        """Bind a server.

        Args:
            kind: what it is.
            name: the owner's name for it.
            address: its base address, with the path that a proxy may put before it.
            headers: what signs every request.
            outbound: what carries the requests.
            paths: what it calls our folders; None where both sides call them the same.

        Raises:
            DeclinedError: the address is none.
        """
        self.system = f'the media server "{name}"'
        self.address = address.rstrip("/")
        self.headers = headers
        self.way = outbound.neighbour(self.system, address)
        self.paths = paths or PathMap()
        self._kind = kind
        self._name = name

    @property
    def name(self) -> str:
        """The owner's name for it."""
        return self._name

    @property
    def kind(self) -> ServerKind:
        """What it is."""
        return self._kind

    async def fetched(
        self, path: str, shape: TypeAdapter[T], query: Mapping[str, str] | None = None
    ) -> T:
        """The answer to a GET below its address.

        Raises:
            DeclinedError: the server refused the key or the question.
            UnreachableError: no answer of such a server came.
            ThrottledError: it asked to slow down.
        """
        answer = await self.way.get(self.address + path, query=query, headers=self.headers)
        return read(self.system, answer, shape)
