"""What can be done with the torrents of one Transmission, each thing seen through to its end."""

import base64
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

import anyio
import structlog
from pydantic import Field, ValidationError

from capabilities.adapters.downloader.transmission_labels import Labels
from capabilities.adapters.downloader.transmission_row import (
    FullRow,
    Row,
    field_names,
)
from capabilities.adapters.downloader.transmission_rpc import Nothing, Shape, TransmissionRpc
from capabilities.kernel.faults import DeclinedError, LostAnswerError, UnreachableError
from capabilities.rules.outside_text import cleaned

log = structlog.get_logger()

_LABELS_SINCE: Final = 16
_HYBRIDS_SINCE: Final = 17
_AT_ONCE: Final = 25
_LOOK_AGAIN_S: Final = 0.05

RowT = TypeVar("RowT", bound=Row)


class _Torrents(Shape):
    torrents: list[object]
    removed: list[int] = Field(default_factory=list[int])


class _Added(Shape):
    hash_string: str = Field(alias="hashString")


class _Adding(Shape):
    added: _Added | None = Field(default=None, alias="torrent-added")
    there: _Added | None = Field(default=None, alias="torrent-duplicate")


class About(Shape):
    """Which Transmission it is, and where it saves by default."""

    version: str
    rpc_version: int = Field(alias="rpc-version")
    download_dir: str = Field(alias="download-dir")

    @property
    def is_new_enough(self) -> bool:
        """Whether it keeps labels, of which nothing here can do without."""
        return self.rpc_version >= _LABELS_SINCE

    @property
    def takes_hybrids(self) -> bool:
        """Whether it takes torrents of both versions, as ones of version 1."""
        return self.rpc_version >= _HYBRIDS_SINCE

    @property
    def too_old(self) -> str:
        """The sentence for one that is not new enough."""
        return f"It is Transmission {cleaned(self.version, 40)}, and 3.00 or later is needed."


class _Space(Shape):
    size_bytes: int = Field(alias="size-bytes")


