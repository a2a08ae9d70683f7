"""Which new files may take the place of which old ones, slot by slot and not name by name."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.real_quality import RealCopy, better
from capabilities.rules.targets import FILM, Target

NOT_SAID: Final = "this plan does not say that anything is replaced: plan it again with `replace`"


@dataclass(frozen=True, slots=True)
class Offered:
    """A new file, by the number that its caller knows it by."""

    number: int
    targets: frozenset[Target]
    copy: RealCopy


@dataclass(frozen=True, slots=True)
class Standing:
    """An old file, by the key that its caller knows it by; ``name`` is for a person."""

    key: str
    name: str
    targets: frozenset[Target]
    copy: RealCopy


@dataclass(frozen=True, slots=True)
class Rivalry:
    """How it ends.

    Attributes:
        left: numbers of new files that stay where they are, with the reason.
        gone: keys of old files, each with the number of the last new file that stands for it.
    """

    left: Mapping[int, str]
    gone: Mapping[str, int]


def rivalry(
    offered: Sequence[Offered],
    standing: Sequence[Standing],
    policy: AcquisitionPolicy,
    *,
    replace: bool,
    by_hand: bool,
) -> Rivalry:
    """Compare every new file with every old one that fills a slot of its own.

    One file for several slots must be better than each file that fills one of them. An old file
    goes only if new ones fill all of its slots: nothing that was there is lost.

    Args:
        offered: the new files; their real quality.
        standing: the old ones; theirs.
        policy: by which one is better than the other.
        replace: whether the plan is to replace what it may.
        by_hand: whether the owner plans it, whom the comparison does not bind.
    """
    left: dict[int, str] = {}
    for new in offered:
        rivals = [old for old in standing if old.targets & new.targets]
        why = next(_against(new, rivals, policy, replace=replace, by_hand=by_hand), None)
        if why is not None:
            left[new.number] = why
    while lost := _lost(offered, standing, left):
        left |= lost
    gone = {
        old.key: max(new.number for new in _for(old, offered, left))
        for old in standing
        if _for(old, offered, left)
    }
    return Rivalry(left, gone)


def _against(
    new: Offered,
    rivals: Sequence[Standing],
    policy: AcquisitionPolicy,
    *,
    replace: bool,
    by_hand: bool,
) -> Iterator[str]:
    for old in rivals:
        verdict = better(old.copy, new.copy, policy)
        if not verdict.taken and not (replace and by_hand):
            yield f"it is no upgrade of {old.name}: {verdict.sentence}"
        elif not replace:
            yield f"it is an upgrade of {old.name} ({verdict.sentence}), but {NOT_SAID}"


def _for(old: Standing, offered: Sequence[Offered], left: Collection[int]) -> list[Offered]:
    return [new for new in offered if new.number not in left and new.targets & old.targets]


def _lost(
    offered: Sequence[Offered], standing: Sequence[Standing], left: Collection[int]
) -> dict[int, str]:
    """New files for which an old one would have to go that holds more than they bring."""
    found: dict[int, str] = {}
    for old in standing:
        new = _for(old, offered, left)
        lost = old.targets.difference(*(one.targets for one in new))
        if new and lost:
            names = ", ".join(_named(target) for target in sorted(lost))
            why = f"{old.name} holds {names} too, which would be lost with it"
            found |= {one.number: why for one in new}
    return found


def _named(target: Target) -> str:
    return "the film" if target == FILM else f"S{target[0]:02}E{target[1]:02}"
