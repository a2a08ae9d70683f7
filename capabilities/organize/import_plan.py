"""What an organise plan holds: every file operation, frozen."""

from hashlib import sha256
from typing import Any

from pydantic import BaseModel

from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.freezing import Frozen
from capabilities.adapters.shelf.placements import Mode, Placement
from capabilities.kernel.targets import Reach
from capabilities.rules.works import WorkKind
from ledger.stores.plans import Plan

PLAN_TYPE = "organize"


class FrozenSource(BaseModel, extra="forbid"):
    """A source as it was when the plan was made; sizes in bytes."""

    path: str
    device: int
    inode: int
    size: int
    mtime_ns: int

    def frozen(self) -> Frozen:
        """As the shelf takes it; the number of links is no part of what was planned."""
        return Frozen(self.device, self.inode, self.size, self.mtime_ns, links=1)


class PlannedFile(BaseModel, extra="forbid"):
    """One file that will be placed; the target is relative to the library root.

    Season 0 without episodes is a film; several episodes stand in one file.
    """

    source: FrozenSource
    target: str
    role: str
    season: int = 0
    episodes: list[int] = []


class WrittenFile(BaseModel, extra="forbid"):
    """A file of ours that is written beside what is placed, with all that it says, in UTF-8.

    The target is relative to the library root. It is never written over another file.
    """

    target: str
    role: str = "nfo"
    text: str

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode()

    @property
    def digest(self) -> str:
        """SHA-256 of them, in hexadecimal."""
        return sha256(self.content).hexdigest()


class OldFile(BaseModel, extra="forbid"):
    """A file of a library that goes into its recycle folder once another one stands for it.

    ``folder`` is the library's root, and ``was`` the file with its path below that. ``file`` is the
    place in the plan of what stands for it then. ``asset`` is its row, where it has one.
    """

    folder: str
    was: FrozenSource
    file: int
    asset: str | None = None


class LeftFile(BaseModel, extra="forbid"):
    """One file that stays where it is, and why; ``unidentified`` if nobody knows where it goes."""

    path: str
    why: str
    unidentified: bool = False


class OrganizePlan(BaseModel, extra="forbid"):
    """The payload of an organise plan; its hash is the plan's fingerprint."""

    download: str
    info_hash: str
    work: str
    kind: WorkKind
    quality: str
    folder: str
    files: list[PlannedFile]
    left: list[LeftFile]
    replaces: list[str]
    add_only: bool
    import_: dict[str, Any]
    old: list[OldFile] = []
    moved_because: str | None = None
    written: list[WrittenFile] = []

    def payload(self) -> dict[str, Any]:
        """As stored and hashed."""
        body = self.model_dump(mode="json")
        body["import"] = body.pop("import_")
        for name in ("old", "moved_because", "written"):
            if not body[name]:
                del body[name]  # as plans were before there was any
        return body

    @property
    def mode(self) -> Mode:
        """How the files are placed."""
        return Mode(str(self.import_["mode"]))

    @property
    def ways(self) -> tuple[Mode, ...]:
        """How a file may be placed, the next where file systems refuse the one before.

        A move is a link after which the source's name goes, or a copy where none is possible; a
        link or clone becomes a copy only where that was approved.
        """
        if self.mode is Mode.MOVE:
            return Mode.HARDLINK, Mode.COPY
        copies = self.import_.get("copy_across_devices") is True
        if copies and self.mode in {Mode.HARDLINK, Mode.REFLINK}:
            return self.mode, Mode.COPY
        return (self.mode,)

    def placement(self, number: int) -> Placement:
        """One of its files as the shelf takes it."""
        file = self.files[number]
        source = file.source
        or_copied = self.mode is not Mode.MOVE and Mode.COPY in self.ways[1:]
        return Placement(
            source.frozen(), file.target, self.mode, origin=source.path, or_copied=or_copied
        )

    def old_by_file(self) -> dict[int, list[OldFile]]:
        """What goes, by the place in the plan of what stands for it then."""
        found: dict[int, list[OldFile]] = {}
        for one in self.old:
            found.setdefault(one.file, []).append(one)
        return found

    def under_one_name(self) -> dict[int, OldFile]:
        """The old files whose very names new ones are to have, by the new one's place."""
        return {
            one.file: one
            for one in self.old
            if one.folder == self.folder and one.was.path == self.files[one.file].target
        }


def organize_plan(plan: Plan) -> OrganizePlan:
    """The payload of a stored organise plan."""
    body = dict(plan.payload)
    body["import_"] = body.pop("import")
    return OrganizePlan.model_validate(body)


def attempt_token(plan: str) -> str:
    """What the temporary names of all attempts at a plan share, so that each one is found again."""
    return plan[-12:]


def natural_key(info_hash: str) -> str:
    """One organise run per torrent at a time, whatever plan it follows."""
    return f"organize:{info_hash}"


def reach_of(wanted: OrganizePlan) -> Reach:
    """What a grant must cover for this to be placed; moving is more than adding."""
    return Reach(
        works=(wanted.work,),
        kind=wanted.kind.value,
        folder=Folders.name(wanted.kind),
        bytes=sum(file.source.size for file in wanted.files)
        + sum(len(file.content) for file in wanted.written),
        replaces=bool(wanted.replaces) or not wanted.add_only,
    )