class TransmissionDaemon:
    """The torrents of one Transmission, named by their v1 info-hash in lower-case hexadecimal.

    Every call raises the faults of `TransmissionRpc.ask`; those that change something, also
    LostAnswerError.

    Args:
        rpc: how it is called.
        seen_through_s: seconds that it may take to do what it said it does.
    """

    def __init__(self, rpc: TransmissionRpc, seen_through_s: float) -> None:
        self.system = rpc.system
        self._seen_through_s = seen_through_s
        self._rpc = rpc
        self._told_unreadable = False

    @property
    def session(self) -> str:
        """Another value may mean that it was started anew, and gave its torrents other numbers."""
        return self._rpc.session

    async def about(self) -> About:
        """Which one it is."""
        return await self._rpc.ask("session-get", {}, About)

    async def free_bytes(self, folder: str) -> int | None:
        """Free space in a folder of its machine, where it says."""
        try:
            free = (await self._rpc.ask("free-space", {"path": folder}, _Space)).size_bytes
        except DeclinedError:
            return None
        return free if free >= 0 else None

    async def row(self, key: str) -> FullRow | None:
        """One torrent, or None if it has none of that hash."""
        return await self._one(key, FullRow)

    async def glance(self, key: str) -> Row | None:
        """The same without its files."""
        return await self._one(key, Row)

    async def full_rows(self, keys: Sequence[str]) -> dict[str, FullRow]:
        """These torrents, as far as it has them and says something of them that can be read."""
        found: dict[str, FullRow] = {}
        # All at once could be more than one answer may hold.
        for start in range(0, len(keys), _AT_ONCE):
            asked = {"ids": keys[start : start + _AT_ONCE], "fields": field_names(FullRow)}
            answer = await self._rpc.ask("torrent-get", asked, _Torrents)
            found |= {row.hash_string: row for row in self._readable(answer.torrents, FullRow)}
        return found

    async def rows(self) -> list[Row]:
        """All torrents without their files, in the order in which they were added."""
        answer = await self._rpc.ask("torrent-get", {"fields": field_names(Row)}, _Torrents)
        return sorted(self._readable(answer.torrents, Row), key=lambda row: row.order)

    async def recent_rows(self) -> tuple[list[Row], list[int]]:
        """Those in which something happened within the last minute, and numbers of removed ones."""
        asked = {"ids": "recently-active", "fields": field_names(Row)}
        answer = await self._rpc.ask("torrent-get", asked, _Torrents)
        return self._readable(answer.torrents, Row), answer.removed

    async def add(
        self, source: bytes | str, save_path: str, labels: Labels, unwanted: Iterable[int] = ()
    ) -> tuple[str, bool]:
        """Add a torrent file or a magnet, stopped, with these of its files left out.

        The labels are taken by version 4 only.

        Returns:
            The hash of what it has now, and whether it is new.

        Raises:
            DeclinedError: it does not take it.
            LostAnswerError: it may have been added.
        """
        what = (
            {"filename": source}
            if isinstance(source, str)
            else {"metainfo": base64.b64encode(source).decode("ascii")}
        )
        arguments: dict[str, object] = {
            **what,
            "download-dir": save_path,
            "paused": True,
            "labels": labels.written(),
        }
        if left_out := sorted(unwanted):
            arguments["files-unwanted"] = left_out
        answer = await self._rpc.act("torrent-add", arguments, _Adding)
        found = answer.added or answer.there
        if found is None:
            raise LostAnswerError(self.system, "It does not say what it added.")
        return found.hash_string.lower(), answer.added is not None

    async def label(self, key: str, labels: Labels) -> None:
        """Give it these labels in place of all that it has."""
        await self._set(key, labels=labels.written())

    async def choose(self, key: str, wanted: frozenset[int], count: int) -> None:
        """Fetch these of its files and no other; there are ``count``."""
        others = sorted(frozenset(range(count)) - wanted)
        # An empty list would mean every file.
        choice = {"files-wanted": sorted(wanted), "files-unwanted": others}
        await self._set(key, **{name: indexes for name, indexes in choice.items() if indexes})

    async def start(self, key: str) -> Row | None:
        """Let it run, or be checked first; instead, it may say that it is broken."""
        row = await self._told("torrent-start", key)
        with self._patience("start"):
            while row is not None and row.stopped and not row.broken:
                await anyio.sleep(_LOOK_AGAIN_S)
                # It forgets a start that comes before it is done with stopping.
                row = await self._told("torrent-start", key)
        return row

    async def stop(self, key: str) -> Row | None:
        """Stop it. What it was told is on its machine's disk then, if it ran before."""
        row = await self._told("torrent-stop", key)
        with self._patience("stop"):
            while row is not None and not row.stopped:
                await anyio.sleep(_LOOK_AGAIN_S)
                # Somebody else may have let it run again.
                row = await self._told("torrent-stop", key)
        return row

    async def verify(self, key: str) -> None:
        """Hash anew what it has on the disk, then let it go on if it ran."""
        await self._rpc.act("torrent-verify", {"ids": [key]}, Nothing)

    async def remove(self, key: str, *, delete_data: bool) -> None:
        """Forget it, and delete its files if told to; none of that hash is no error."""
        arguments = {"ids": [key], "delete-local-data": delete_data}
        await self._rpc.act("torrent-remove", arguments, Nothing)
        row = await self.glance(key)
        with self._patience("go"):
            while row is not None:
                await anyio.sleep(_LOOK_AGAIN_S)
                row = await self.glance(key)

    async def _one(self, key: str, shape: type[RowT]) -> RowT | None:
        asked = {"ids": [key], "fields": field_names(shape)}
        found = (await self._rpc.ask("torrent-get", asked, _Torrents)).torrents
        rows = self._readable(found, shape)
        if found and not rows:
            raise UnreachableError(self.system, "What it says of this torrent cannot be read.")
        return rows[0] if rows else None

    async def _set(self, key: str, **arguments: object) -> None:
        await self._rpc.act("torrent-set", {"ids": [key], **arguments}, Nothing)

    async def _told(self, method: str, key: str) -> Row | None:
        await self._rpc.act(method, {"ids": [key]}, Nothing)
        return await self.glance(key)

    @contextmanager
    def _patience(self, verb: str) -> Generator[None]:
        """A limit for how long it may take to do what it said it does."""
        try:
            with anyio.fail_after(self._seen_through_s):
                yield
        except TimeoutError:
            raise LostAnswerError(
                self.system,
                f"The torrent was told to {verb} and did not within {self._seen_through_s:g} s."
                " Look at it again later.",
            ) from None

    def _readable(self, found: list[object], shape: type[RowT]) -> list[RowT]:
        """The rows that can be read: one odd torrent does not hide the others."""
        rows: list[RowT] = []
        for each in found:
            try:
                rows.append(shape.model_validate(each))
            except ValidationError as error:
                if not self._told_unreadable:
                    fields = sorted({str(one["loc"][0]) for one in error.errors() if one["loc"]})
                    log.warning(
                        "a torrent is left out, for its row cannot be read",
                        system=self.system,
                        fields=fields,
                    )
                self._told_unreadable = True
        return rows
