"""What becomes of a run whose segments were given up; for tasks see `server.background.tasks`."""

from agent.pen import Page
from ledger.attempts import GivenUp
from ledger.ledger import Ledger
from ledger.stores import runs
from ledger.stores.runs import Phase, RunState
from ledger.writer import Transaction


def run_given_up(ledger: Ledger) -> GivenUp:
    """Moves a run that the engine gave up to failed, with the reason, unless it was over."""

    def write(tx: Transaction, run: str, sentence: str) -> None:
        row = runs.by_id(tx.conn, run)
        if row is None or row.state in runs.OVER:
            return
        page = Page(tx, ledger.engine, run, 0, ledger.now())
        page.change(ended_at=page.at)
        page.move(RunState.FAILED, Phase.DONE, sentence)

    return write
