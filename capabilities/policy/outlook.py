"""What a draft of any kind would change, tried on what is known here."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from capabilities.policy.consequences import (
    Consequences,
    Known,
    consequences,
    known,
    without_comparison,
)
from capabilities.policy.kinds import AnyPolicy, PolicyKind
from capabilities.policy.renaming import Renaming, Shelved, renaming, shelved
from capabilities.policy.rereading import (
    KnownNames,
    Rereading,
    known_names,
    rereading,
    without_rereading,
)
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.wording import counted
from ledger.database import Snapshot

EXAMPLES_ON_CARD = 5


@dataclass(frozen=True, slots=True)
class Basis:
    """What a draft is tried on; empty for the kinds that are not tried."""

    known: Known
    names: KnownNames
    shelf: Shelved = field(default_factory=Shelved)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What would change.

    Attributes:
        consequences: of an acquisition policy: verdicts and upgrades.
        rereading: of an identity policy: works and episodes that names mean.
        renaming: of an organize policy: how files would be called.
    """

    consequences: Consequences | None = None
    rereading: Rereading | None = None
    renaming: Renaming | None = None

    def lines(self) -> Iterator[str]:
        """For the card that the owner reads before deciding."""
        if self.consequences is not None:
            yield from _of_verdicts(self.consequences)
        if self.rereading is not None:
            yield from _of_names(self.rereading)
        if self.renaming is not None:
            yield from _of_files(self.renaming)


def basis(conn: Snapshot, kind: PolicyKind) -> Basis:
    """What is known here that a draft of a kind can be tried on."""
    return Basis(
        known=known(conn) if kind == "acquisition" else Known(),
        names=known_names(conn) if kind == "identity" else KnownNames(),
        shelf=shelved(conn) if kind == "organize" else Shelved(),
    )


def outlook(
    on: Basis, before: AnyPolicy | UnsatisfiableError, after: AnyPolicy, now: datetime
) -> Outlook:
    """Try a draft beside the version in force; seconds of the processor, so not on the event loop.

    Args:
        on: what is known.
        before: the version in force, or why it is none that anything can be tried by.
        after: the draft.
        now: with its time zone.
    """
    match before, after:
        case UnsatisfiableError(), AcquisitionPolicy():
            return Outlook(consequences=without_comparison(before))
        case UnsatisfiableError(), IdentityPolicy():
            return Outlook(rereading=without_rereading(before))
        case AcquisitionPolicy(), AcquisitionPolicy():
            try:
                return Outlook(consequences=consequences(on.known, before, after, now))
            except (ArithmeticError, ValueError) as wrong:
                return Outlook(consequences=without_comparison(wrong))
        case IdentityPolicy(), IdentityPolicy():
            return Outlook(rereading=rereading(on.names, before, after))
        case UnsatisfiableError(), OrganizePolicy():
            return Outlook(renaming=renaming(on.shelf, None, after))
        case OrganizePolicy(), OrganizePolicy():
            return Outlook(renaming=renaming(on.shelf, before, after))
        case _:
            return Outlook()


def _of_verdicts(found: Consequences) -> Iterator[str]:
    if found.not_compared is not None:
        yield found.not_compared
        return
    yield (
        f"of {counted(found.releases_judged, 'known release')}{_left(found.releases_left_out)} "
        f"{found.newly_accepted} newly accepted, {found.newly_rejected} newly rejected"
    )
    left_out = found.works_left_out
    yield (
        f"could be upgraded: {found.upgradable_after} on the shelf instead of "
        f"{found.upgradable_before}"
        + (f" ({counted(left_out, 'work')} not looked at)" if left_out else "")
    )


def _of_names(found: Rereading) -> Iterator[str]:
    if found.not_compared is not None:
        yield found.not_compared
        return
    yield (
        f"of {counted(found.releases_read, 'known release')}{_left(found.releases_left_out)} "
        f"{found.identified_otherwise} identified otherwise, "
        f"{found.only_read_otherwise} only read otherwise"
    )
    yield from (
        f"{one.title}: {one.before} → {one.after}"
        for one in found.examples[:EXAMPLES_ON_CARD]
        if one.before != one.after
    )


def _of_files(found: Renaming) -> Iterator[str]:
    """Only what changes; a policy renames nothing that is on the shelf."""
    if not found.changed:
        return
    yield f"of {counted(found.tried, 'name')} tried {found.changed} would be another one"
    changed = [one for one in found.names if one.before != one.after]
    for one in changed[:EXAMPLES_ON_CARD]:
        yield f"{one.what}: {one.before or 'unknown'} → {one.after}"


def _left(out: int) -> str:
    return f" ({out} not tried)" if out else ""
