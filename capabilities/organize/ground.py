"""Where one attempt at an organise plan works, and what it finds to be standing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from capabilities.adapters.media.facts import MediaFacts
from capabilities.adapters.shelf.leftovers import token_for
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.roots import Root
from capabilities.organize.import_plan import OldFile, OrganizePlan, PlannedFile
from capabilities.organize.logbook import Logbook

VIDEO: Final = "video"


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything that the steps of one attempt share.

    Attributes:
        sources: the download folder.
        library: the library's root.
        others: the roots of other libraries from which files are taken away, by folder.
        token: what the temporary names of all attempts at the plan share.
        attempt: what those of this attempt have and no other's.
        ways: how a file may be placed, as the plan has it.
        old: what goes, by the file that stands for it.
        same: the old files whose very names files are to have, by those.
    """

    plan: OrganizePlan
    sources: Root
    library: Root
    others: Mapping[str, Root]
    log: Logbook
    token: str
    attempt: str
    ways: tuple[Mode, ...]
    old: Mapping[int, Sequence[OldFile]]
    same: Mapping[int, OldFile]

    def token_of(self, number: int) -> str:
        """Of this attempt at one file."""
        return token_for(self.token, self.attempt, number)

    def root_of(self, folder: str) -> Root:
        """The library with this root."""
        return self.library if folder == self.plan.folder else self.others[folder]


@dataclass(frozen=True, slots=True)
class OnShelf:
    """A file of the plan that stands in the library, with what verified it.

    Attributes:
        device, inode, links: what the file system says of its name.
        size: bytes of the video or sidecar; of what it leads to, for a symbolic link.
        digest: SHA-256 in hexadecimal of what was copied or cloned; None where bytes were not.
        way: how it came there: a plan to link may have been allowed to copy.
        why: why that is another way than the plan's, for a person.
        own_size: bytes of what has the name: of a symbolic link, the length of its path.
        mtime_ns: when its content changed, as it was when it was read; None for a symbolic link.
    """

    file: PlannedFile
    device: int
    inode: int
    size: int
    digest: str | None
    streams: MediaFacts | None
    links: int = 1
    way: Mode = Mode.HARDLINK
    why: str | None = None
    own_size: int | None = None
    mtime_ns: int | None = None

    def told(self, folder: str) -> dict[str, Any]:
        """As its record keeps it."""
        told = {
            "source": self.file.source.path,
            "target": self.file.target,
            "folder": folder,
            "role": self.file.role,
            "size": self.size if self.own_size is None else self.own_size,
            "device": self.device,
            "inode": self.inode,
            "digest": self.digest,
            "links": self.links,
            "way": self.way.value,
        }
        return told if self.why is None else {**told, "why": self.why}
