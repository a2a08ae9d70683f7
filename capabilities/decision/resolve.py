"""Settle a decision by one of its options."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.decision.choices import Choice, answered_already
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import (
    Audience,
    Dedupe,
    Effect,
    Hints,
    Kind,
    Replay,
    Toolset,
    capability,
)
from capabilities.kernel.targets import Target
from ledger.stores import decisions
from ledger.stores.decisions import WAITING, Decision, DecisionState, Option

ALWAYS = (Option.DISMISS,)
"""What may be chosen of every decision that is about nothing unknown."""


class Input(BaseModel, extra="forbid"):
    """Which decision, and which of its options."""

    decision: Annotated[
        str,
        Field(description="A decision reference or id, as decision__list shows.", max_length=60),
    ]
    option: Annotated[str, Field(description="The id of one of its options.", max_length=60)]
    reason: Annotated[
        str, Field(description="Why; needed to settle an act by hand.", max_length=500)
    ] = ""


class Output(BaseModel):
    """What was chosen, and how the decision stands now."""

    decision: str
    option: str
    state: DecisionState


async def target_of(given: Input, context: Context) -> Target:
    """The decision."""
    row = await _decision(given.decision, context)
    facts = {"decision": row.id, "option": given.option}
    return Target("decision", f"decision:{row.id}", facts)


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse what was settled already, and an option that there is not."""
    del given
    row = await _decision(str(target.facts["decision"]), context)
    if row.state not in WAITING:
        raise HaltError(answered_already(row))
    if row.approval is not None:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                "This asks for your approval of a plan. Nothing was changed.",
                {"how": f"`matinee approve {row.approval}`, or `matinee decline` with a reason."},
            )
        )
    offered = _offered(row)
    if target.facts["option"] not in offered:
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                f"option: there is no {target.facts['option']!r}; the options are "
                f"{', '.join(offered)}. Nothing was changed.",
                {"options": list(offered)},
            )
        )


@capability(
    "decision.resolve",
    version=1,
    title="Settle a decision",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="decision.resolve",
    toolset=Toolset.ADMIN,
    audience=Audience.OWNER,
    target=target_of,
    check=check,
    use_when="Settle a decision by one of the options that decision__list shows with it. Only the "
    "signed-in owner can.",
    not_when="A plan is approved or declined instead, with its hash.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=40,
    example={"decision": "dec:1", "option": "retry"},
)
async def resolve(given: Input, context: Context) -> Outcome[Output]:
    """Carry the option out; the decision is closed unless it turns out to be still open."""
    row = await _decision(given.decision, context)
    chosen = await Choice(row, _offered(row)[given.option], given.reason, context).carry_out()
    (reference,) = await context.refer("dec", row.id)
    output = Output(decision=reference, option=given.option, state=chosen.state or row.state)
    return Succeeded(output, chosen.sentence)


async def _decision(given: str, context: Context) -> Decision:
    id_ = await context.resolve("dec", given)
    row = await context.ledger.read(lambda conn: decisions.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no decision {given[:60]!r}."))
    return row


def _offered(row: Decision) -> dict[str, dict[str, object]]:
    """The options by id; what raised no options of its own can at least be left as it is."""
    held = row.options or decisions.offered(*ALWAYS)
    return {str(option["id"]): option for option in held}
