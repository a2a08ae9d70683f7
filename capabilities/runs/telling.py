"""Reaching a run: words for it, and news of it for whoever follows."""

from capabilities.kernel.context import Context
from capabilities.runs.shown import KIND
from ledger.stores import events, runs
from ledger.stores.runs import RunState
from ledger.writer import Transaction

STATUS = "run_status"


def tell_status(tx: Transaction, context: Context, run: str, state: RunState) -> None:
    """Write that a run's state is another one now."""
    body = {"state": state, "reason": None}
    events.append(tx, STATUS, body, context.ledger.now(), run=run)


def deliver(tx: Transaction, context: Context, run: str, words: str) -> None:
    """Leave words for a run and let it go on, also after its end.

    A run that has ended is queued again, and that it was once stopped no longer counts.
    """
    runs.tell(tx, run, str(context.actor), words, context.ledger.now())
    row = runs.by_id(tx.conn, run)
    if row is not None and row.state in runs.OVER:
        runs.change(tx, run, state=RunState.QUEUED, abort_asked=False)
        tell_status(tx, context, run, RunState.QUEUED)
    context.ledger.engine.nudge(tx, KIND, run)
