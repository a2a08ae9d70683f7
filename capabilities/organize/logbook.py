"""The journal of one record, as one attempt reads it once and writes it on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from capabilities.adapters.shelf.placements import Placement
from capabilities.kernel import fault_points
from capabilities.organize.holding import holds, overtaken
from ledger.ledger import Ledger
from ledger.stores import shelf
from ledger.stores.claims import Held
from ledger.writer import Transaction

INSTEAD: Final = "instead"
RECYCLING: Final = "recycling"
RECYCLED: Final = "recycled"
RESTORED: Final = "restored"
TAKEN_BACK: Final = "taken_back"
LEFT: Final = "left"


@dataclass(slots=True)
class Logbook:
    """What was written down of a record, and the way to write down more.

    A step is about one file of the plan (``file``), or about all from ``file`` through ``through``.

    Attributes:
        held: the claim that must stay ours; None where it is carried out without one.
        digests: SHA-256 by file, of what was copied or cloned.
        instead: why files were copied although the plan has them linked or cloned; None if none.
        places: where in a recycle folder each old file goes, by library and path.
        away: those of them that are there.
        named: files of the plan that got their names by this record, and have them still.
    """

    ledger: Ledger
    record: str
    held: Held | None
    digests: dict[int, str] = field(default_factory=dict[int, str])
    instead: str | None = None
    places: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    away: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    named: set[int] = field(default_factory=set[int])

    async def read(self) -> None:
        """Learn what earlier attempts wrote down."""
        row = await self.ledger.read(lambda conn: shelf.record_by_id(conn, self.record))
        for step in [] if row is None else row.journal:
            self._learn(step)

    async def note(self, *steps: Mapping[str, object]) -> None:
        """Write steps down together, durable when this returns.

        Raises:
            LostAnswerError: somebody else has the claim by now; nothing was written.
        """
        if not steps:
            return
        for step in steps:
            fault_points.at(f"before_{step['step']}_is_noted")
        if not await self.ledger.write(lambda tx: self._write(tx, steps)):
            raise overtaken()
        for step in steps:
            self._learn(step)
            fault_points.at(f"{step['step']}_is_noted")

    async def note_many(self, names: Sequence[str], numbers: Iterable[int]) -> None:
        """Write down that several steps are true of several files, in as few lines as can be."""
        ranges = list(_ranges(sorted(numbers)))
        await self.note(*(_line(name, *ends) for name in names for ends in ranges))

    def _write(self, tx: Transaction, steps: Sequence[Mapping[str, object]]) -> bool:
        if not holds(tx.conn, self.held):
            return False
        for step in steps:
            shelf.journal(tx, self.record, step)
        return True

    def _learn(self, step: Mapping[str, Any]) -> None:
        if step.get("digest"):
            self.digests[step["file"]] = step["digest"]
        old = (step.get("folder", ""), step.get("from", ""))
        match step["step"]:
            case "instead":
                self.instead = step["why"]
            case "recycling":
                self.places[old] = step["to"]
            case "recycled":
                self.away.add(old)
            case "restored":
                self.away.discard(old)
            case "renamed" | "flushed":
                self.named.update(range(step["file"], step.get("through", step["file"]) + 1))
            case "taken_back":
                self.named.discard(step["file"])
            case _:
                pass

    def with_digest(self, number: int, placement: Placement) -> Placement:
        """What is to be placed, with the digest by which a copy of it is known again."""
        return replace(placement, digest=self.digests.get(number))


def _ranges(numbers: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The first and last of each run of neighbours."""
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]


def _line(name: str, first: int, last: int) -> Mapping[str, object]:
    through = {"through": last} if last > first else {}
    return {"file": first, **through, "step": name, "digest": None}
