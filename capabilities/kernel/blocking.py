"""The owner's hand on the blocklist: what is never taken, and taking it again."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from pydantic import BaseModel

from capabilities.kernel import switches
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import audit, blocklist, works
from ledger.stores.blocklist import BlockRow, NewBlock
from ledger.writer import Transaction


class BlockFacts(BaseModel, from_attributes=True):
    """An entry; without a work it holds for every one.

    ``info_hash`` names the torrent; where it is not known, title and indexer stand for it.
    """

    id: str
    work: str | None
    info_hash: str | None
    title: str | None
    indexer: str | None
    reason: str
    by: str
    created_at: datetime
    removed_at: datetime | None
    removed_by: str | None


async def block(ledger: Ledger, new: NewBlock, *, by: Actor) -> Outcome[BlockFacts]:
    """Block a release for one work, named by id or key, or for all of them.

    It counts from the next search and the next plan on; what is under way goes on.
    """

    def write(tx: Transaction) -> BlockRow:
        _refuse(tx.conn, by)
        if new.info_hash is None and new.title is None:
            raise HaltError(
                Refused(
                    Code.INVALID_INPUT,
                    "Say what is blocked: an info-hash, or the title of the release.",
                    {"example": {"info_hash": "ab" * 20, "reason": "a fake"}},
                )
            )
        named = replace(new, work=_work(tx.conn, new.work), reason=_words(new.reason))
        id_ = blocklist.add(tx, named, ledger.now(), by=str(by))
        return _noted(tx, ledger, id_, by, "release blocked", reason=named.reason)

    return await _carried_out(ledger, write, "It is on the blocklist, and not taken again.")


async def unblock(ledger: Ledger, id_: str, *, by: Actor, reason: str) -> Outcome[BlockFacts]:
    """Let a release be taken again."""

    def write(tx: Transaction) -> BlockRow:
        _refuse(tx.conn, by)
        words = _words(reason)
        if blocklist.by_id(tx.conn, id_) is None:
            raise HaltError(Refused(Code.NOT_FOUND, "There is no such entry on the blocklist."))
        if not blocklist.remove(tx, id_, ledger.now(), by=str(by)):
            raise HaltError(Refused(Code.CONFLICT, "It was removed from the blocklist already."))
        return _noted(tx, ledger, id_, by, "release unblocked", reason=words)

    return await _carried_out(ledger, write, "It may be taken again.")


def _refuse(conn: Snapshot, by: Actor) -> None:
    if not by.decides:
        sentence = "Only the signed-in owner blocks a release, or lets it be taken again."
        raise HaltError(Refused(Code.DENIED, sentence, {"who": "owner"}))
    if (barred := switches.read_only(conn)) is not None:
        raise HaltError(barred)


def _words(reason: str) -> str:
    words = reason.strip()
    if not words:
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                "It needs a reason; whoever finds the release is told it.",
                {"reason": "text"},
            )
        )
    return words


def _work(conn: Snapshot, named: str | None) -> str | None:
    if named is None:
        return None
    work = works.by_id(conn, named) or works.by_key(conn, named)
    if work is None:
        raise HaltError(Refused(Code.NOT_FOUND, f"There is no work {named[:80]!r}."))
    return work.id


def _noted(
    tx: Transaction, ledger: Ledger, id_: str, by: Actor, action: str, *, reason: str
) -> BlockRow:
    row = blocklist.by_id(tx.conn, id_)
    if row is None:
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such entry on the blocklist."))
    named = {"work": row.work, "info_hash": row.info_hash, "title": row.title}
    summary = {"block": id_, **named, "indexer": row.indexer, "reason": reason}
    audit.write(tx, audit.Entry(ledger.now(), str(by), action, summary=summary))
    return row


async def _carried_out(
    ledger: Ledger, write: Callable[[Transaction], BlockRow], said: str
) -> Outcome[BlockFacts]:
    try:
        return Succeeded(BlockFacts.model_validate(await ledger.write(write)), said)
    except HaltError as halt:
        return halt.outcome
