"""Cancel a task that has not begun, or waits between its attempts."""

from collections.abc import Mapping
from typing import Final

from capabilities.kernel.actors import system
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.deciding import withdraw_in
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.owing import ADOPT, IMPORT, TRACK, VERIFY
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.targets import Target
from capabilities.kernel.unsettled import unsettled_placing
from capabilities.task.subject import (
    NEEDS_OWNER,
    WORDS,
    Input,
    Output,
    Subject,
    found,
    subject_of,
    target_of,
)
from ledger.ledger import Ledger
from ledger.stores import approvals, claims, decisions, downloads, plans, tasks
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import ENDED, TaskRow, TaskState
from ledger.writer import Transaction

JOB: Final = system("task")
MEANS: Final[Mapping[str, str]] = {
    TRACK: "Nobody follows this download any more: its client goes on with it, and it is not "
    "imported when it is complete.",
    IMPORT: "Its files stay where they are, in the download folder, and the download needs you.",
    VERIFY: "Its files stay in the library, and do not count as there: they are not verified.",
}
"""What the end of a kind of task means for its download."""
AFTERWARDS: Final = "It can be begun anew with task__retry."


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a task that is over or at work, with its state and what it does."""
    del given
    _refuse(await found(str(target.facts["task"]), context))


@capability(
    "task.cancel",
    version=1,
    title="Cancel a task",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="task.cancel",
    toolset=Toolset.ACQUIRE,
    target=target_of,
    check=check,
    use_when="Cancel a background task that has not begun or waits between attempts. The answer "
    "says what that means for its download; task__retry begins it anew.",
    not_when="A running task is refused. It removes no torrent and no file; download__remove does.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=40,
    example={"task": "task:1"},
)
async def cancel(given: Input, context: Context) -> Outcome[Output]:
    """Look at what it may have left in the middle, then end it where nothing is."""
    about = await found(given.task, context)
    _refuse(about)
    if about.task.kind == IMPORT and about.download is not None:
        await _settle_placing(about.download, context)
    by = str(context.actor)
    context.stage(lambda tx: _end(tx, context.ledger, about.task.id, by))
    (reference,) = await context.refer("task", about.task.id)
    output = Output(task=reference, kind=about.task.kind, state=TaskState.CANCELLED)
    means = MEANS.get(about.task.kind, "")
    return Succeeded(output, f"Cancelled. {means} {AFTERWARDS}".replace("  ", " "))


async def _settle_placing(row: DownloadRow, context: Context) -> None:
    """Look at the world for a placing of unknown outcome; what is under way is not cut off.

    Raises:
        HaltError: refused; it is under way, or was done, or nobody can tell.
    """
    claim = await context.ledger.read(lambda conn: unsettled_placing(conn, row.plan))
    if claim is not None and claim.state is ClaimState.UNKNOWN and context.door is not None:
        looked = claim.id
        await context.door.check(looked, context.actor)
        claim = await context.ledger.read(lambda conn: unsettled_placing(conn, row.plan))
        placed = await context.ledger.read(lambda conn: claims.by_id(conn, looked))
        if placed is not None and placed.state is ClaimState.SUCCEEDED:
            sentence = "A look showed that its files were placed, so nothing was cancelled."
            raise HaltError(Refused(Code.PRECONDITION, sentence, {"invocation": looked}))
    if claim is None:
        return
    sentence = "Its files are being placed in the library. Nothing was cancelled."
    if claim.state is ClaimState.UNKNOWN:
        sentence = (
            "It is not known whether its files were placed in the library, and a look does not "
            "tell. Nothing was cancelled."
        )
    needs = {"invocation": claim.id, "state": claim.state}
    raise HaltError(Refused(Code.PRECONDITION, sentence, {**needs, "do": "Try again later."}))


def _refuse(about: Subject) -> None:
    task = about.task
    if task.state not in {*ENDED, TaskState.RUNNING}:
        if task.kind == ADOPT:
            _refuse_adoption(task)
        return
    sentence = f"It is over already: {task.state}."
    if task.state is TaskState.RUNNING:
        sentence = f"It is at work now: {about.words}.{about.doing}"
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            f"{sentence} Nothing was cancelled.",
            {"state": task.state, "do": "Look at it with task__inspect."},
        )
    )


def _refuse_adoption(task: TaskRow) -> None:
    """Only its last part settles the claim, so without it that claim would wait for ever."""
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            "A library is being taken into the inventory, some videos at a time, and that is not "
            "left in the middle. Nothing was cancelled.",
            {"state": task.state, "do": "Let it end; task__inspect tells how far it is."},
        )
    )


def _end(tx: Transaction, ledger: Ledger, task: str, by: str) -> None:
    """End it as it stands in this transaction, so that a segment that began is not cut in half."""
    about = subject_of(tx.conn, task)
    if about is None:
        return
    _refuse(about)
    at, row = ledger.now(), about.download
    ledger.engine.cancel(tx, "task", task)
    tasks.add_step(tx, task, {"at": at.isoformat(), "step": f"cancelled by {by}"})
    tasks.change(tx, task, state=TaskState.CANCELLED, ended_at=at, next_try_at=None)
    for cause in (f"task:{task}", f"{about.task.kind}:{about.task.subject}"):
        decisions.close_for(tx, cause, by=by, resolution="its task was cancelled", at=at)
    if row is None or about.task.kind not in WORDS:
        return
    sentence = f"{WORDS[about.task.kind].capitalize()} was cancelled. {AFTERWARDS}"
    state = row.state if about.task.kind == TRACK else NEEDS_OWNER
    downloads.change(tx, row.id, state=state, last_error=sentence, updated_at=at)
    if about.task.kind == IMPORT:
        _take_back(tx, ledger, row)
    if row.run is not None:
        ledger.engine.wake(tx, "run", row.run)


def _take_back(tx: Transaction, ledger: Ledger, row: DownloadRow) -> None:
    """Ask the owner no more about plans that nobody is going to carry out."""
    for plan in plans.children(tx.conn, row.plan):
        for asked in approvals.of_plan(tx.conn, plan.id, ApprovalState.REQUESTED):
            if asked.requested_by == str(system(IMPORT)):
                withdraw_in(tx, ledger, asked.id, by=JOB, reason="the import was cancelled")
