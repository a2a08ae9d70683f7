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
from capabilities.organize.conclusion import IMPORTED
from capabilities.rules.outside_text import cleaned
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import approvals, decisions, downloads, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow
from ledger.writer import Transaction
from server.background.results import Done, Result, Setback, Wait
from server.background.tasks import is_last

OWNER_S = 60.0
LOOK_AGAIN_S = 30.0
NEEDS_OWNER = "needs_owner"
DECLINED = "You declined to have it placed; it stays in the download folder."


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
        if row.state == IMPORTED:
            return Done("it was placed already")
        if await self._ledger.read(lambda conn: _declined(conn, row)):
            await self._end(row, DECLINED, decision=False)
            return Setback(DECLINED, retry=False, told=True)
        await self._state(row, "importing", None)
        attempt = f"{task.id}:{row.plan}:{task.attempts}"
        planned = await self._call("organize.plan", {"download": row.id}, attempt)
        if not isinstance(planned, Succeeded):
            return await self._stopped(row, task, planned)
        plan = str(facts(planned)["plan"])
        placed = await self._call("organize.execute", {"plan": plan}, attempt)
        if isinstance(placed, Succeeded):
            return Done(placed.sentence)
        return await self._stopped(row, task, placed)

    async def _call(
        self, capability: str, arguments: dict[str, object], attempt: str
    ) -> AnyOutcome:
        # Waiting is no new attempt: the same call finds the same plan, and its approval.
        return await self._registry.invoke(
            Call(
                capability,
                arguments,
                system(IMPORT_JOB),
                call_id=f"{attempt}:{capability}",
                request=f"import:{attempt}",
            )
        )

    async def _stopped(self, row: DownloadRow, task: TaskRow, outcome: AnyOutcome) -> Result:
        match outcome:
            case Unknown(sentence=sentence) | Pending(sentence=sentence):
                return Wait(LOOK_AGAIN_S, sentence)
            case Refused(code=Code.NEEDS_APPROVAL, sentence=sentence):
                await self._state(row, NEEDS_OWNER, sentence)
                return Wait(OWNER_S, sentence)
            case (
                Refused(code=Code.CONFLICT, sentence=sentence)
                | Failed(sentence=sentence, retry=True)
            ):
                if is_last(task):
                    await self._end(row, sentence, decision=True)
                    return Setback(sentence, told=True)
                await self._state(row, "completed", sentence)
                return Setback(sentence)
            case Refused(sentence=sentence) | Failed(sentence=sentence):
                await self._end(row, sentence, decision=True)
                return Setback(sentence, retry=False, told=True)
            case Succeeded():
                return Done(outcome.sentence)

    async def _state(self, row: DownloadRow, state: str, sentence: str | None) -> None:
        await self._ledger.write(
            lambda tx: downloads.change(
                tx, row.id, state=state, last_error=sentence, updated_at=self._ledger.now()
            )
        )

    async def _end(self, row: DownloadRow, sentence: str, *, decision: bool) -> None:
        """Leave it to the owner, and let the run that waits learn of it."""

        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            downloads.change(tx, row.id, state=NEEDS_OWNER, last_error=sentence, updated_at=at)
            if decision:
                decisions.raise_(tx, _decision(row, sentence), at)
            if row.run is not None:
                self._ledger.engine.wake(tx, "run", row.run)

        await self._ledger.write(write)


def _declined(conn: Snapshot, row: DownloadRow) -> bool:
    """Whether the owner said no to placing what this acquisition brought."""
    return any(
        approvals.of_plan(conn, plan.id, ApprovalState.DECLINED)
        for plan in plans.children(conn, row.plan)
    )


def _decision(row: DownloadRow, sentence: str) -> NewDecision:
    return NewDecision(
        DecisionKind.OTHER,
        f"import:{row.id}",
        f"{cleaned(row.name)} could not be imported: {sentence}",
        Severity.HIGH,
        evidence={"sentence": sentence},
        run=row.run,
        subject=row.id,
    )
