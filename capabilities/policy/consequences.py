"""What a draft would change: of the releases that are known, and of what stands on the shelf."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.owned_names import owned_counting, owned_name
from capabilities.rules.policy import AcquisitionPolicy, IdentityPolicy
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
COMPARING_S = 10.0
"""Of the processor, for what is known; what it does not suffice for is not judged."""


class ReleaseFacts(BaseModel):
    """A known release that would be judged otherwise."""

    title: str
    accepted: bool
    why: list[str]


class Consequences(BaseModel):
    """What would change; of each list the first few.

    Attributes:
        releases_judged: how many of the releases found lately were judged again.
        upgradable_before: films and episodes on the shelf that could be upgraded under the
            published policy.
        upgradable_after: the same under the draft.
        upgrades: releases that are known already and would be taken for what is on the shelf.
        not_compared: why nothing is compared, where nothing can be.
    """

    releases_judged: int = 0
    newly_accepted: int = 0
    newly_rejected: int = 0
    examples: list[ReleaseFacts] = []
    upgradable_before: int = 0
    upgradable_after: int = 0
    newly_upgradable: list[str] = []
    upgrades: list[str] = []
    works_left_out: int = 0
    not_compared: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a draft is tried on, read in one go.

    Attributes:
        identity: how the owner has names read and episodes counted.
    """

    rows: Sequence[ReleaseRow] = ()
    works: Mapping[str, Work] = field(default_factory=dict[str, Work])
    copies: Mapping[str, Sequence[CopyRow]] = field(default_factory=dict[str, Sequence[CopyRow]])
    blocks: Mapping[str, Sequence[BlockRow]] = field(default_factory=dict[str, Sequence[BlockRow]])
    works_left_out: int = 0
    identity: IdentityPolicy = field(default_factory=IdentityPolicy)


def known(conn: Snapshot) -> Known:
    """The releases found last, and the works on the shelf, with all that is around them."""
    rows = releases.judged(conn, limit=MOST_RELEASES)
    identity = policies.published(conn, "identity")
    shelved, total = copies.works_on_the_shelf(conn, limit=MOST_WORKS)
    ids = {*shelved, *(row.work for row in rows if row.work is not None)}
    held = works.many(conn, ids)
    return Known(
        rows=rows,
        works={id_: work_from(row.body) for id_, row in held.items()},
        copies={id_: copies.copies(conn, id_, ACTIVE) for id_ in held},
        blocks={id_: blocklist.standing(conn, id_) for id_ in held},
        works_left_out=total - len(shelved),
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
    there: Known, before: AcquisitionPolicy, after: AcquisitionPolicy, now: datetime
) -> Consequences:
    """Judge everything known under both policies, and tell what differs."""
    old, new = _Trial(there, before, now), _Trial(there, after, now)
    told = Consequences(works_left_out=there.works_left_out)
    budget = Budget(COMPARING_S)
    for row in there.rows:
        if not budget.left:
            break
        was, is_ = old.judged(row, budget), new.judged(row, budget)
        if was is None or is_ is None:
            continue
        told.releases_judged += 1
        if was.accepted != is_.accepted:
            told.newly_accepted += is_.accepted
            told.newly_rejected += was.accepted
            if len(told.examples) < MOST_SHOWN:
                told.examples.append(_facts(row, was, is_))
        if is_.accepted and _replaces(is_) and len(told.upgrades) < MOST_SHOWN:
            told.upgrades.append(cleaned(row.title))
    upgradable, upgradable_then = old.upgradable(), new.upgradable()
    told.upgradable_before, told.upgradable_after = len(upgradable), len(upgradable_then)
    told.newly_upgradable = sorted(upgradable_then - upgradable)[:MOST_SHOWN]
    return told


class _Trial:
    """One policy, tried on everything that is known."""

    def __init__(self, there: Known, policy: AcquisitionPolicy, now: datetime) -> None:
        self._there = there
        self._policy = policy
        self._now = now
        self._around: dict[str, Around] = {
            id_: surroundings(
                there.copies[id_], there.blocks[id_], policy, work, there.identity.words
            )
            for id_, work in there.works.items()
        }

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
                around=self._around[row.work],
                within=budget,
                counting=owned_counting(work, self._there.identity),
            ),
        )

    def upgradable(self) -> set[str]:
        """What is on the shelf and below the tier at which upgrades end."""
        goal = self._policy.goals.upgrade_until
        if goal is None:
            return set()
        return {
            _named(self._there.works[id_], target)
            for id_, around in self._around.items()
            for target, copy in around.held.items()
            if copy.place is None or copy.place > goal
        }


def _facts(row: ReleaseRow, was: Judgement, is_: Judgement) -> ReleaseFacts:
    speaking = was.rejections if is_.accepted else is_.rejections
    return ReleaseFacts(
        title=cleaned(row.title, 160),
        accepted=is_.accepted,
        why=[f"{reason.rule}: {cleaned(reason.sentence, 160)}" for reason in speaking[:3]],
    )


def _replaces(judgement: Judgement) -> bool:
    return any(one.rule is Rule.HELD and not one.rejects for one in judgement.reasons)


def _named(work: Work, target: tuple[int, int]) -> str:
    title = cleaned(titled(work.title, work.year), 160)
    return title if target == (0, 0) else f"{title} S{target[0]:02}E{target[1]:02}"
