"""Freezing a draft: the payload an approval covers, and the card its owner reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.indexer.broken_claims import broken_claims
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.acquisition import (
    PLAN_TYPE,
    Acquisition,
    ReplacedFile,
    WantedSlot,
)
from capabilities.download.contents import Contents
from capabilities.download.room import GB
from capabilities.kernel.context import Context
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.kept_judgement import spoken_reasons
from capabilities.rules.labels import quality_words
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.owned_names import owned_name
from capabilities.rules.stored import found_from
from capabilities.rules.usable_policy import usable
from capabilities.rules.verdicts import Judgement
from capabilities.rules.wording import counted
from capabilities.rules.works import Work
from ledger.clock import new_id
from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState
from ledger.stores.policies import PolicyRow
from ledger.stores.releases import ReleaseRow

REASONS_SHOWN = 4
"""On the card, of what the policy says and of doubts each; the others are counted."""


@dataclass(frozen=True, slots=True)
class Known:
    """An identified release, its work, and the policies in force."""

    row: ReleaseRow
    work_id: str
    work: Work
    acquisition: PolicyRow
    organize: PolicyRow
    identity: IdentityPolicy

    @property
    def name(self) -> ReleaseName:
        """The release's name as its owner has names read."""
        return owned_name(self.row.title, self.identity.words).name


@dataclass(frozen=True, slots=True)
class Renewal:
    """Whether the import takes the place of what stands.

    Attributes:
        replace: it does.
        anyway: also where that is no upgrade, as its owner asked.
        files: the files that are to go, as far as they are known.
    """

    replace: bool = False
    anyway: bool = False
    files: tuple[ReplacedFile, ...] = ()

    @property
    def terms(self) -> dict[str, bool]:
        """As the import has them; nothing where nothing is replaced, as it always was."""
        said = {"replace": self.replace, "replace_anyway": self.replace and self.anyway}
        return {name: True for name, holds in said.items() if holds}


NOTHING_RENEWED: Final = Renewal()


def wanted(
    known: Known,
    inside: Contents,
    slots: list[WantedSlot],
    overruled: Sequence[str],
    context: Context,
    *,
    renewal: Renewal = NOTHING_RENEWED,
) -> Acquisition:
    """Everything that is fetched, for what, and how it comes onto the shelf.

    Args:
        known: the release.
        inside: what its torrent holds.
        slots: that it is to fill.
        overruled: the ids of the blocks in spite of which it is planned.
        context: of the call.
        renewal: what it takes the place of.
    """
    clients = context.part(Downloaders, "download client")
    return Acquisition(
        release=known.row.id,
        title=known.row.title,
        indexer=known.row.indexer,
        work=known.work_id,
        work_key=str(known.work.key),
        work_title=known.work.title,
        year=known.work.year,
        kind=known.work.key.kind,
        info_hash=inside.hashes.key,
        hash_v1=inside.hashes.v1,
        hash_v2=inside.hashes.v2,
        size=inside.size,
        files=list(inside.files),
        client=clients.default_name,
        quality=quality_words(known.name) or "unknown quality",
        grade=str((known.row.identity or {}).get("grade", "unrecognised")),
        slots=slots,
        policy_version=known.acquisition.version,
        import_={**_import(known, context), **renewal.terms},
        files_left_out=len(inside.left_out),
        size_left_out=inside.size_left_out,
        blocks_overruled=list(overruled),
        replaces=list(renewal.files),
    )


def _import(known: Known, context: Context) -> dict[str, Any]:
    policy = usable(OrganizePolicy, known.organize.body)
    folders = context.part(Folders, "library")
    return {
        "mode": policy.mode.value,
        "preset": policy.preset.value,
        "root": str(folders.library(known.work.key.kind)),
        "policy_version": known.organize.version,
        **({"copy_across_devices": True} if policy.copy_across_devices else {}),
    }


def draft(
    acquired: Acquisition,
    known: Known,
    judgement: Judgement,
    *,
    free_after: int,
    remarks: Sequence[str],
    context: Context,
) -> Plan:
    """The plan to be kept.

    Args:
        acquired: its payload.
        known: the release.
        judgement: what the policy says of its torrent.
        free_after: bytes.
        remarks: what it is not for.
        context: who asks.
    """
    payload = acquired.payload()
    return Plan(
        id=new_id("plan"),
        type=PLAN_TYPE,
        state=PlanState.DRAFT,
        revision=1,
        payload_hash=plans.payload_hash(payload),
        payload=payload,
        card=_card(
            acquired, known, judgement, free_after=free_after, remarks=remarks, context=context
        ),
        parent=None,
        run=context.run,
        created_by=str(context.actor),
        created_at=context.ledger.now(),
    )


def _doubts(acquired: Acquisition, known: Known) -> list[str]:
    """Where the indexer contradicts itself, or the torrent contradicts it."""
    found, hashes = found_from(known.row.found), InfoHashes(acquired.hash_v1, acquired.hash_v2)
    whole = acquired.size + acquired.size_left_out
    return [*broken_claims(found, hashes, whole), *found.doubts]


def _shown(kind: str, sentences: list[str]) -> dict[str, Any]:
    """The first of them, and how many there are besides, where there are."""
    shown = {kind: [cleaned(one) for one in sentences[:REASONS_SHOWN]]}
    left_out = len(sentences) - REASONS_SHOWN
    return {**shown, f"{kind}_left_out": left_out} if left_out > 0 else shown


def _in_place_of(acquired: Acquisition) -> str:
    """What goes for it: an approval of the download is none of taking files away."""
    if not acquired.may_replace:
        return "nothing is replaced"
    files = counted(len(acquired.replaces), "file") if acquired.replaces else "what stands there"
    said = (
        f"it replaces {files}, into the recycle folder, once it stands: that is asked again then, "
        "unless a grant lets files be replaced"
    )
    if acquired.import_.get("replace_anyway") is True:
        said = f"{said}; what is no upgrade is left to you to place by hand"
    return said


def _card(
    acquired: Acquisition,
    known: Known,
    judgement: Judgement,
    *,
    free_after: int,
    remarks: Sequence[str],
    context: Context,
) -> dict[str, Any]:
    """What the owner reads before deciding: fields only, no words of a model."""
    work = titled(acquired.work_title, acquired.year)
    library = Folders.name(acquired.kind)
    return {
        "title": f"Download {work}, {acquired.quality}, to {library}",
        "changes": [
            f"{acquired.size / GB:.2f} GB on the download disk, leaving {free_after / GB:.1f} GB",
            f"then placed in {library} by {acquired.import_['mode']}; {_in_place_of(acquired)}",
            *remarks,
        ],
        "from": {
            "indexer": acquired.indexer,
            "release": cleaned(acquired.title),
            "identity": f"grade {acquired.grade}",
            **_shown("verdict", [one.sentence for one in spoken_reasons(judgement)]),
            **_shown("doubts", _doubts(acquired, known)),
        },
        "asked_by": str(context.actor),
        "files": len(acquired.files),
    }
