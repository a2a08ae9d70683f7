"""What qBittorrent answers, read at the border: other programs' data, of several versions.

https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-4.1)
"""

from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from capabilities.adapters.downloader.info_hashes import InfoHashes, named_by
from capabilities.kernel.faults import UnreachableError

Known = TypeVar("Known", bound=BaseModel)

_LARGEST = 2**63
_REMOVES, _DELETES = 1, 3


class UnreadableError(UnreachableError):
    """Its answer is not one of qBittorrent's."""

    def __init__(self, system: str) -> None:
        super().__init__(
            system,
            "Its answer is not one that qBittorrent gives, so it was thrown away. Check that its"
            " address in the settings leads to qBittorrent's web interface.",
        )


def _none_if_empty(value: object) -> object:
    return value or None


Count = Annotated[int, Field(ge=0, le=_LARGEST)]
Hash = Annotated[str | None, BeforeValidator(_none_if_empty)]


class Told(BaseModel):
    """A part of an answer; what it says beside is of no use here."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Row(Told):
    """One torrent, in bytes, seconds and bytes per second; sizes are -1 before the metadata."""

    name: str
    state: str
    size: Annotated[int, Field(ge=-1, le=_LARGEST)]
    total_size: Annotated[int, Field(ge=-1, le=_LARGEST)]
    completed: Count = 0
    # A last block that is short counts as a whole one for a moment, so less than nothing is left.
    amount_left: Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)] = 0
    downloaded: Count = 0
    uploaded: Count = 0
    dlspeed: Count = 0
    upspeed: Count = 0
    num_seeds: Count = 0
    num_leechs: Count = 0
    seeding_time: Count = 0
    max_ratio: float = -1
    max_seeding_time: int = -1
    added_on: int = 0
    priority: int = 0
    category: str = ""
    tags: str = ""
    save_path: str = ""
    infohash_v1: Hash = None
    infohash_v2: Hash = None

    @property
    def has_metadata(self) -> bool:
        """Whether it is known what files it has."""
        return self.total_size >= 0

    @property
    def at_limit(self) -> bool:
        """Whether it reached the ratio or the minutes of seeding that hold for it.

        The numbers are the torrent's own or the general ones; below nothing, there is no limit.
        """
        by_ratio = 0 <= self.max_ratio <= self.ratio
        return by_ratio or 0 <= self.max_seeding_time * 60 <= self.seeding_time

    @property
    def ratio(self) -> float:
        """Bytes given over bytes taken, or had where nothing was taken."""
        taken = max(self.downloaded, self.completed)
        return self.uploaded / taken if taken else 0.0


class FileRow(Told):
    """One file; pad files are neither told of nor counted."""

    name: Annotated[str, Field(min_length=1)]
    size: Count
    progress: Annotated[float, Field(ge=0, le=1)]
    priority: int


class ServerState(Told):
    """The program as a whole; free bytes are -1 where it does not know."""

    free_space_on_disk: int | None = None
    connection_status: str | None = None


def _of_use(row: object) -> dict[str, Any]:
    """What a row tells that is of use here, unread; of one that is no row at all, nothing."""
    told = cast("dict[str, Any]", row) if isinstance(row, dict) else dict[str, Any]()
    return {name: told[name] for name in _USED if name in told}


_USED = tuple(Row.model_fields)


class Preferences(Told):
    """What its owner set, as far as it bears on torrents of ours."""

    max_ratio_enabled: bool = False
    max_seeding_time_enabled: bool = False
    max_inactive_seeding_time_enabled: bool = False
    max_ratio_act: int = 0

    @property
    def removes_by_itself(self) -> bool:
        """Whether it forgets torrents that reached a limit, with their files or without."""
        limited = self.max_ratio_enabled or self.max_seeding_time_enabled
        removing = self.max_ratio_act in {_REMOVES, _DELETES}
        return removing and (limited or self.max_inactive_seeding_time_enabled)


class News(Told):
    """What changed since the answer before (``sync/maindata``); torrents by their id."""

    rid: int
    full_update: bool = False
    torrents: dict[str, Annotated[dict[str, Any], BeforeValidator(_of_use)]] = {}
    torrents_removed: list[str] = []
    categories: dict[str, object] = {}
    categories_removed: list[str] = []
    server_state: dict[str, Any] = {}


_FILES: TypeAdapter[list[FileRow]] = TypeAdapter(list[FileRow])


def read_news(system: str, body: bytes) -> News:
    """The answer to ``sync/maindata``.

    Raises:
        UnreadableError: it is none.
    """
    try:
        return News.model_validate_json(body)
    except ValidationError as error:
        raise UnreadableError(system) from error


def read_preferences(system: str, body: bytes) -> Preferences:
    """The answer to ``app/preferences``.

    Raises:
        UnreadableError: it is none.
    """
    try:
        return Preferences.model_validate_json(body)
    except ValidationError as error:
        raise UnreadableError(system) from error


def read_files(system: str, body: bytes) -> list[FileRow]:
    """The answer to ``torrents/files``.

    Raises:
        UnreadableError: it is none.
    """
    try:
        return _FILES.validate_json(body)
    except ValidationError as error:
        raise UnreadableError(system) from error


def read_as(kind: type[Known], system: str, held: dict[str, Any]) -> Known:
    """A part of an answer that was read before.

    Raises:
        UnreadableError: it is of another shape.
    """
    try:
        return kind.model_validate(held)
    except ValidationError as error:
        raise UnreadableError(system) from error


def hashes_of(id_: str, row: Row) -> InfoHashes | None:
    """What a torrent is called; its id is the v1 hash, or else the v2 hash cut short."""
    try:
        return InfoHashes(v1=row.infohash_v1, v2=row.infohash_v2)
    except ValueError:
        return named_by(id_)
