"""What a draft of how names are read would change: which works and episodes releases then mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from capabilities.rules.episode_counting import Counted, Unsettled
from capabilities.rules.evidence import Identity
from capabilities.rules.file_numbers import places_in
from capabilities.rules.identity import accepts
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.owned_names import (
    OwnedName,
    owned_counting,
    owned_identity,
    owned_name,
)
from capabilities.rules.stored import found_from, work_from
from capabilities.rules.time_budget import Budget
from capabilities.rules.work_index import WorkIndex
from capabilities.rules.works import Work, WorkKey, WorkKind
from ledger.database import Snapshot
from ledger.stores import releases, works
from ledger.stores.releases import ReleaseRow

MOST_RELEASES: Final = 400
MOST_WORKS: Final = 300
"""That names may mean, besides the works of the releases themselves."""
MOST_SHOWN: Final = 12
EPISODES_SHOWN: Final = 4
READING_S: Final = 8.0
"""Of the processor, for all names; those that it does not suffice for are counted as left out."""


class RereadFacts(BaseModel):
    """A known release that would mean something else, or be read otherwise.

    Attributes:
        read_as: the name after the draft's recognition words, where they make it another one.
        before: the work, its season and episodes, how sure, and whether that is taken.
        after: the same under the draft.
    """

    title: str
    read_as: str | None
    before: str
    after: str


class Rereading(BaseModel):
    """What a draft would change of how known names are read; the first few are named.

    Attributes:
        releases_read: how many of the releases found lately were read under both policies.
        releases_left_out: kept ones that were not, for their number or for the time it takes.
        identified_otherwise: those that would mean another work or other episodes, be more or less
            sure, or be taken where they were asked about, or the other way round.
        only_read_otherwise: those whose name would be read otherwise and mean the same.
        examples: those identified otherwise first.
        not_compared: why nothing is compared, where nothing can be.
    """

    releases_read: int = 0
    releases_left_out: int = 0
    identified_otherwise: int = 0
    only_read_otherwise: int = 0
    examples: list[RereadFacts] = []
    examples_left_out: int = 0
    not_compared: str | None = None


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What a draft is tried on, read in one go.

    Attributes:
        rows: the releases found last.
        releases: how many are kept in all.
        works: every work that one of the names may mean, as far as anything of it is kept.
    """

    rows: Sequence[ReleaseRow] = ()
    releases: int = 0
    works: Sequence[Work] = ()


def known_names(conn: Snapshot) -> KnownNames:
    """The releases found last, and the works kept here that they may mean."""
    rows, total = releases.newest(conn, limit=MOST_RELEASES)
    held = works.many(conn, {row.work for row in rows if row.work is not None})
    held |= {row.id: row for row in works.newest(conn, limit=MOST_WORKS)}
    return KnownNames(rows, total, [work_from(row.body) for row in held.values()])


def without_rereading(wrong: Exception) -> Rereading:
    """What is told where the published version is none that a name can be read by."""
    why = cleaned(str(wrong), 300) or type(wrong).__name__
    return Rereading(not_compared=f"the published version can't be read by: {why}")


def rereading(
    there: KnownNames, before: IdentityPolicy, after: IdentityPolicy, seconds: float = READING_S
) -> Rereading:
    """Identify every known release under both policies, and tell what differs.

    Among the works that are kept here: no metadata source is asked, so what only one knows (works
    that nobody looked up, other orders of episodes) counts under neither.

    Args:
        there: what is known.
        before: the policy in force.
        after: the draft.
        seconds: of the processor's time, for all of them.
    """
    told, budget = Rereading(), Budget(seconds)
    identified: list[RereadFacts] = []
    only_read: list[RereadFacts] = []
    changed = _Change(there, before, after)
    for row in there.rows:
        if not budget.left:
            break
        told.releases_read += 1
        facts = changed.of(row)
        if facts is not None:
            (only_read if facts.before == facts.after else identified).append(facts)
    told.releases_left_out = there.releases - told.releases_read
    told.identified_otherwise, told.only_read_otherwise = len(identified), len(only_read)
    told.examples = [*identified, *only_read][:MOST_SHOWN]
    told.examples_left_out = len(identified) + len(only_read) - len(told.examples)
    return told


