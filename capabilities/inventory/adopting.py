"""A library as it would be adopted: seen anew, its titles told as far as they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.shelf.threads import off_loop
from capabilities.inventory import library_titles
from capabilities.inventory.library_titles import Told
from capabilities.inventory.looks import looked
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
    """A library now, or a folder in one.

    Attributes:
        library: the adopted library that the folder lies in, or the folder itself; what is told
            by relative paths is relative to it.
        seen_by: when what was seen was read; later looks may have seen more.
        files: how many there are of every kind.
        others: how many there are of every kind that is no video.
        faults: folders that could not be read, with the reason.
        adoption: what would be taken; None while titles are still to be asked for.
    """

    library: Path
    seen_by: datetime
    told: Told
    works: Mapping[str, Work]
    files: int
    others: dict[str, int] = field(default_factory=dict[str, int])
    faults: dict[str, str] = field(default_factory=dict[str, str])
    adoption: Adoption | None = None

    @property
    def videos(self) -> int:
        """How many there are."""
        return sum(len(group.videos) for group in self.told.groups)


async def look(
    folder: Path, context: Context, *, is_late: Callable[[], bool] = lambda: True
) -> Standing:
    """See a library, ask for titles until it is late, and tell what would be adopted.

    A folder in an adopted library is seen as a part of it. Nothing but what is known of folders and
    titles is written down.

    Raises:
        HaltError: pending while the look goes on; failed where the library cannot be believed;
            refused where titles are to be asked for, and no metadata source is set up.
        WorldFaultError: the library cannot be read.
    """
    ledger = context.ledger
    holding = await ledger.read(lambda conn: libraries.holding(conn, str(folder)))
    library = folder if holding is None else Path(holding.path)
    row = await looked(library, context)
    at = ledger.now()
    policy, folders = await ledger.read(lambda conn: _kept(conn, str(library)))
    part = "" if folder == library else str(folder.relative_to(library))
    groups = await off_loop(_groups, folders, policy, part)
    told = await library_titles.known(groups, library, policy, ledger)
    if told.done < len(groups) and not is_late():
        catalogue = context.part(Catalogue, "metadata source")
        await library_titles.ask(told, library, policy, catalogue, ledger, is_late=is_late)
    held, paths = await ledger.read(lambda conn: _known(conn, str(library), told))
    files, others = _counts([one for one in folders if _is_within(one.path, part)])
    faults = {where: why for where, why in row.seen["faults"].items() if _is_within(where, part)}
    standing = Standing(library, at, told, held, files, others, faults)
    if told.done == len(groups):
        pairs = [
            (group, _verdict(title, held))
            for group, title in zip(groups, told.rows, strict=True)
            if title is not None
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


def _groups(folders: list[SeenFolder], policy: IdentityPolicy, part: str) -> list[Group]:
    """The titles of a part, as the whole library tells them."""
    groups = grouped(folders, policy.words)
    if part:
        for group in groups:
            group.videos = [one for one in group.videos if _is_within(one.kept.path, part)]
    return [group for group in groups if group.videos]


def _is_within(path: str, part: str) -> bool:
    return not part or path == part or path.startswith(f"{part}/")


def _counts(folders: list[SeenFolder]) -> tuple[int, dict[str, int]]:
    videos, counts = 0, dict[str, int]()
    for folder in folders:
        videos += len(folder.held["videos"])
        for kind, many in folder.held["others"].items():
            counts[kind] = counts.get(kind, 0) + many
        if folder.held["nfos"]:
            counts["nfo"] = counts.get("nfo", 0) + len(folder.held["nfos"])
    return videos + sum(counts.values()), counts


def _known(conn: Snapshot, library: str, told: Told) -> tuple[dict[str, Work], frozenset[str]]:
    """The works of the titles, and the paths in the library that are in the inventory."""
    ids = {row.work for row in told.rows if row is not None and row.work is not None}
    held = {id_: work_from(row.body) for id_, row in works.many(conn, ids).items()}
    standing = assets.paths_below(conn, library)
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
