"""Stop a run."""

from pydantic import BaseModel

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from capabilities.runs.shown import KIND, RunReference, named, visible
from ledger.stores import downloads, runs
from ledger.stores.runs import RunState
from ledger.writer import Transaction

MOST_NAMED = 10


class Input(BaseModel, extra="forbid"):
    """Which run."""

    run: RunReference


class Output(BaseModel):
    """Asked to stop; what it submitted goes on."""

    run: str
    state: RunState
    stopping: bool
    not_undone: list[str]


@capability(
    "runs.abort_run",
    version=1,
    title="Stop a run",
    kind=Kind.CONTROL,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.CALL,
    scope="run",
    toolset=Toolset.RUNS,
    use_when="Stop a run: its model and its present step are cut off, and what it asked the "
    "owner is withdrawn. The answer names what stopping does not undo.",
    not_when="It cancels no download and moves no file back.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"run": "run:1"},
)
async def abort_run(given: Input, context: Context) -> Outcome[Output]:
    """Ask the run to stop; it does so at once, wherever it is."""
    run = await visible(context, given.run)
    submitted = await context.ledger.read(lambda conn: downloads.of_run(conn, run.id))
    over = run.state in runs.OVER

    def write(tx: Transaction) -> None:
        runs.change(tx, run.id, abort_asked=True)
        context.ledger.engine.nudge(tx, KIND, run.id)

    if not over:
        context.stage(write)
    (reference,) = await named(context, run.id)
    output = Output(
        run=reference,
        state=run.state,
        stopping=not over,
        not_undone=[cleaned(row.name) for row in submitted[:MOST_NAMED]],
    )
    return Succeeded(output, _sentence(reference, over=over, submitted=len(submitted)))


def _sentence(reference: str, *, over: bool, submitted: int) -> str:
    said = f"{reference} had ended already." if over else f"{reference} is being stopped."
    if not submitted:
        return said
    went_on = "1 download it submitted goes" if submitted == 1 else f"{submitted} downloads go"
    return f"{said} This undoes nothing: {went_on} on."
