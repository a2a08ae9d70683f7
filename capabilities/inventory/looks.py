"""A look at a library that background work gives, and that every caller may wait for a while."""

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import anyio

from capabilities.adapters.shelf import roots
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Pending
from capabilities.kernel.owing import SURVEY
from capabilities.rules.wording import counted
from ledger import segments
from ledger.ledger import Ledger
from ledger.segments import Standing
from ledger.stores import surveys
from ledger.stores.surveys import SurveyRow
from ledger.writer import Transaction

PATIENCE_S: Final = 5.0
"""How long a call waits for a look before it tells how far that is."""
LONG: Final = timedelta(seconds=5)
FRESH_FOR: Final = 10
"""A look that took long is good for so many times its length: who asks again comes to an end."""
AGAIN_S: Final = 300.0
"""Between two looks at an adopted library, if nobody heard of a change."""
CHECK: Final = "the same call again goes on from there, and tells how far it is"


async def looked(library: Path, context: Context) -> SurveyRow:
    """The look at a library that was just given; the inventory does not follow from it yet.

    However many ask, there is one look at a time, and it goes on when they leave, also after a
    restart.

    Raises:
        HaltError: pending, with how far it is; or failed, where the library cannot be believed.
        WorldFaultError: there is no such folder, or it cannot be opened.
    """
    async with roots.opened(library, f"the library {library.name}"):
        pass
    ledger, path = context.ledger, str(library)
    row = await ledger.read(lambda conn: surveys.by_path(conn, path))
    if row is None or row.is_owed or not _is_fresh(row, ledger.now()):
        asked = await ledger.write(partial(ask, ledger=ledger, path=path))
        row = await _awaited(asked, context)
    if row.fault is not None:
        raise HaltError(Failed(Code.PRECONDITION, row.fault, "Nothing was changed."))
    return row


def ask(tx: Transaction, ledger: Ledger, path: str) -> SurveyRow:
    """Let a look be given, unless one is owed already."""
    row = surveys.of(tx, path)
    if not row.is_owed:
        row = surveys.ask(tx, path)
    if not ledger.engine.schedule(tx, SURVEY, row.id):
        ledger.engine.nudge(tx, SURVEY, row.id)
    return row


def keep_seen(tx: Transaction, ledger: Ledger, path: str) -> None:
    """Let an adopted library be looked at again and again; call it as often as you like."""
    row = surveys.of(tx, path)
    if ledger.engine.schedule(tx, SURVEY, row.id, delay_s=AGAIN_S):
        return
    standing = segments.of(tx.conn, SURVEY, row.id)
    if standing is not None and standing.state is Standing.ENDED:
        ledger.engine.nudge(tx, SURVEY, row.id)


async def _awaited(asked: SurveyRow, context: Context) -> SurveyRow:
    row = asked
    with anyio.move_on_after(PATIENCE_S):
        async with context.ledger.feed.listening() as bell:
            while (row := await _now(row, context)).answered < asked.asked:
                if row.begun_at is not None:
                    await context.report(_files(row), None, _sentence(row, context))
                await bell.receive()
    if (row := await _now(row, context)).answered < asked.asked:
        raise HaltError(Pending(row.id, _sentence(row, context), CHECK))
    return row


async def _now(row: SurveyRow, context: Context) -> SurveyRow:
    return await context.ledger.read(lambda conn: surveys.by_id(conn, row.id)) or row


def _is_fresh(row: SurveyRow, now: datetime) -> bool:
    if row.fault is not None or row.begun_at is None or row.ended_at is None:
        return False
    took = row.ended_at - row.begun_at
    return took >= LONG and timedelta() <= now - row.ended_at <= FRESH_FOR * took


def _files(row: SurveyRow) -> int:
    return int(row.seen.get("files", 0))


def _sentence(row: SurveyRow, context: Context) -> str:
    """How far a look is, for whoever follows it."""
    if row.begun_at is None or row.ended_at is not None:
        return "The look at the library waits for its turn."
    files = _files(row)
    passed = (context.ledger.now() - row.begun_at).total_seconds()
    pace = f", {files / passed:.0f} files a second" if passed >= 1 else ""
    return (
        f"The library is being looked at: {counted(files, 'file')} in "
        f"{counted(int(row.seen.get('folders', 0)), 'folder')} seen, "
        f"{counted(int(row.seen.get('names', 0)), 'name')} read{pace}."
    )
