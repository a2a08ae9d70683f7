"""Let a task that ended without success begin anew."""

from typing import Final

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.owing import VERIFY, begin_anew
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.targets import Target
from capabilities.task.subject import (
    IMPORTING,
    NEEDS_OWNER,
    Input,
    Output,
    Subject,
    found,
    subject_of,
    target_of,
)
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, tasks
from ledger.stores.tasks import TaskState
from ledger.writer import Transaction

AGAIN: Final = frozenset({TaskState.FAILED, TaskState.DEAD, TaskState.CANCELLED})
_WHY: Final = {
    TaskState.SUCCEEDED: "It succeeded, so there is nothing to do again.",
    TaskState.QUEUED: "It is queued and begins by itself.",
    TaskState.RUNNING: "It is running.",
    TaskState.WAITING: "It is waiting and goes on by itself.",
}


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a task that is under way or has succeeded, with its state."""
    del given
    _refuse(await found(str(target.facts["task"]), context))


@capability(
    "task.retry",
    version=1,
    title="Try a task again",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="task.retry",
    toolset=Toolset.ACQUIRE,
    target=target_of,
    check=check,
    use_when="Let a task that failed, died after its attempts or was cancelled begin anew, with "
    "all of its attempts before it.",
    not_when="A task that waits goes on by itself. What it had done already is not done twice.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=20,
    example={"task": "task:1"},
)
async def retry(given: Input, context: Context) -> Outcome[Output]:
    """Begin it anew; what its acts came to earlier is looked up under their own claims."""
    about = await found(given.task, context)
    _refuse(about)
    by = str(context.actor)
    context.stage(lambda tx: _begin(tx, context.ledger, about.task.id, by))
    (reference,) = await context.refer("task", about.task.id)
    output = Output(task=reference, kind=about.task.kind, state=TaskState.QUEUED)
    return Succeeded(output, f"It begins anew: {about.words}. What was done is not done twice.")


def _refuse(about: Subject) -> None:
    task = about.task
    if task.state in AGAIN:
        return
    needs: dict[str, object] = {"state": task.state, "do": "Look at it with task__inspect."}
    if task.next_try_at is not None:
        needs["next_try_at"] = task.next_try_at.isoformat()
    sentence = f"{_WHY[task.state]}{about.doing} Nothing was changed."
    raise HaltError(Refused(Code.PRECONDITION, sentence, needs))


def _begin(tx: Transaction, ledger: Ledger, task: str, by: str) -> None:
    about = subject_of(tx.conn, task)
    if about is None:
        return
    _refuse(about)
    at, row = ledger.now(), about.download
    tasks.add_step(tx, task, {"at": at.isoformat(), "step": f"begun anew by {by}"})
    begin_anew(tx, ledger, task)
    causes = [f"task:{task}", f"{about.task.kind}:{about.task.subject}"]
    for cause in causes:
        decisions.close_for(tx, cause, by=by, resolution="it is tried again", at=at)
    if row is not None and about.task.kind == VERIFY and row.state == NEEDS_OWNER:
        downloads.change(tx, row.id, state=IMPORTING, last_error=None, updated_at=at)
