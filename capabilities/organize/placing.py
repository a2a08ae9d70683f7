"""Carrying out an organise plan, with every step in the record's journal.

First every file comes to its place, then each is proven there, then what it stands for goes into
the recycle folder, then what we write ourselves comes beside it, and at the very end the sources of
a move go. So whatever ends it, and
wherever, there is a whole file for each one that was there before.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from capabilities.adapters.shelf.leftovers import clean, leftovers
from capabilities.adapters.shelf.moving import finish_move
from capabilities.adapters.shelf.placements import Mode, Step
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.endings import partly
from capabilities.organize.ground import VIDEO, Ground, OnShelf
from capabilities.organize.holding import confirm
from capabilities.organize.import_plan import OrganizePlan
from capabilities.organize.linking import link_all
from capabilities.organize.logbook import Logbook
from capabilities.organize.one_by_one import place_one
from capabilities.organize.replacing import replace_by
from capabilities.organize.standing import proven
from capabilities.organize.writing import write_all
from ledger.ledger import Ledger
from ledger.stores.claims import Held

__all__ = ["VIDEO", "OnShelf", "Work"]
ATTEMPT_BYTES = 6


def _new_attempt() -> str:
    return secrets.token_hex(ATTEMPT_BYTES)


@dataclass(frozen=True, slots=True)
class Work:
    """One attempt to carry a record out, between two opened folders.

    Attributes:
        token: what the temporary names of all attempts at the plan share.
        held: the claim that must stay ours; None where it is carried out without one.
        attempt: what the temporary names of this attempt have and no other's.
        others: the roots of other libraries from which files are taken away, by folder.
    """

    ledger: Ledger
    record: str
    token: str
    plan: OrganizePlan
    sources: Root
    library: Root
    held: Held | None = None
    attempt: str = field(default_factory=_new_attempt)
    others: Mapping[str, Root] = field(default_factory=dict[str, Root])

    async def carry_out(self) -> list[OnShelf]:
        """Place what is not placed yet, prove every file where it stands, and let the old ones go.

        Raises:
            WorldFaultError: as `capabilities.adapters.shelf.placing.place`; nothing was placed.
            LostAnswerError: also where somebody else has the claim by now.
            HaltError: failed; some files stand and are named, or one is not what was planned.
        """
        # looked for before the claim is: what an attempt that took over writes is not among them
        left = await self._left()
        await confirm(self.ledger, self.held)
        log = Logbook(self.ledger, self.record, self.held)
        await log.read()
        ground = Ground(
            self.plan,
            self.sources,
            self.library,
            self.others,
            log,
            self.token,
            self.attempt,
            ways=self.plan.ways,
            old=self.plan.old_by_file(),
            same=self.plan.under_one_name(),
        )
        standing: list[str] = []
        try:
            await self._clean(left)
            await _place_all(ground, standing)
            return await _proven_all(ground, standing)
        except LostAnswerError:
            raise
        except WorldFaultError as fault:
            if not standing:
                raise
            raise HaltError(partly(fault, standing, len(self.plan.files))) from fault

    async def _left(self) -> dict[str, frozenset[str]]:
        """The tokens of the temporary files in every folder that the plan's files go to."""
        left: dict[str, frozenset[str]] = {}
        targets = [file.target for file in (*self.plan.files, *self.plan.written)]
        for folder in {self.library.split(target)[0] for target in targets}:
            try:
                left[folder] = await leftovers(self.library, folder)
            except WorldFaultError:
                continue  # placing there says what is wrong with it
        return left

    async def _clean(self, left: Mapping[str, frozenset[str]]) -> None:
        """Take away what earlier attempts at this plan left."""
        for folder, tokens in left.items():
            for token in tokens:
                if token.startswith(f"{self.token}-"):
                    await clean(self.library, f"{folder}/x" if folder else "x", token)


async def _place_all(ground: Ground, standing: list[str]) -> None:
    """Every file whose name is free, or is its own already; `standing` grows by their targets."""
    plan = ground.plan
    numbers = [number for number in range(len(plan.files)) if number not in ground.same]
    if ground.ways[0] is Mode.HARDLINK:
        numbers = await link_all(ground, numbers, standing)
    for number in numbers:
        await place_one(ground, number)
        standing.append(plan.files[number].target)


async def _proven_all(ground: Ground, standing: list[str]) -> list[OnShelf]:
    """Each file proven, then what it stands for gone, then ours written, a move's sources last."""
    plan = ground.plan
    numbers = range(len(plan.files))
    named = [number for number in numbers if number not in ground.same]
    shelf = dict(zip(named, await proven(ground, named), strict=True))
    for number in sorted(ground.old):
        shelf[number] = await replace_by(ground, number, shelf.get(number))
        if number in ground.same:
            standing.append(plan.files[number].target)
    await write_all(ground)
    if plan.mode is Mode.MOVE:
        for number in numbers:
            await _let_go(ground, number)
    return [shelf[number] for number in numbers]


async def _let_go(ground: Ground, number: int) -> None:
    """Take away the source of a move, whose target was proven."""
    placement = ground.plan.placement(number)
    wanted = ground.log.with_digest(number, placement)
    fault_points.at("before_source_removed")
    source = ground.plan.files[number].source.path
    gone = await finish_move(wanted, sources=ground.sources, origin=source, shelf=ground.library)
    fault_points.at("source_removed")
    if gone:
        await ground.log.note({"file": number, "step": Step.SOURCE_REMOVED.value, "digest": None})
