"""Whether a grant of the owner covers an act, and whether its day's budget holds it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from capabilities.kernel.targets import Reach
from ledger.database import Snapshot
from ledger.stores import grants, policies
from ledger.stores.grants import Grant, Used

EVERYTHING = "*"
GB = 1e9


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a day's budgets; None is no limit."""

    calls: int | None
    bytes: int | None
    renews_at: datetime

    def holds(self, size: int | None) -> bool:
        """Whether one more act of ``size`` bytes fits."""
        calls_fit = self.calls is None or self.calls >= 1
        return calls_fit and (self.bytes is None or (size is not None and size <= self.bytes))


@dataclass(frozen=True, slots=True)
class OverBudget:
    """A grant covers the act, but what is left of its day does not hold it."""

    grant: Grant
    left: Left
    size: int | None

    @property
    def why(self) -> str:
        """For a person: what is left, and when it is more."""
        told: list[str] = []
        if self.left.calls is not None:
            told.append(f"{self.left.calls} of {self.grant.calls_per_day} calls")
        if self.left.bytes is not None and self.grant.bytes_per_day is not None:
            whole = self.grant.bytes_per_day / GB
            told.append(f"{self.left.bytes / GB:.2f} of {whole:.2f} GB")
        wanted = "" if self.size is None else f", and this takes {self.size / GB:.2f} GB"
        return (
            f"the grant for {self.grant.action!r} has {' and '.join(told)} left today{wanted}; "
            f"it renews at {self.left.renews_at:%Y-%m-%d %H:%M} UTC"
        )

    @property
    def needs(self) -> Mapping[str, object]:
        """The same as facts."""
        return {
            "grant": self.grant.id,
            "calls_left": self.left.calls,
            "bytes_left": self.left.bytes,
            "bytes_needed": self.size,
            "renews_at": self.left.renews_at.isoformat(),
        }


def matches(action: str, capability: str) -> bool:
    """Whether an action pattern (``download.submit``, ``task.*``, ``*``) means a capability."""
    if action == EVERYTHING:
        return True
    if action.endswith(f".{EVERYTHING}"):
        return capability.startswith(action.removesuffix(EVERYTHING))
    return action == capability


def covers(grant: Grant, capability: str, reach: Reach) -> bool:
    """Whether the action and the scope of ``grant`` take in an act; in doubt not.

    A budget in bytes covers only what says how many it takes.
    """
    terms = grant.terms
    scope = terms.scope
    return (
        matches(grant.action, capability)
        and _within(scope.capabilities, (capability,))
        and _within(scope.works, reach.works)
        and _within(scope.kinds, _known(reach.kind))
        and _within(scope.downloaders, _known(reach.downloader))
        and _within(scope.folders, _known(reach.folder))
        and (terms.may_replace or not reach.replaces)
        and (terms.bytes_per_day is None or reach.bytes is not None)
    )


def covering(conn: Snapshot, capability: str, reach: Reach, at: datetime) -> list[Grant]:
    """The grants that stand and cover an act, oldest first, whatever is left of their budgets."""
    return [
        grant
        for grant in grants.standing(conn, at)
        if covers(grant, capability, reach) and policy_holds(conn, grant)
    ]


def chosen(
    conn: Snapshot, capability: str, reach: Reach, at: datetime
) -> Grant | OverBudget | None:
    """The grant under which an act may be claimed now; None when none covers it.

    To be asked in the transaction that writes the claim: that claim is what takes from the budget.
    """
    over: OverBudget | None = None
    for grant in covering(conn, capability, reach, at):
        left = left_of(grant, grants.used(conn, grant.id, at), at)
        if left.holds(reach.bytes):
            return grant
        over = over or OverBudget(grant, left, reach.bytes)
    return over


def left_of(grant: Grant, used: Used, at: datetime) -> Left:
    """What is left of the budgets on the UTC day of ``at``."""
    return Left(
        None if grant.calls_per_day is None else max(0, grant.calls_per_day - used.calls),
        None if grant.bytes_per_day is None else max(0, grant.bytes_per_day - used.bytes),
        grants.day_of(at) + grants.DAY,
    )


def policy_holds(conn: Snapshot, grant: Grant) -> bool:
    """Whether the policy version that a grant is bound to is the published one still."""
    if grant.policy_kind is None:
        return True
    published = policies.published(conn, grant.policy_kind)
    return published is not None and published.version == grant.policy_version


def _within(allowed: frozenset[str] | None, asked: tuple[str, ...]) -> bool:
    return allowed is None or (bool(asked) and allowed.issuperset(asked))


def _known(one: str | None) -> tuple[str, ...]:
    return () if one is None else (one,)
