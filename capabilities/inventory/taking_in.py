"""Taking planned files into the inventory: at once where they are few, else some at a time.

What is to be taken is written down before the claim, as parts of the plan that mean nothing by
themselves. The claim begins the work, each part is taken once, and the last one settles the claim.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

from pydantic import TypeAdapter

from capabilities.inventory.unclear import new_videos_key, unclear_key, unclear_titles
from capabilities.kernel.claiming import settle_in
from capabilities.rules.adoption import Adoptable, Unclear
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.stores import adoption_parts, assets, claims, decisions, libraries, plans, surveys
from ledger.stores.adoption_parts import Part
from ledger.stores.claims import ClaimState, Settlement
from ledger.stores.plans import PlanState
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction

AT_ONCE: Final = 400
"""Files of one transaction."""
CLEANED_AT_ONCE: Final = 20
LAST: Final = 1_000_000_000
"""The number of the part that ends an adoption."""
BY: Final = "system:inventory"


@dataclass(frozen=True, slots=True)
class Ending:
    """What ends an adoption.

    Attributes:
        folder: which was adopted.
        by: who adopted it.
        seen_by: up to when what was seen was looked through; what came later is new.
        unclear: some of what is left, and ``left`` all of it by number.
        output: what the call answers, with the sentence.
    """

    folder: str
    by: str
    seen_by: datetime
    unclear: list[dict[str, Any]]
    left: int
    titles_left: int
    natural_key: str
    output: dict[str, Any]
    sentence: str


def is_small(files: Sequence[Adoptable]) -> bool:
    """Whether they are taken in one transaction."""
    return len(files) <= AT_ONCE


_ENDING: Final = TypeAdapter(Ending)


async def write_parts(
    ledger: Ledger, plan: str, library: str, files: Sequence[Adoptable], ending: Ending
) -> None:
    """Write down what is to be taken; parts of an earlier try are gone or replaced.

    Raises:
        LedgerUnavailableError: it could not be written; nothing follows from what was.
    """
    at = ledger.now()
    clean = partial(adoption_parts.drop_from, plan=plan, n=0, limit=CLEANED_AT_ONCE)
    while await ledger.write(clean):
        pass
    filled = filling(files)
    for n, first in enumerate(range(0, len(files), AT_ONCE)):
        some = files[first : first + AT_ONCE]
        body = {"files": [_as_row(one, library, plan, filled) for one in some]}
        await ledger.write(partial(adoption_parts.put, plan=plan, n=n, body=body, at=at))
    last: dict[str, Any] = _ENDING.dump_python(ending, mode="json")
    await ledger.write(partial(adoption_parts.put, plan=plan, n=LAST, body=last, at=at))


def filling(files: Iterable[Adoptable]) -> Mapping[tuple[str, int, int], Adoptable]:
    """Which file fills a slot: of several the biggest."""
    filled: dict[tuple[str, int, int], Adoptable] = {}
    for one in sorted(files, key=lambda file: (file.size, file.path)):
        filled |= dict.fromkeys(one.slots, one)
    return filled


def take_all(
    tx: Transaction,
    plan: str,
    library: str,
    files: Sequence[Adoptable],
    *,
    ending: Ending,
    at: datetime,
) -> None:
    """Take few files in, with all that follows."""
    filled = filling(files)
    _record(tx, [_as_row(one, library, plan, filled) for one in files], at)
    _end(tx, plan, ending, at)


async def take_parts(ledger: Ledger, plan: str) -> int:
    """Take in what is left of a plan, part by part; how many parts it was.

    Raises:
        LedgerUnavailableError: it could not be written; what is left is taken the next time.
    """
    taken = 0
    while (part := await ledger.read(partial(adoption_parts.first, plan=plan))) is not None:
        await ledger.write(partial(_take, part=part, ledger=ledger))
        taken += 1
    return taken


def _take(tx: Transaction, part: Part, ledger: Ledger) -> None:
    if not adoption_parts.drop(tx, part.plan, part.n):
        return  # somebody else was faster
    at = ledger.now()
    if part.n != LAST:
        _record(tx, part.body["files"], at)
        return
    ending = _ENDING.validate_python(part.body)
    _end(tx, part.plan, ending, at)
    claim = claims.unsettled_on(tx.conn, ending.natural_key)
    if claim is not None and claim.plan == part.plan:
        end = Settlement(ClaimState.SUCCEEDED, ending.output, sentence=ending.sentence)
        settle_in(tx, ledger, claim, end, by=BY)


def _as_row(
    one: Adoptable,
    library: str,
    plan: str,
    filled: Mapping[tuple[str, int, int], Adoptable],
) -> dict[str, Any]:
    """A file with the slots that it fills; where several would, another part has them."""
    return {
        "id": new_id("asset"),
        "path": f"{library}/{one.path}",
        "work": one.work,
        "season": one.season,
        "episode": one.episodes[0] if one.episodes else None,
        "quality": one.quality,
        "size": one.size,
        "device": one.device,
        "inode": one.inode,
        "mtime_ns": one.mtime_ns,
        "record": plan,
        "fills": [list(place) for place in one.slots if filled[place] is one],
    }


def _record(tx: Transaction, told: Sequence[Mapping[str, Any]], at: datetime) -> None:
    """Files and the slots they fill; a file that was recorded meanwhile stays as it is."""
    known = assets.known_paths(tx.conn, [one["path"] for one in told])
    new = [one for one in told if one["path"] not in known]
    assets.put_many(tx, [_asset(one, at) for one in new])
    filled: dict[tuple[str, int, int], str] = {}
    for one in new:
        for place in one["fills"]:
            filled[cast("tuple[str, int, int]", tuple(place))] = one["id"]
    assets.satisfy(tx, filled)


def _asset(told: Mapping[str, Any], at: datetime) -> AssetRow:
    facts = {name: held for name, held in told.items() if name != "fills"}
    return AssetRow(**facts, streams={}, seen_at=at)


def _end(tx: Transaction, plan: str, ending: Ending, at: datetime) -> None:
    """The library, its plan, and the question about what is left.

    What was seen since the plan's look follows from the next one.
    """
    folder = ending.folder
    libraries.adopt(tx, folder, by=ending.by, at=ending.seen_by)
    plans.move(tx, plan, PlanState.DONE)
    holding = libraries.holding(tx.conn, folder)
    surveys.unsettle(tx, folder if holding is None else holding.path)
    if ending.left:
        unclear = [Unclear(**one) for one in ending.unclear]
        asked = unclear_titles(
            folder, unclear, files=ending.left, left_out=ending.titles_left - len(unclear)
        )
        decisions.raise_(tx, asked, at)
    else:
        _close(tx, unclear_key(folder), "every title is told", at)
    _close(tx, new_videos_key(folder), "they were looked at", at)


def _close(tx: Transaction, cause: str, resolution: str, at: datetime) -> None:
    decisions.close_for(tx, cause, by=BY, resolution=resolution, at=at)
