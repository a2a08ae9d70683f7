"""What a draft would change: of the releases that are known, and of what stands on the shelf."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.owned_names import owned_counting, owned_name
from capabilities.rules.policy_json import identity_in_force
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.reasons import Rule
from capabilities.rules.standing import Around
from capabilities.rules.stored import found_from, work_from
from capabilities.rules.surroundings import surroundings
from capabilities.rules.time_budget import Budget
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.verdicts import Circumstances, Judgement, judge
from capabilities.rules.works import Work
from ledger.database import Snapshot
from ledger.stores import blocklist, copies, policies, releases, works
from ledger.stores.blocklist import BlockRow
from ledger.stores.copies import CopyRow
from ledger.stores.releases import ReleaseRow

MOST_RELEASES = 400
MOST_WORKS = 100
MOST_SHOWN = 8
REASONS_SHOWN = 3
COMPARING_S = 10.0
"""Of the processor, for all that is known; what it does not suffice for is counted as left out."""
_FOR_RELEASES = 0.7
"""Of that time; the shelf has the rest, and what the releases leave."""


class ReleaseFacts(BaseModel):
    """A known release that would be judged otherwise; the first reasons why."""

    title: str
    accepted: bool
    why: list[str]
    why_left_out: int


class Consequences(BaseModel):
    """What would change; of each list the first few.

    Attributes:
        releases_judged: how many of the releases found lately were judged again.
        releases_left_out: judged ones that were not, for their number or for the time it takes.
        upgradable_before: films and episodes on the shelf that could be upgraded under the
            published policy.
        upgradable_after: the same under the draft.
        upgrades: releases that are known already and would be taken for what is on the shelf.
        works_left_out: works on the shelf that were not looked at, for their number or the time.
        not_compared: why nothing is compared, where nothing can be.
    """

    releases_judged: int = 0
    releases_left_out: int = 0
    newly_accepted: int = 0
    newly_rejected: int = 0
    examples: list[ReleaseFacts] = []
    examples_left_out: int = 0
    upgradable_before: int = 0
    upgradable_after: int = 0
    newly_upgradable: list[str] = []
    newly_upgradable_left_out: int = 0
    upgrades: list[str] = []
    upgrades_left_out: int = 0
    works_left_out: int = 0
    not_compared: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a draft is tried on, read in one go.

    Attributes:
        rows: the releases found last.
        releases: how many judged ones are kept in all.
        shelf: ids of works on the shelf, not of all.
        shelved: how many works are on the shelf in all.
        identity: how the owner has names read and episodes counted.
    """

    rows: Sequence[ReleaseRow] = ()
    releases: int = 0
    works: Mapping[str, Work] = field(default_factory=dict[str, Work])
    copies: Mapping[str, Sequence[CopyRow]] = field(default_factory=dict[str, Sequence[CopyRow]])
    blocks: Mapping[str, Sequence[BlockRow]] = field(default_factory=dict[str, Sequence[BlockRow]])
    shelf: Sequence[str] = ()
    shelved: int = 0
    identity: IdentityPolicy = field(default_factory=IdentityPolicy)


def known(conn: Snapshot) -> Known:
    """The releases found last, and the works on the shelf, with all that is around them."""
    rows, judged = releases.judged(conn, limit=MOST_RELEASES)
    identity = policies.published(conn, "identity")
    shelf, shelved = copies.works_on_the_shelf(conn, limit=MOST_WORKS)
    ids = {*shelf, *(row.work for row in rows if row.work is not None)}
    held = works.many(conn, ids)
    return Known(
        rows=rows,
        releases=judged,
        works={id_: work_from(row.body) for id_, row in held.items()},
        copies={id_: copies.copies(conn, id_, ACTIVE) for id_ in held},
        blocks={id_: blocklist.standing(conn, id_) for id_ in held},
        shelf=[id_ for id_ in shelf if id_ in held],
        shelved=shelved,
        identity=_identity(None if identity is None else identity.body),
    )


def _identity(body: Mapping[str, Any] | None) -> IdentityPolicy:
    """The owner's identity policy; that of a new home where theirs cannot be used."""
    try:
        return identity_in_force(body)
    except UnsatisfiableError:
        return IdentityPolicy()


def without_comparison(wrong: Exception) -> Consequences:
    """What is told where the published version is none that anything can be judged by."""
    why = cleaned(str(wrong), 300) or type(wrong).__name__
    return Consequences(not_compared=f"the published version can't be judged: {why}")


def consequences(
    there: Known,
    before: AcquisitionPolicy,
    after: AcquisitionPolicy,
    now: datetime,
    seconds: float = COMPARING_S,
) -> Consequences:
    """Judge everything known under both policies, and tell what differs.

    Args:
        there: what is known.
        before: the policy in force.
        after: the draft.
        now: with its time zone.
        seconds: of the processor's time, for all of it together.
    """
    told, budget = Consequences(), Budget(seconds)
    old, new = _Trial(there, before, now), _Trial(there, after, now)
    _compare_releases(told, there, (old, new), Budget(seconds * _FOR_RELEASES, budget))
    _compare_shelf(told, there, (old, new), budget)
    return told


