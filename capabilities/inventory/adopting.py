"""A library as it would be adopted: seen anew, its titles told as far as they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.shelf.threads import off_loop
from capabilities.inventory import library_titles
from capabilities.inventory.library_titles import Told
from capabilities.inventory.surveying import Survey, survey
from capabilities.kernel.context import Context
from capabilities.rules.adoption import Adoption, Verdict, adoption
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.library_titles import Group, SeenFolder, grouped
from capabilities.rules.policy_json import identity_in_force
from capabilities.rules.stored import work_from
from capabilities.rules.works import Work
from ledger.database import Snapshot
from ledger.stores import assets, libraries, policies, works
from ledger.stores.libraries import TitleRow


@dataclass(slots=True)
class Standing:
    """A library now.

    Attributes:
        others: how many files there are of every kind that is no video.
        adoption: what would be taken; None while titles are still to be asked for.
    """

    seen: Survey
    told: Told
    works: Mapping[str, Work]
    others: dict[str, int] = field(default_factory=dict[str, int])
    adoption: Adoption | None = None

    @property
    def videos(self) -> int:
        """How many there are."""
        return sum(len(group.videos) for group in self.told.groups)


async def look(
    library: Path, context: Context, *, is_late: Callable[[], bool] = lambda: True
) -> Standing:
    """See a library, ask for titles until it is late, and tell what would be adopted.

    Raises:
        HaltError: refused; titles are to be asked for, and no metadata source is set up.
        WorldFaultError: the library cannot be read.
    """
    seen = await survey(library, context.ledger, context.report)
    policy, folders = await context.ledger.read(lambda conn: _kept(conn, str(library)))
    others = _others(folders)
    groups = await off_loop(grouped, folders, policy.words)
    told = await library_titles.known(groups, policy, context.ledger)
    if told.done < len(groups) and not is_late():
        catalogue = context.part(Catalogue, "metadata source")
        await library_titles.ask(told, library, policy, catalogue, context.ledger, is_late=is_late)
    held, paths = await context.ledger.read(lambda conn: _known(conn, str(library), told))
    standing = Standing(seen, told, held, others)
    if told.done == len(groups):
        pairs = [
            (group, _verdict(row, held))
            for group, row in zip(groups, told.rows, strict=True)
            if row is not None
        ]
        standing.adoption = await off_loop(_adoption, pairs, policy, paths)
    return standing


def _kept(conn: Snapshot, library: str) -> tuple[IdentityPolicy, list[SeenFolder]]:
    row = policies.published(conn, "identity")
    seen = [
        SeenFolder(one.path, one.device, one.files, one.seen_at)
        for one in libraries.folders(conn, library)
    ]
    return identity_in_force(None if row is None else row.body), seen


def _others(folders: list[SeenFolder]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for folder in folders:
        for kind, many in folder.held["others"].items():
            counts[kind] = counts.get(kind, 0) + many
        if folder.held["nfos"]:
            counts["nfo"] = counts.get("nfo", 0) + len(folder.held["nfos"])
    return counts


def _known(conn: Snapshot, library: str, told: Told) -> tuple[dict[str, Work], frozenset[str]]:
    """The works of the titles, and the paths in the library that are in the inventory."""
    ids = {row.work for row in told.rows if row is not None and row.work is not None}
    held = {id_: work_from(row.body) for id_, row in works.many(conn, ids).items()}
    standing = assets.below(conn, library)
    return held, frozenset(path.removeprefix(f"{library}/") for path in standing)


def _verdict(row: TitleRow, held: Mapping[str, Work]) -> Verdict:
    said = row.verdict
    return Verdict(
        accepted=row.accepted,
        grade=str(said["grade"]),
        work_id=row.work,
        work=None if row.work is None else held.get(row.work),
        against=tuple(said["against"]),
        candidates=tuple(f"{one['title']} ({one['year']})" for one in said["candidates"]),
        numbers=said["numbers"],
    )


def _adoption(
    pairs: list[tuple[Group, Verdict]], policy: IdentityPolicy, standing: frozenset[str]
) -> Adoption:
    return adoption(pairs, policy, standing)