class _Change:
    """Two policies, on one name after the other."""

    def __init__(self, there: KnownNames, before: IdentityPolicy, after: IdentityPolicy) -> None:
        self._works = {work.key: work for work in there.works}
        self._index = WorkIndex(there.works)
        self._before, self._after = before, after
        self._regraded = before.accepted != after.accepted
        self._recounted = {
            work.key
            for work in there.works
            if owned_counting(work, before) != owned_counting(work, after)
        }

    def of(self, row: ReleaseRow) -> RereadFacts | None:
        """What differs; None where nothing does, which most names are found out for quickly."""
        old = owned_name(row.title, self._before.words)
        new = owned_name(row.title, self._after.words)
        ids = found_from(row.found).external_ids
        reworded = (old.reworded.forced, old.name) != (new.reworded.forced, new.name)
        if not (reworded or self._regraded or self._is_recounted(old, ids)):
            return None
        was, is_ = self._told(old, ids, self._before), self._told(new, ids, self._after)
        if was == is_ and not reworded:
            return None
        read_as = cleaned(new.reworded.text, 160) if reworded else None
        return RereadFacts(title=cleaned(row.title, 160), read_as=read_as, before=was, after=is_)

    def _is_recounted(self, owned: OwnedName, ids: Mapping[str, str]) -> bool:
        """Whether it may mean one of the series whose episodes the draft counts otherwise."""
        return any(work.key in self._recounted for work in self._near(owned, ids))

    def _near(self, owned: OwnedName, ids: Mapping[str, str]) -> list[Work]:
        forced = owned.reworded.forced
        if forced is None:
            return self._index.near(owned.name, ids)
        work = self._works.get(forced.work)
        return [] if work is None else [work]

    def _told(self, owned: OwnedName, ids: Mapping[str, str], policy: IdentityPolicy) -> str:
        forced = owned.reworded.forced
        identity = owned_identity(owned, ids, self._near(owned, ids), policy)
        if identity.work is None:
            return _without_work(identity, None if forced is None else forced.work)
        numbers = _numbers(owned, identity.work, policy)
        settled = not isinstance(numbers, Unsettled) or forced is not None
        taken = settled and accepts(policy, identity)
        means = " ".join(part for part in (_titled(identity.work), _label(owned, numbers)) if part)
        return f"{means}, grade {identity.grade}, {'taken' if taken else 'asked about'}"


def _without_work(identity: Identity, forced: WorkKey | None) -> str:
    if forced is not None:
        return f"{forced} by your word, of which nothing is kept here yet"
    match identity.candidates:
        case ():
            return "no work that is known here"
        case (only,):
            return f"perhaps {_titled(only)}, grade {identity.grade}, asked about"
        case several:
            return f"one of {len(several)} works, grade {identity.grade}, asked about"


def _numbers(owned: OwnedName, work: Work, policy: IdentityPolicy) -> Sequence[Counted] | Unsettled:
    if work.key.kind is not WorkKind.SERIES:
        return ()
    return places_in(owned.name, work, owned_counting(work, policy))


def _titled(work: Work) -> str:
    return f"{cleaned(titled(work.title, work.year), 120)} [{work.key}]"


def _label(owned: OwnedName, numbers: Sequence[Counted] | Unsettled) -> str:
    if isinstance(numbers, Unsettled):
        return "(which episodes is open)"
    shown = [one.label for one in numbers[:EPISODES_SHOWN]]
    more = len(numbers) - len(shown)
    if shown:
        return ", ".join(shown) + (f" and {more} more" if more else "")
    return ", ".join(f"season {number}" for number in owned.name.seasons[:EPISODES_SHOWN])