_Trials = tuple["_Trial", "_Trial"]


def _compare_releases(told: Consequences, there: Known, trials: _Trials, budget: Budget) -> None:
    old, new = trials
    examples: list[ReleaseFacts] = []
    upgrades: list[str] = []
    tried = 0
    for row in there.rows:
        was, is_ = old.judged(row, budget), new.judged(row, budget)
        if not budget.left:
            break
        tried += 1
        if was is None or is_ is None:
            continue
        told.releases_judged += 1
        if was.accepted != is_.accepted:
            told.newly_accepted += is_.accepted
            told.newly_rejected += was.accepted
            examples.append(_facts(row, was, is_))
        if is_.accepted and _replaces(is_):
            upgrades.append(cleaned(row.title))
    told.releases_left_out = there.releases - tried
    told.examples, told.examples_left_out = _first(examples)
    told.upgrades, told.upgrades_left_out = _first(upgrades)


def _compare_shelf(told: Consequences, there: Known, trials: _Trials, budget: Budget) -> None:
    was, is_ = set[str](), set[str]()
    looked_at = 0
    for id_ in there.shelf:
        upgradable = [trial.upgradable(id_, budget) for trial in trials]
        if not budget.left:
            break
        looked_at += 1
        was |= upgradable[0]
        is_ |= upgradable[1]
    told.works_left_out = there.shelved - looked_at
    told.upgradable_before, told.upgradable_after = len(was), len(is_)
    told.newly_upgradable, told.newly_upgradable_left_out = _first(sorted(is_ - was))


_T = TypeVar("_T")


def _first(all_: list[_T]) -> tuple[list[_T], int]:
    """Those that are shown, and how many are left out."""
    return all_[:MOST_SHOWN], max(0, len(all_) - MOST_SHOWN)


class _Trial:
    """One policy, tried on everything that is known.

    What it says is worth nothing where the time has run out meanwhile: formats are undecided then.
    """

    def __init__(self, there: Known, policy: AcquisitionPolicy, now: datetime) -> None:
        self._there = there
        self._policy = policy
        self._now = now
        self._surroundings: dict[str, Around] = {}

    def judged(self, row: ReleaseRow, budget: Budget) -> Judgement | None:
        """What it says of a release; None where that was not known to be the work."""
        kept, accepted = row.judgement or {}, (row.identity or {}).get("work")
        work = None if row.work is None else self._there.works.get(row.work)
        if work is None or row.work is None:
            return None
        if kept.get("verdict") != "same" and accepted != row.work:
            return None
        return judge(
            found_from(row.found),
            owned_name(row.title, self._there.identity.words).name,
            Identity(Grade(kept.get("grade", Grade.E)), work),
            self._policy,
            Circumstances(
                runtime_minutes=work.runtime_minutes,
                now=self._now,
                around=self._around(row.work, budget),
                within=budget,
                counting=owned_counting(work, self._there.identity),
            ),
        )

    def upgradable(self, id_: str, budget: Budget) -> set[str]:
        """What of a work is on the shelf and below the tier at which upgrades end."""
        goal = self._policy.goals.upgrade_until
        if goal is None:
            return set()
        return {
            _named(self._there.works[id_], target)
            for target, copy in self._around(id_, budget).held.items()
            if copy.place is None or copy.place > goal
        }

    def _around(self, id_: str, budget: Budget) -> Around:
        """Kept only where the time sufficed for all of it."""
        if id_ in self._surroundings:
            return self._surroundings[id_]
        there = self._there
        around = surroundings(
            there.copies[id_],
            there.blocks[id_],
            self._policy,
            there.works[id_],
            there.identity.words,
            within=budget,
        )
        if budget.left:
            self._surroundings[id_] = around
        return around


def _facts(row: ReleaseRow, was: Judgement, is_: Judgement) -> ReleaseFacts:
    speaking = was.rejections if is_.accepted else is_.rejections
    return ReleaseFacts(
        title=cleaned(row.title, 160),
        accepted=is_.accepted,
        why=[f"{one.rule}: {cleaned(one.sentence, 160)}" for one in speaking[:REASONS_SHOWN]],
        why_left_out=max(0, len(speaking) - REASONS_SHOWN),
    )


def _replaces(judgement: Judgement) -> bool:
    return any(one.rule is Rule.HELD and not one.rejects for one in judgement.reasons)


def _named(work: Work, target: tuple[int, int]) -> str:
    title = cleaned(titled(work.title, work.year), 160)
    return title if target == (0, 0) else f"{title} S{target[0]:02}E{target[1]:02}"
