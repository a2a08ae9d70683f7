"""Choose one of the options that a run proposed."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.runs.shown import RunReference, named, visible
from capabilities.runs.telling import deliver
from capabilities.runs.waiting import options_of
from ledger.stores import decisions, events
from ledger.stores.decisions import WAITING, Decision, DecisionState
from ledger.writer import Transaction

RESOLVED = "options_resolved"


class Input(BaseModel, extra="forbid"):
    """Which run, and which of its options."""

    run: RunReference
    option: Annotated[
        str, Field(description="The id of an option that get_run shows.", max_length=60)
    ]


class Output(BaseModel):
    """What was chosen; the run goes on with it."""

    run: str
    option: str
    title: str


@capability(
    "runs.choose_option",
    version=1,
    title="Choose an option",
    kind=Kind.CONTROL,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.CALL,
    scope="run",
    toolset=Toolset.RUNS,
    use_when="Answer a run that proposes options, with the id of one of them; the run goes on.",
    not_when="It approves nothing: what an option needs approval for is still asked.",
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=False),
    timeout=10,
    example={"run": "run:1", "option": "a"},
)
async def choose_option(given: Input, context: Context) -> Outcome[Output]:
    """Close the question with the choice, and tell the run."""
    run = await visible(context, given.run)
    asked = await _asked(context, run.id)
    options = {str(option["id"]): option for option in asked.options}
    if given.option not in options:
        known = ", ".join(options)
        return Refused(
            Code.INVALID_INPUT,
            f"option: there is no {given.option!r}; the options are {known}. Nothing was chosen.",
            {"options": list(options)},
        )
    title = str(options[given.option].get("title", given.option))

    def write(tx: Transaction) -> None:
        at = context.ledger.now()
        by = str(context.actor)
        if not decisions.close(tx, asked.id, by=by, resolution=given.option, at=at):
            raise HaltError(_answered_already(decisions.by_id(tx.conn, asked.id) or asked))
        body = {"decision": asked.id, "option": given.option, "title": title, "by": by}
        events.append(tx, RESOLVED, body, at, run=run.id)
        deliver(tx, context, run.id, f"{asked.title}\nChosen: {title} ({given.option})")

    context.stage(write)
    (reference,) = await named(context, run.id)
    return Succeeded(Output(run=reference, option=given.option, title=title), f"Chosen: {title}.")


async def _asked(context: Context, run: str) -> Decision:
    waiting, done = await context.ledger.read(
        lambda conn: (
            options_of(conn, run, *WAITING),
            options_of(conn, run, DecisionState.RESOLVED),
        )
    )
    if waiting:
        return waiting[-1]
    if done:
        raise HaltError(_answered_already(done[-1]))
    raise HaltError(Failed(Code.NOT_FOUND, "This run has proposed no options."))


def _answered_already(decision: Decision) -> Refused:
    return Refused(
        Code.CONFLICT,
        f"This was answered already: {decision.resolution}. Nothing was changed.",
        {"chosen": decision.resolution, "by": decision.resolved_by},
    )
