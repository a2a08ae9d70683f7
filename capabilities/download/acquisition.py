"""What an acquisition plan holds: everything an approval of it covers, and nothing else."""

from typing import Any

from pydantic import BaseModel

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.targets import Reach
from capabilities.rules.works import WorkKind
from ledger.stores.plans import Plan

PLAN_TYPE = "acquisition"


class WantedFile(BaseModel, extra="forbid"):
    """One file of the torrent that will be fetched."""

    index: int
    path: str
    size: int


class WantedSlot(BaseModel, extra="forbid"):
    """A slot this is meant for, at the revision it had; 0 and 0 for a film."""

    season: int
    episode: int
    revision: int


class ReplacedFile(BaseModel, extra="forbid"):
    """A file of the library that the new one is to take the place of.

    ``path`` is relative to its library; ``size`` in bytes.
    """

    asset: str
    path: str
    quality: str
    size: int


class Acquisition(BaseModel, extra="forbid"):
    """The payload of an acquisition plan. Sizes in bytes.

    ``size`` is that of ``files``, which are fetched; a pack has others that are left out.
    ``blocks_overruled`` are ids of entries of the blocklist in spite of which its owner planned it.
    ``replaces`` are the files that are to go for it; its import says ``replace`` then.
    """

    release: str
    title: str
    indexer: str
    work: str
    work_key: str
    work_title: str
    year: int | None
    kind: WorkKind
    info_hash: str
    hash_v1: str | None
    hash_v2: str | None
    size: int
    files: list[WantedFile]
    client: str
    quality: str
    grade: str
    slots: list[WantedSlot]
    policy_version: int
    import_: dict[str, Any]
    files_left_out: int = 0
    size_left_out: int = 0
    blocks_overruled: list[str] = []
    replaces: list[ReplacedFile] = []

    def payload(self) -> dict[str, Any]:
        """As stored and hashed."""
        body = self.model_dump(mode="json")
        body["import"] = body.pop("import_")
        if not self.replaces:
            del body["replaces"]  # as plans were before anything could be replaced
        return body

    @property
    def may_replace(self) -> bool:
        """Whether its import takes the place of files in the library."""
        return self.import_.get("replace") is True


def acquisition(plan: Plan) -> Acquisition:
    """The payload of a stored acquisition plan."""
    body = dict(plan.payload)
    body["import_"] = body.pop("import")
    return Acquisition.model_validate(body)


def natural_key(info_hash: str) -> str:
    """The identity of "this torrent is in one of our clients" across all requests."""
    return f"btih:{info_hash}"


def reach_of(wanted: Acquisition) -> Reach:
    """What a grant must cover for this to be submitted; replacing is more than adding."""
    return Reach(
        works=(wanted.work,),
        kind=wanted.kind.value,
        downloader=wanted.client,
        folder=Folders.name(wanted.kind),
        bytes=wanted.size,
        replaces=wanted.may_replace,
    )
