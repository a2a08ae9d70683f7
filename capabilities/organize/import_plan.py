"""What an organise plan holds: every file operation, frozen."""

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


class LeftFile(BaseModel, extra="forbid"):
    """One file that stays where it is, and why."""

    path: str
    why: str


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

    def payload(self) -> dict[str, Any]:
        """As stored and hashed."""
        body = self.model_dump(mode="json")
        body["import"] = body.pop("import_")
        return body

    @property
    def mode(self) -> Mode:
        """How the files are placed."""
        return Mode(str(self.import_["mode"]))


def organize_plan(plan: Plan) -> OrganizePlan:
    """The payload of a stored organise plan."""
    body = dict(plan.payload)
    body["import_"] = body.pop("import")
    return OrganizePlan.model_validate(body)


def placement(file: PlannedFile, mode: Mode) -> Placement:
    """A planned file as the shelf takes it."""
    return Placement(file.source.frozen(), file.target, mode, origin=file.source.path)


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
        bytes=sum(file.source.size for file in wanted.files),
        replaces=bool(wanted.replaces) or not wanted.add_only,
    )
