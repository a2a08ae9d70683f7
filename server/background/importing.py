"""Bringing a finished download onto the shelf, through the same door as everybody else."""

from collections.abc import Mapping
from typing import cast

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.actors import system
from capabilities.kernel.authority import IMPORT_JOB
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    Pending,
    Refused,
    Succeeded,
    Unknown,
    facts,
)
from capabilities.kernel.owing import TRACK, owe
from capabilities.kernel.registry import Registry
from capabilities.organize.assigning import ASSIGNED_BY
from capabilities.organize.closing import IMPORTED, VERIFYING
from capabilities.organize.import_plan import PLAN_TYPE, OrganizePlan, organize_plan
from capabilities.organize.unidentified import rest_question, whole_question
from capabilities.rules.outside_text import cleaned
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import approvals, decisions, downloads, plans, shelf
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import PlanState
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

    def __init__(self, ledger: Ledger, registry: Registry, clients: Downloaders) -> None:
        """Take the registry through which it calls, and the clients that have the files."""
        self._ledger = ledger
        self._registry = registry
        self._clients = clients

    async def attend(self, task: TaskRow) -> Result:
        """Plan, then place; what only the owner can settle is left as a decision."""
        row = await self._ledger.read(lambda conn: downloads.by_id(conn, task.subject))
        if row is None:
            return Done("its download is gone")
        if row.state == IMPORTED:
            return Done("it was placed already")
        if await self._ledger.read(lambda conn: _stands(conn, row)):
            return Done("it is placed; what must be true of it is being verified")
        if await self._ledger.read(lambda conn: _declined(conn, row)):
            await self._end(row, DECLINED)
            return Setback(DECLINED, retry=False, told=True)
        if await self._went_back(row):
            return Done("its client no longer has all of it; it is followed until it has")
        await self._state(row, "importing", None)
        attempt = f"{task.id}:{row.plan}:{task.attempts}:{len(task.steps)}"
        plan = await self._ledger.read(lambda conn: _begun(conn, row))
        if plan is None:
            planned = await self._call("organize.plan", {"download": row.id}, attempt)
            if not isinstance(planned, Succeeded):
                return await self._stopped(row, task, planned)
            plan = str(facts(planned)["plan"])
        placed = await self._call("organize.execute", {"plan": plan}, attempt)
        if isinstance(placed, Succeeded):
            await self._ask_about_the_rest(row)
            return Done(placed.sentence)
        return await self._stopped(row, task, placed)

    async def _went_back(self, row: DownloadRow) -> bool:
        """Let a download that is checked or fetched again be tracked until it is complete."""
        try:
            transfer = await self._clients.named(row.client).transfer(row.info_hash)
        except (WorldFaultError, LookupError):
            return False
        if transfer is None or transfer.complete:
            return False
        state = transfer.state.value

        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            downloads.change(tx, row.id, state=state, completed_at=None, updated_at=at)
            owe(tx, self._ledger, TRACK, row.id)

        await self._ledger.write(write)
        return True

    async def _call(
        self, capability: str, arguments: dict[str, object], attempt: str
    ) -> AnyOutcome:
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
            case Refused(needs={"switch": _}, sentence=sentence):
                return Wait(OWNER_S, sentence)
            case Refused(code=Code.NEEDS_APPROVAL | Code.BUDGET_EXCEEDED, sentence=sentence):
                await self._state(row, NEEDS_OWNER, sentence)
                return Wait(OWNER_S, sentence)
            case (
                Refused(code=Code.CONFLICT, sentence=sentence)
                | Failed(code=Code.CONFLICT, sentence=sentence)
            ):
                await self._ledger.write(lambda tx: _give_up(tx, row))
                return await self._again(row, task, sentence)
            case Failed(sentence=sentence, retry=True):
                return await self._again(row, task, sentence)
            case Refused(needs={"unidentified": files}, sentence=sentence):
                asked = whole_question(row, sentence, cast("Mapping[str, str]", files))
                await self._end(row, sentence, asked)
                return Setback(sentence, retry=False, told=True)
            case Refused(sentence=sentence) | Failed(sentence=sentence):
                await self._end(row, sentence, _decision(row, sentence))
                return Setback(sentence, retry=False, told=True)
            case Succeeded():
                return Done(outcome.sentence)

    async def _again(self, row: DownloadRow, task: TaskRow, sentence: str) -> Setback:
        if is_last(task):
            await self._end(row, sentence, _decision(row, sentence))
            return Setback(sentence, told=True)
        await self._state(row, "completed", sentence)
        return Setback(sentence)

    async def _state(self, row: DownloadRow, state: str, sentence: str | None) -> None:
        await self._ledger.write(
            lambda tx: downloads.change(
                tx, row.id, state=state, last_error=sentence, updated_at=self._ledger.now()
            )
        )

    async def _ask_about_the_rest(self, row: DownloadRow) -> None:
        """Leave to the owner what fits nothing, where the rest was placed."""

        def write(tx: Transaction) -> None:
            asked = rest_question(row, _done_last(tx.conn, row))
            if asked is not None:
                decisions.raise_(tx, asked, self._ledger.now())

        await self._ledger.write(write)

    async def _end(self, row: DownloadRow, sentence: str, asked: NewDecision | None = None) -> None:
        """Leave it to the owner, and let the run that waits learn of it."""

        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            downloads.change(tx, row.id, state=NEEDS_OWNER, last_error=sentence, updated_at=at)
            if asked is not None:
                decisions.raise_(tx, asked, at)
            if row.run is not None:
                self._ledger.engine.wake(tx, "run", row.run)

        await self._ledger.write(write)


def _stands(conn: Snapshot, row: DownloadRow) -> bool:
    """Whether its files are at their places, and only the verification is not over."""
    return any(record.state == VERIFYING for record in shelf.records_of(conn, row.id))


def _begun(conn: Snapshot, row: DownloadRow) -> str | None:
    """The plan that is gone on with: an earlier attempt's, or one by somebody's explicit word."""
    mine = str(system(IMPORT_JOB))
    frozen = [
        plan
        for plan in plans.children(conn, row.plan)
        if plan.state is PlanState.FROZEN and (plan.created_by == mine or ASSIGNED_BY in plan.card)
    ]
    return max(frozen, key=lambda plan: plan.created_at).id if frozen else None


def _done_last(conn: Snapshot, row: DownloadRow) -> OrganizePlan | None:
    """The plan by which its files were placed last."""
    of_it = (plan for plan in plans.children(conn, row.plan) if plan.type == PLAN_TYPE)
    done = [plan for plan in of_it if plan.state is PlanState.DONE]
    return organize_plan(max(done, key=lambda plan: plan.created_at)) if done else None


def _give_up(tx: Transaction, row: DownloadRow) -> None:
    overtaken = _begun(tx.conn, row)
    if overtaken is not None:
        plans.move(tx, overtaken, PlanState.CONFLICT)


def _declined(conn: Snapshot, row: DownloadRow) -> bool:
    """Whether the owner said no to placing what this acquisition brought."""
    return any(
        approvals.of_plan(conn, plan.id, ApprovalState.DECLINED)
        for plan in plans.children(conn, row.plan)
        if plan.state is not PlanState.SUPERSEDED
    )


def _decision(row: DownloadRow, sentence: str) -> NewDecision:
    return NewDecision(
        DecisionKind.OTHER,
        f"import:{row.id}",
        f"{cleaned(row.name)} could not be imported: {sentence}",
        Severity.HIGH,
        evidence={"sentence": sentence},
        options=offered(Option.RETRY, Option.DISMISS),
        run=row.run,
        subject=row.id,
    )
