"""Bringing a finished download onto the shelf, through the same door as everybody else."""

from capabilities.kernel.actors import system
from capabilities.kernel.authority import IMPORT_JOB
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    Pending,
    Refused,
    Succeeded,
    Unknown,
    facts,
)
from capabilities.kernel.registry import Registry
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow
from ledger.writer import Transaction
from server.background.results import Done, Result, Setback, Wait

OWNER_S = 60.0
LOOK_AGAIN_S = 30.0
NEEDS_OWNER = "needs_owner"


class Importer:
    """Attends to tasks of the kind ``import``; it has no authority but what was approved."""

    def __init__(self, ledger: Ledger, registry: Registry) -> None:
        """Take the registry through which it calls."""
        self._ledger = ledger
        self._registry = registry

    async def attend(self, task: TaskRow) -> Result:
        """Plan, then place; what only the owner can settle is left as a decision."""
        row = await self._ledger.read(lambda conn: downloads.by_id(conn, task.subject))
        if row is None:
            return Done("its download is gone")
        await self._state(row, "importing", None)
        planned = await self._call("organize.plan", {"download": row.id}, task)
        if not isinstance(planned, Succeeded):
            return await self._stopped(row, planned)
        plan = str(facts(planned)["plan"])
        placed = await self._call("organize.execute", {"plan": plan}, task)
        if isinstance(placed, Succeeded):
            return Done(placed.sentence)
        return await self._stopped(row, placed)

    async def _call(
        self, capability: str, arguments: dict[str, object], task: TaskRow
    ) -> AnyOutcome:
        # Waiting is no new attempt: the same request finds the same plan, and its approval.
        attempt = f"{task.id}:{task.attempts}"
        return await self._registry.invoke(
            Call(
                capability,
                arguments,
                system(IMPORT_JOB),
                call_id=f"{attempt}:{capability}",
                request=f"import:{attempt}",
            )
        )

    async def _stopped(self, row: DownloadRow, outcome: AnyOutcome) -> Result:
        match outcome:
            case Unknown(sentence=sentence):
                return Wait(LOOK_AGAIN_S, sentence)
            case Pending(sentence=sentence):
                return Wait(LOOK_AGAIN_S, sentence)
            case Refused(code=Code.NEEDS_APPROVAL, sentence=sentence):
                await self._state(row, NEEDS_OWNER, sentence)
                return Wait(OWNER_S, sentence)
            case Refused(code=Code.CONFLICT, sentence=sentence):
                return Setback(sentence)
            case Failed(sentence=sentence, retry=True):
                await self._state(row, "completed", sentence)
                return Setback(sentence)
            case Refused(sentence=sentence) | Failed(sentence=sentence):
                await self._needs_owner(row, sentence)
                return Setback(sentence, retry=False)
            case Succeeded():
                return Done(outcome.sentence)

    async def _state(self, row: DownloadRow, state: str, sentence: str | None) -> None:
        await self._ledger.write(
            lambda tx: downloads.change(
                tx, row.id, state=state, last_error=sentence, updated_at=self._ledger.now()
            )
        )

    async def _needs_owner(self, row: DownloadRow, sentence: str) -> None:
        """One decision for the import, and the run that waits learns of it."""

        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            downloads.change(tx, row.id, state=NEEDS_OWNER, last_error=sentence, updated_at=at)
            decisions.raise_(
                tx,
                NewDecision(
                    DecisionKind.OTHER,
                    f"import:{row.id}",
                    f"{row.name} could not be imported: {sentence}",
                    Severity.HIGH,
                    evidence={"sentence": sentence},
                    run=row.run,
                    subject=row.id,
                ),
                at,
            )
            if row.run is not None:
                self._ledger.engine.wake(tx, "run", row.run)

        await self._ledger.write(write)
