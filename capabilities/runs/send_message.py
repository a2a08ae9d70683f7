"""Tell a run something."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.runs.shown import RunReference, named, visible
from capabilities.runs.telling import deliver
from ledger.stores import runs


class Input(BaseModel, extra="forbid", str_strip_whitespace=True):
    """Which run, and what to tell it."""

    run: RunReference
    text: Annotated[
        str, Field(description="What the agent shall know or do.", min_length=1, max_length=4000)
    ]


class Output(BaseModel):
    """The message is kept; the run reads it at its next step."""

    run: str
    reopened: bool


@capability(
    "runs.send_message",
    version=1,
    title="Tell a run something",
    kind=Kind.CONTROL,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.CALL,
    scope="run",
    toolset=Toolset.RUNS,
    use_when="Tell a run something more. It reads it before its next step; while it waits for "
    "the owner's approval, afterwards. A run that has ended is taken up again.",
    not_when="It approves nothing, and a run that is being stopped takes none.",
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=False),
    timeout=10,
    example={"run": "run:1", "text": "The original audio, please."},
)
async def send_message(given: Input, context: Context) -> Outcome[Output]:
    """Keep the words, and let the run go on where it can."""
    run = await visible(context, given.run)
    over = run.state in runs.OVER
    if run.abort_asked and not over:
        return Refused(
            Code.CONFLICT,
            "This run is being stopped, so it takes no message. Nothing was sent.",
            {"do": "Send it again once the run has ended."},
        )
    context.stage(lambda tx: deliver(tx, context, run.id, given.text))
    (reference,) = await named(context, run.id)
    sentence = f"{reference} is taken up again." if over else f"Sent to {reference}."
    return Succeeded(Output(run=reference, reopened=over), sentence)
