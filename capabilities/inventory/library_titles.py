"""What the titles of a library are taken for: each asked once, and kept."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import anyio

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import read
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.episode_counting import PLAIN, Counting, Unsettled
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_numbers import numbers_in
from capabilities.rules.identity import accepts, forced_identity
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.library_titles import Group, LibraryVideo
from capabilities.rules.nfo_ids import MOST_BYTES, nfo_ids
from capabilities.rules.outside_text import cleaned
from capabilities.rules.owned_names import owned_counting
from capabilities.rules.policy_json import to_json
from capabilities.rules.stored import work_json
from capabilities.rules.works import Work, WorkKind
from ledger.ledger import Ledger
from ledger.stores import libraries, works
from ledger.stores.libraries import TitleRow
from ledger.writer import Transaction

ASKED_AT_ONCE: Final = 4
ASK_AGAIN: Final = timedelta(days=1)
"""After which a title that was not told is asked for anew."""
CANDIDATES_KEPT: Final = 4
MOST_NFOS: Final = 2

NO_TITLE: Final = "its path says no title"


@dataclass(slots=True)
class Told:
    """The titles of a library, as far as they are told.

    Attributes:
        rows: what each was taken for, in the order of the groups; None while it is to be asked.
        silent: why a source did not answer, if one did not: that is no answer about a title.
    """

    groups: list[Group]
    rows: list[TitleRow | None]
    silent: str | None = None

    @property
    def done(self) -> int:
        """How many are told."""
        return sum(row is not None for row in self.rows)


@dataclass(slots=True)
class _Answer:
    identity: Identity
    counting: Counting = PLAIN
    ids: dict[str, str] = field(default_factory=dict[str, str])


async def known(groups: list[Group], library: Path, policy: IdentityPolicy, ledger: Ledger) -> Told:
    """What is known of the titles already.

    A title that was not told is to be asked again after a day, and once its folders changed. So is
    one with a new file that takes a closer look.
    """
    keys = [_key(group, library, policy) for group in groups]
    found = await ledger.read(lambda conn: libraries.titles(conn, keys))
    fresh = ledger.now() - ASK_AGAIN
    rows = [found.get(key) for key in keys]
    return Told(
        groups,
        [
            row
            if row is not None and _stands(row, group) and (row.accepted or row.asked_at > fresh)
            else None
            for row, group in zip(rows, groups, strict=True)
        ],
    )


def _stands(row: TitleRow, group: Group) -> bool:
    if not row.accepted:
        return row.asked_at >= group.seen_at
    numbers = row.verdict["numbers"]
    return all(one.is_plain or one.kept.path in numbers for one in _counted(group))


async def ask(
    told: Told,
    library: Path,
    policy: IdentityPolicy,
    catalogue: Catalogue,
    ledger: Ledger,
    *,
    is_late: Callable[[], bool],
) -> None:
    """Ask for titles that are not told yet, a few at once, until all are or it is late.

    What is told is kept at once. Where a source does not answer, no more are asked.
    """
    waiting = [number for number, row in enumerate(told.rows) if row is None]
    waiting.reverse()
    async with roots.opened(library, f"the library {library.name}") as root:

        async def work_off() -> None:
            while waiting and told.silent is None and not is_late():
                number = waiting.pop()
                group = told.groups[number]
                try:
                    answer = await _asked(group, root, policy, catalogue)
                except WorldFaultError as fault:
                    told.silent = fault.sentence
                    return
                told.rows[number] = await _kept(group, answer, library, policy, ledger)

        async with anyio.create_task_group() as tasks:
            for _ in range(ASKED_AT_ONCE):
                tasks.start_soon(work_off)


async def _asked(group: Group, root: Root, policy: IdentityPolicy, catalogue: Catalogue) -> _Answer:
    video, heading = group.likeliest, group.heading
    if video.forced is not None:
        found = (await catalogue.work(video.forced.work)).works
        work = found[0] if found else None
        identity = forced_identity(video.forced, f"force: {group.forced}", work)
        return _Answer(identity, owned_counting(work, policy))
    if not heading.title:
        return _Answer(Identity(Grade.E, None))
    ids = await off_loop(_ids, root, group.nfos)
    unworded = replace(policy, words=())  # they have been applied to the whole path
    held = await read(_as_name(group), {**ids, **video.name.external_ids}, [], unworded, catalogue)
    work = held.identity.work
    counting = PLAIN if work is None else held.countings.get(work.key, owned_counting(work, policy))
    return _Answer(held.identity, counting, ids)


def _as_name(group: Group) -> str:
    """The title as the name of a release, so that it is read and graded like one."""
    video, heading = group.likeliest, group.heading
    year = f" ({heading.year})" if heading.year else ""
    if not heading.counted:
        return f"{heading.title}{year}"
    if video.is_plain:
        return f"{heading.title}{year} S{video.season:02d}E{video.episodes[0]:02d}"
    name = video.name
    number = next(iter(name.episodes or name.absolute_episodes), None)
    return f"{heading.title}{year}" + (f" - {number:g}" if number is not None else "")


def _ids(root: Root, nfos: Sequence[str]) -> dict[str, str]:
    for path in nfos[:MOST_NFOS]:
        try:
            with root.file(path) as handle, open(handle, "rb", closefd=False) as file:
                found = nfo_ids(file.read(MOST_BYTES).decode(errors="replace"))
        except (WorldFaultError, OSError):
            continue
        if found:
            return found
    return {}


async def _kept(
    group: Group, answer: _Answer, library: Path, policy: IdentityPolicy, ledger: Ledger
) -> TitleRow:
    identity = answer.identity
    accepted = identity.work is not None and accepts(policy, identity)
    at = ledger.now()

    def write(tx: Transaction) -> TitleRow:
        work = None if identity.work is None else _keep_work(tx, identity.work, ledger)
        row = TitleRow(
            key=_key(group, library, policy),
            title=group.heading.title,
            year=group.heading.year,
            accepted=accepted,
            work=work,
            verdict=_verdict(group, answer),
            asked_at=at,
        )
        libraries.put_title(tx, row)
        return row

    return await ledger.write(write)


def _keep_work(tx: Transaction, work: Work, ledger: Ledger) -> str:
    return works.keep(
        tx,
        key=str(work.key),
        kind=work.key.kind,
        title=work.title,
        year=work.year,
        body=work_json(work),
        at=ledger.now(),
    )


def _verdict(group: Group, answer: _Answer) -> dict[str, Any]:
    identity = answer.identity
    against = [cleaned(one.sentence) for one in identity.contradictions]
    return {
        "grade": identity.grade.value,
        "for": [cleaned(one.sentence) for one in identity.evidence],
        "against": against or ([NO_TITLE] if not group.heading.title else []),
        "candidates": [
            {"id": str(one.key), "title": cleaned(one.title), "year": one.year}
            for one in identity.candidates[:CANDIDATES_KEPT]
        ],
        "numbers": _numbers(group, answer),
    }


def _numbers(group: Group, answer: _Answer) -> dict[str, Any]:
    """Season and episodes of the files that take a closer look, or why they stay open."""
    work = answer.identity.work
    if work is None or work.key.kind is not WorkKind.SERIES:
        return {}
    told: dict[str, Any] = {}
    for video in _counted(group):
        if not video.is_plain:
            found = numbers_in(video.name, work, answer.counting)
            told[video.kept.path] = (
                cleaned(found.sentence)
                if isinstance(found, Unsettled)
                else [found.season, list(found.episodes)]
            )
    return told


def _counted(group: Group) -> Sequence[LibraryVideo]:
    return group.videos if group.heading.counted else []


def _key(group: Group, library: Path, policy: IdentityPolicy) -> str:
    """What an answer holds for: the title with its marks, and the owner's words and grades.

    And the library: another one may have other files of the same path, and other NFO files.
    """
    said = json.dumps([str(library), group.heading, group.forced, group.marks, _digest(policy)])
    return hashlib.sha256(said.encode()).hexdigest()


@lru_cache(maxsize=4)
def _digest(policy: IdentityPolicy) -> str:
    """Computed once for all the titles of a library."""
    return hashlib.sha256(json.dumps(to_json(policy), sort_keys=True).encode()).hexdigest()
