"""Start a run of the agent."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.runs.shown import KIND, named
from capabilities.runs.telling import tell_status
from ledger.clock import new_id
from ledger.stores import runs
from ledger.stores.runs import RunState
from ledger.writer import Transaction

RUN, RUN_ASK = "run", "run.ask"
USER = "user"


class Input(BaseModel, extra="forbid", str_strip_whitespace=True):
    """What the agent shall do."""

    goal: Annotated[
        str,
        Field(
            description="What to achieve, in the owner's own words.", min_length=1, max_length=4000
        ),
    ]
    propose_first: Annotated[
        bool,
        Field(description="Carry nothing out before the owner has chosen among proposals."),
    ] = False


class Output(BaseModel):
    """The run, queued; nothing has happened yet."""

    run: str
    id: str
    state: RunState
    follow: str


@capability(
    "runs.start_run",
    version=1,
    title="Start a run of the agent",
    kind=Kind.CONTROL,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope=RUN,
    toolset=Toolset.RUNS,
    use_when="Hand a whole goal to the agent of the house, e.g. getting a title home. It answers "
    "at once; the run goes on by itself, also after you hang up. Follow it with get_run.",
    not_when="For a single look or step call the tool for it yourself.",
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=False),
    timeout=10,
    example={"goal": "Get Sintel (2010) in 1080p"},
)
async def start_run(given: Input, context: Context) -> Outcome[Output]:
    """Queue a run that may use what its starter may, and no run."""
    if context.actor.kind == "run":
        return Refused(Code.DENIED, "A run does not start runs. Nothing was done.")
    id_ = new_id("run")
    options = _options(given, context)

    def write(tx: Transaction) -> None:
        runs.add(
            tx,
            id_=id_,
            goal=given.goal,
            actor=str(context.actor),
            principal=context.actor.principal,
            trigger=USER,
            options=options,
            at=context.ledger.now(),
        )
        tell_status(tx, context, id_, RunState.QUEUED)
        context.ledger.engine.start(tx, KIND, id_)

    context.stage(write)
    (reference,) = await named(context, id_)
    output = Output(
        run=reference,
        id=id_,
        state=RunState.QUEUED,
        follow=f"get_run with run {reference}; pass next_after_seq back as after_seq.",
    )
    return Succeeded(output, f"{reference} is queued. Nothing is done yet.")


def _options(given: Input, context: Context) -> dict[str, object]:
    """What bounds the run; no scopes means all, since only the owner's yes lets effects happen.

    Only an interactive run waits for the owner; any other is refused what needs them.
    """
    interactive = context.actor.may(RUN_ASK)
    return {
        "interactive": interactive,
        "propose_first": given.propose_first,
        "scopes": None if interactive else sorted(context.actor.scopes - {RUN, RUN_ASK}),
    }
