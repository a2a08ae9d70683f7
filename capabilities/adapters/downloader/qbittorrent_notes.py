"""What we have to remember of a torrent, kept as its tags in qBittorrent itself.

There it survives a death of either side, and every process of this house sees the same.
"""

from dataclasses import dataclass

from capabilities.adapters.downloader.index_spans import indexes_of, spans

PREFIX = "matinee-"
PAUSED = f"{PREFIX}paused"
ADDING = f"{PREFIX}adding"
_WANTS = f"{PREFIX}wants"


@dataclass(frozen=True, slots=True)
class Notes:
    """The tags of one torrent.

    Attributes:
        tags: all of them, the owner's too.
    """

    tags: frozenset[str]

    @classmethod
    def of(cls, tags: str) -> "Notes":
        """From the list as qBittorrent writes it."""
        return cls(frozenset(tag.strip() for tag in tags.split(",") if tag.strip()))

    @property
    def paused_by_us(self) -> bool:
        """Whether a pause is ours."""
        return PAUSED in self.tags

    @property
    def adding(self) -> bool:
        """Whether it was added and not let go yet: its names or its choice of files are open."""
        return ADDING in self.tags

    @property
    def of_adding(self) -> frozenset[str]:
        """The tags that go when it is let go."""
        return frozenset(tag for tag in self.tags if tag == ADDING or tag.startswith(f"{_WANTS} "))

    @property
    def wanted(self) -> tuple[int, ...] | None:
        """The indexes that are to be fetched, in order; None for all."""
        for tag in self.tags:
            if tag.startswith(f"{_WANTS} "):
                return tuple(sorted(indexes_of(tag.removeprefix(f"{_WANTS} "))))
        return None


def adding_tags(wanted: tuple[int, ...] | None) -> tuple[str, ...]:
    """The tags of a torrent whose choice of files is still to be made."""
    return (ADDING,) if wanted is None else (ADDING, f"{_WANTS} {spans(wanted)}")
