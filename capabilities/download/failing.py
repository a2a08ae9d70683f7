"""The end of a download that brings nothing: written down once, the same whoever finds it out."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from capabilities.kernel.owing import NEXT, owe
from capabilities.rules.holding import HELD, Hold
from capabilities.rules.outside_text import cleaned
from capabilities.rules.under_way import ACTIVE
from ledger.ledger import Ledger
from ledger.stores import blocklist, downloads, events
from ledger.stores.blocklist import NewBlock
from ledger.stores.downloads import DownloadRow
from ledger.stores.expected import give_back
from ledger.writer import Transaction

BLOCK = "block"
"""The name under which the id of its block is among the facts of a download."""


class Block(StrEnum):
    """For what its release is not taken again."""

    NOTHING = "nothing"
    WORK = "work"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why nothing comes of a download.

    Attributes:
        sentence: for a person.
        state: the word that its row has from now on; none that counts as under way.
        hold: why it stands still in its client, where it does.
        block: how far its release is blocked.
        asks_next: whether another release is looked for.
        by: who found it out, as kept with the block.
    """

    sentence: str
    state: str
    hold: Hold | None = None
    block: Block = Block.NOTHING
    asks_next: bool = True
    by: str = "system:track"


def record_failure(tx: Transaction, ledger: Ledger, row: DownloadRow, why: Failure) -> None:
    """Write the state, the block, the slots that are wanted again, and what is owed now."""
    at = ledger.now()
    facts: dict[str, Any] = {key: held for key, held in row.facts.items() if key != HELD}
    if why.hold is not None:
        facts[HELD] = why.hold.value
    if why.block is not Block.NOTHING:
        work = row.work if why.block is Block.WORK else None
        new = NewBlock(why.sentence, work, row.info_hash)
        facts[BLOCK] = blocklist.add(tx, new, at, by=why.by)
    downloads.change(
        tx, row.id, state=why.state, last_error=why.sentence, facts=facts, updated_at=at
    )
    give_back(tx, row, ACTIVE)
    body = {"title": cleaned(row.name), "sentence": why.sentence}
    events.append(tx, "download_failed", body, at, run=row.run)
    if why.asks_next:
        owe(tx, ledger, NEXT, row.id)
    if row.run is not None:
        ledger.engine.wake(tx, "run", row.run)
