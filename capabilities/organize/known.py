"""What is known around a finished download when its import is planned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.season_reading import with_seasons_near
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError
from capabilities.rules.assigned_identity import Assigned, assigned_from
from capabilities.rules.episode_counting import Counting, counting_of
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.file_days import days_said
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from capabilities.rules.owned_names import owned_name
from capabilities.rules.pack_identity import counts_through
from capabilities.rules.stored import work_from
from capabilities.rules.usable_policy import usable, usable_identity
from capabilities.rules.works import Work, WorkKind
from ledger.database import Snapshot
from ledger.stores import downloads, plans, policies, releases, works
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan


@dataclass(frozen=True, slots=True)
class Known:
    """A download with the plan it was approved by, its work and the policies that hold for it.

    Where somebody said what the download is, the words of `identity` begin with theirs.
    """

    row: DownloadRow
    parent: Plan
    work: Work
    policy: OrganizePolicy
    identity: IdentityPolicy

    @property
    def name(self) -> ReleaseName:
        """The release's name as its owner has names read."""
        return owned_name(self.row.name, self.identity.words).name

    async def dated(self, files: Sequence[DownloadedFile], context: Context) -> "Known":
        """The same with the episodes around the days that files say, to find those of the days.

        Raises:
            WorldFaultError: the source of the work did not answer.
        """
        if self.work.key.kind is not WorkKind.SERIES:
            return self
        work, years = self.work, set[int]()
        for day in days_said(files, self.name, self.identity.words):
            if day.year not in years:
                years.add(day.year)
                catalogue = context.part(Catalogue, "metadata source")
                work = await with_seasons_near(work, day, catalogue)
        return replace(self, work=work)

    async def counting(self, files: Sequence[DownloadedFile], context: Context) -> Counting:
        """How the work's episodes are counted; its source is asked where files count through.

        Raises:
            WorldFaultError: the source did not answer.
        """
        key, policy = self.work.key, self.identity
        orders: list[EpisodeOrder] = []
        if key.kind is WorkKind.SERIES and counts_through(files, self.name, policy.words):
            orders = await context.part(Catalogue, "metadata source").orders(key)
        return counting_of(key, policy.offsets, policy.counted_through, orders)


async def known_around(
    download: str, context: Context, *, work: str | None = None, assigned: Assigned | None = None
) -> Known:
    """What is known around the download that a reference or an id names.

    Args:
        download: the reference or id.
        context: of the call.
        work: the id of what it is to be instead of what it was taken for.
        assigned: somebody's word about its files; None for the one that was given before.

    Raises:
        HaltError: failed; there is no such download. Refused; a policy in force cannot be used.
    """
    id_ = await context.resolve("dl", download)
    known = await context.ledger.read(lambda conn: _around(conn, id_, work, assigned))
    if known is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no download {download[:60]!r}."))
    return known


def _around(conn: Snapshot, id_: str, other: str | None, assigned: Assigned | None) -> Known | None:
    row = downloads.by_id(conn, id_)
    if row is not None and other is not None:
        row = replace(row, work=other)
    parent = None if row is None else plans.by_id(conn, row.plan)
    work = None if row is None else works.by_id(conn, row.work)
    policy = policies.published(conn, "organize")
    if row is None or parent is None or work is None or policy is None:
        return None
    published = usable(OrganizePolicy, policy.body)
    identity = usable_identity(policies.published(conn, "identity"))
    found = work_from(work.body)
    told = assigned or _assigned_before(conn, row)
    if told is not None:
        identity = replace(identity, words=(*told.words(found.key), *identity.words))
    return Known(row, parent, found, _as_approved(published, parent), identity)


def _assigned_before(conn: Snapshot, row: DownloadRow) -> Assigned | None:
    release = releases.by_id(conn, row.release)
    identity = None if release is None else release.identity
    return assigned_from(identity) if identity and identity.get("work") == row.work else None


def _as_approved(policy: OrganizePolicy, parent: Plan) -> OrganizePolicy:
    """What was approved with the acquisition stands, also when the policy changed since."""
    approved = parent.payload["import"]
    return replace(
        policy,
        mode=OrganizeMode(approved["mode"]),
        preset=NamingPreset(approved["preset"]),
        copy_across_devices=approved.get("copy_across_devices") is True,
    )
