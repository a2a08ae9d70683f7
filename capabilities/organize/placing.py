"""Carrying out an organise plan file by file, with every step in the record's journal."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from anyio import to_thread

from capabilities.adapters.media.facts import MediaFacts
from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.adapters.shelf.leftovers import clean, is_attempt_at, leftovers, token_for
from capabilities.adapters.shelf.placements import Entry, Mode, Placed
from capabilities.adapters.shelf.placing import place
from capabilities.adapters.shelf.probes import Standing, standing_of
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel import fault_points
from capabilities.kernel.codes import Code
from capabilities.kernel.faults import LostAnswerError, UnreachableError, WorldFaultError
from capabilities.kernel.outcomes import Failed, HaltError
from capabilities.organize.holding import confirm, holds, overtaken
from capabilities.organize.import_plan import OrganizePlan, PlannedFile, placement
from capabilities.rules.wording import counted
from ledger.ledger import Ledger
from ledger.stores import shelf
from ledger.stores.claims import Held
from ledger.writer import Transaction

VIDEO = "video"
ATTEMPT_BYTES = 6


def _new_attempt() -> str:
    return secrets.token_hex(ATTEMPT_BYTES)


@dataclass(frozen=True, slots=True)
class OnShelf:
    """A file of the plan that stands in the library, with what verified it.

    ``digest``: SHA-256 in hexadecimal of what was copied; None where bytes were not.
    """

    file: PlannedFile
    device: int
    inode: int
    size: int
    digest: str | None
    streams: MediaFacts | None


@dataclass(frozen=True, slots=True)
class Work:
    """One attempt to carry a record out, between two opened folders.

    Attributes:
        token: what the temporary names of all attempts at the plan share.
        held: the claim that must stay ours; None where it is carried out without one.
        attempt: what the temporary names of this attempt have and no other's.
    """

    ledger: Ledger
    record: str
    token: str
    plan: OrganizePlan
    sources: Root
    library: Root
    held: Held | None = None
    attempt: str = field(default_factory=_new_attempt)

    async def carry_out(self) -> list[OnShelf]:
        """Place what is not placed yet, then verify every file where it stands.

        Raises:
            WorldFaultError: as `capabilities.adapters.shelf.placing.place`; nothing was placed.
            LostAnswerError: also where somebody else has the claim by now.
            HaltError: failed; some files stand and are named, or one is not what was planned.
        """
        # looked for before the claim is: what an attempt that took over writes is not among them
        left = await self._left()
        await confirm(self.ledger, self.held)
        standing: list[str] = []
        for number, file in enumerate(self.plan.files):
            try:
                await self._clean(file, number, left)
                await self._place(file, number)
            except LostAnswerError:
                raise
            except WorldFaultError as fault:
                if not standing:
                    raise
                raise HaltError(_partly(fault, standing, len(self.plan.files))) from fault
            standing.append(file.target)
        try:
            return [await self._verified(file, n) for n, file in enumerate(self.plan.files)]
        except WorldFaultError as fault:
            raise HaltError(_partly(fault, standing, len(self.plan.files))) from fault

    async def _place(self, file: PlannedFile, number: int) -> Placed | None:
        wanted = replace(placement(file, self.plan.mode), digest=await self._digest(number))
        standing = await to_thread.run_sync(standing_of, self.library, wanted, self.sources)
        if standing is Standing.PLACED:
            return None

        async def write_down(entry: Entry) -> None:
            step = {"file": number, "step": entry.step.value, "digest": entry.digest}
            fault_points.at(f"before_{entry.step}_is_noted")
            if not await self.ledger.write(lambda tx: self._note(tx, step)):
                raise overtaken()
            fault_points.at(f"{entry.step}_is_noted")

        return await place(
            wanted,
            sources=self.sources,
            origin=file.source.path,
            shelf=self.library,
            token=token_for(self.token, self.attempt, number),
            journal=write_down,
        )

    async def _digest(self, number: int) -> str | None:
        """What an earlier attempt wrote down of a copy, by which it is known again."""
        row = await self.ledger.read(lambda conn: shelf.record_by_id(conn, self.record))
        steps = [] if row is None else row.journal
        digests = [step["digest"] for step in steps if step["file"] == number and step["digest"]]
        return digests[-1] if digests else None

    def _note(self, tx: Transaction, step: Mapping[str, object]) -> bool:
        if not holds(tx.conn, self.held):
            return False
        shelf.journal(tx, self.record, step)
        return True

    async def _left(self) -> dict[str, frozenset[str]]:
        """The tokens of the temporary files in every folder that the plan's files go to."""
        left: dict[str, frozenset[str]] = {}
        for folder in {self.library.split(file.target)[0] for file in self.plan.files}:
            try:
                left[folder] = await leftovers(self.library, folder)
            except WorldFaultError:
                continue  # placing there says what is wrong with it
        return left

    async def _clean(
        self, file: PlannedFile, number: int, left: Mapping[str, frozenset[str]]
    ) -> None:
        """Take away what earlier attempts at this plan left beside a target."""
        folder, _ = self.library.split(file.target)
        for token in left.get(folder, ()):
            if is_attempt_at(token, self.token, number):
                await clean(self.library, file.target, token)

    async def _verified(self, file: PlannedFile, number: int) -> OnShelf:
        fault_points.at("before_verify")
        now = frozen_from(await to_thread.run_sync(self.library.status, file.target))
        same = self.plan.mode is not Mode.HARDLINK or now.inode == file.source.inode
        streams = await inspect(self.library, file.target) if file.role == VIDEO else None
        readable = file.role != VIDEO or (streams is not None and not streams.truncated)
        if now.size != file.source.size or not same:
            raise HaltError(_not_as_planned(file, "is not the file that was planned"))
        if not readable:
            raise HaltError(_not_as_planned(file, "cannot be read as a video"))
        fault_points.at("verified")
        digest = await self._digest(number)
        return OnShelf(file, now.device, now.inode, now.size, digest, streams)


def _partly(fault: WorldFaultError, standing: list[str], total: int) -> Failed:
    """Some files stand, so it must not be said that nothing was changed."""
    again, many = isinstance(fault, UnreachableError), len(standing)
    plan = "The same plan" if again else "A new plan"
    return Failed(
        Code.UNAVAILABLE if again else Code.CONFLICT,
        f"{fault.sentence} {many} of {counted(total, 'file')} {'is' if many == 1 else 'are'} in "
        "the library already, "
        f"{standing[0]} first.",
        f"They stay, and the sources are untouched. {plan} goes on from here.",
        retry=again,
        details={"placed": standing},
        partly=True,
    )


def _not_as_planned(file: PlannedFile, why: str) -> Failed:
    return Failed(
        Code.PRECONDITION,
        f"{file.target} was placed but {why}.",
        "It was left where it is; the source is untouched. Look at the file, then plan again.",
        details={"placed": file.target},
        partly=True,
    )
