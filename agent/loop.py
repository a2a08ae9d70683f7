"""The loop between the model and the capabilities, resumable at every step.

Every reply and every answer is a row before the next thing happens. Whatever was cut short is an
open call in those rows, and is made again under the same identity: the ledger answers it from its
claim, so nothing is done twice.
"""

from enum import Enum, auto
from itertools import takewhile
from typing import Any

import anyio

from agent import approval, budget
from agent.answers import LOOP_ENDS_AT, Answered, loop_note, print_of, worded
from agent.conversation import Role
from agent.ending import Ending
from agent.events import EventType
from agent.inbox import hear
from agent.models.port import ToolCall
from agent.pen import Page
from agent.reply import ask
from agent.session import Session
from agent.upstreams import NO_UPSTREAM
from capabilities.kernel.outcomes import word
from ledger.stores.runs import Message, RunState

SIDE_BY_SIDE = 4


class Rest(Enum):
    """How a drive stops without an ending: the model's turn is over, or the run is suspended."""

    TURN_OVER = auto()
    SUSPENDED = auto()


async def drive(session: Session) -> Ending | Rest:
    """Go on until the model has ended its turn, the owner is asked, or the run must end."""
    while True:
        if stop := await _answer_open_calls(session):
            return stop
        await hear(session)
        if session.conversation.finished:
            return Rest.TURN_OVER
        if gone := budget.time_gone(session.meter.used, session.limits):
            return Ending(RunState.BUDGET_EXCEEDED, gone)
        if session.chosen is None:
            return NO_UPSTREAM
        if ending := await ask(session, session.chosen):
            return ending


async def _answer_open_calls(session: Session) -> Ending | Rest | None:
    while calls := session.conversation.open_calls:
        used = session.meter.used
        gone = budget.calls_gone(used, session.limits) or budget.time_gone(used, session.limits)
        if gone:
            return Ending(RunState.BUDGET_EXCEEDED, gone)
        for answered in await _make(session, _next_group(session, calls)):
            if answered is None:
                return Rest.SUSPENDED
            if ending := await _keep(session, answered):
                return ending
    return None


def _next_group(session: Session, calls: list[ToolCall]) -> list[ToolCall]:
    """What may be made at once: one effect, or reads up to the next effect."""
    reads = list(takewhile(session.caller.only_looks, calls))
    left = budget.calls_left(session.meter.used, session.limits)
    return reads[:left] or calls[:1]


async def _make(session: Session, group: list[ToolCall]) -> list[Answered | None]:
    """Answers in the order of the calls; None for a call that waits for the owner."""
    if len(group) == 1:
        return [await _make_one(session, group[0])]
    answers: dict[str, Answered] = {}
    limiter = anyio.CapacityLimiter(SIDE_BY_SIDE)
    request = session.conversation.request

    async def look(call: ToolCall) -> None:
        async with limiter:
            answers[call.id] = await session.caller.answer(call, request)

    async with anyio.create_task_group() as looks:
        for call in group:
            looks.start_soon(look, call)
    return [answers[call.id] for call in group]


async def _make_one(session: Session, call: ToolCall) -> Answered | None:
    asked = _asked_about(session, call)
    if asked is None:
        answered = await session.caller.answer(call, session.conversation.request)
        asked = approval.question_in(call, answered.outcome) if session.interactive else None
        if asked is None:
            return answered
        if await approval.suspend_for(session, asked):
            return None
    return await _after_asking(session, call, asked)


async def _after_asking(session: Session, call: ToolCall, asked: dict[str, Any]) -> Answered:
    """The owner has decided: make the call once more under their approval, or say why not."""
    refusal = await approval.refusal_of(session, asked)
    if refusal is not None:
        return Answered(call, refusal)
    return await session.caller.answer(call, session.conversation.request)


async def _keep(session: Session, answered: Answered) -> Ending | None:
    """Write one answer down; an ending when the model goes round in circles."""
    session.meter.call()
    print_ = print_of(answered)
    times = session.conversation.seen(print_) + 1
    notice = _notice(session)
    notes = [note for note in (loop_note(times), notice) if note is not None]
    text = worded(answered.outcome, *notes)
    call, asked, plan = answered.call, _asked_about(session, answered.call), answered.plan

    def write(page: Page) -> Message:
        session.note_progress(page)
        page.change(usage=session.meter.used.document())
        if asked is not None:
            approval.forget(page)
        page.tell(
            EventType.TOOL_RESULT,
            call=call.id,
            tool=call.name,
            outcome=word(answered.outcome),
            sentence=answered.outcome.sentence,
        )
        if plan is not None:
            page.change(plan=plan)
            page.tell(EventType.PLAN_UPDATED, plan=plan)
        if notice is not None:
            page.tell(EventType.BUDGET_NOTICE, sentence=notice)
        return page.keep(Role.TOOL, call=call.id, text=text, print=print_)

    session.conversation.take(await session.pen.write(write))
    session.plan = plan or session.plan
    if asked is not None:
        session.waits_for = None
    return _circle(times)


def _asked_about(session: Session, call: ToolCall) -> dict[str, Any] | None:
    asked = session.waits_for
    return asked if asked is not None and asked["call"] == call.id else None


def _notice(session: Session) -> str | None:
    """A notice that the budget runs out, once for each degree of urgency."""
    used = session.meter.used
    urgency = budget.urgency(used, session.limits)
    if urgency <= used.noticed:
        return None
    session.meter.notice(urgency)
    return budget.notice(used, session.limits)


def _circle(times: int) -> Ending | None:
    if times < LOOP_ENDS_AT:
        return None
    return Ending(
        RunState.FAILED,
        f"The model made the same call {times} times and had the same answer each time, so the "
        "run was stopped.",
    )
