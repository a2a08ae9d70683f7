"""One reply of the model: asked for, heard while it streams, and written down whole."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace

import anyio

from agent.budget import seconds_left
from agent.conversation import Role
from agent.ending import Ending
from agent.events import EventType
from agent.models.port import (
    BadStreamError,
    Finished,
    ModelMessage,
    ModelRequest,
    ReasoningDelta,
    StopReason,
    StreamEvent,
    TextDelta,
    ToolCall,
    ToolCallReady,
    ToolMessage,
    UpstreamFaultError,
    Usage,
    UserMessage,
)
from agent.pen import Page, Pen
from agent.prompt.assembly import tail
from agent.session import Session
from agent.upstreams import Chosen, ending_of
from ledger.stores.runs import Message, RunState

COALESCED_S = 0.2


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished turn of the model; ``untold`` is the end of its text, not yet passed on."""

    text: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    stop: StopReason
    usage: Usage | None
    untold: dict[str, object] | None


async def ask(session: Session, chosen: Chosen) -> Ending | None:
    """Ask for the next reply and keep it; an ending if the model could not be asked.

    A reply that broke off is asked for again as a whole: nothing of it was kept.
    """
    request = await _request(session, chosen)
    attempt = 1
    while True:
        try:
            with anyio.move_on_after(seconds_left(session.meter.used, session.limits)):
                return await _keep(session, await _heard(session, chosen, request, attempt))
            return Ending(
                RunState.BUDGET_EXCEEDED,
                "The run's time was used up while the model was still answering.",
            )
        except BadStreamError as broken:
            if attempt >= session.limits.reply_tries:
                return ending_of(broken, chosen)
            attempt += 1
            await anyio.sleep(session.limits.reply_pause_s)
        except UpstreamFaultError as fault:
            return ending_of(fault, chosen)


async def _request(session: Session, chosen: Chosen) -> ModelRequest:
    surroundings = await session.surroundings()
    closing = tail(
        surroundings,
        session.pen.ledger.now(),
        plan=session.plan,
        goal=session.goal,
        used=session.meter.used,
        limits=session.limits,
    )
    *before, last = session.conversation.messages
    # Some providers refuse a message of ours between a tool's answer and the model's next turn,
    # so what changes with every request stands at the end of the newest message.
    return ModelRequest(
        chosen.model,
        (session.system, *before, _with(last, closing)),
        session.tools,
    )


def _with(last: ModelMessage, closing: str) -> ModelMessage:
    if isinstance(last, UserMessage | ToolMessage):
        return replace(last, text=f"{last.text}\n\n{closing}")
    return last


async def _heard(session: Session, chosen: Chosen, request: ModelRequest, attempt: int) -> Reply:
    ear = _Ear(session.pen, session.conversation.replies + 1, attempt)
    async with aclosing(chosen.upstream.stream(request)) as events:
        return await ear.hear(events)


class _Ear:
    """Hears one stream; words are passed on in portions, not one row a token."""

    def __init__(self, pen: Pen, reply: int, attempt: int) -> None:
        self._pen = pen
        self._head = {"reply": reply, "attempt": attempt}
        self._text: list[str] = []
        self._untold: list[str] = []
        self._told_at = pen.ledger.clock.monotonic()

    async def hear(self, events: AsyncGenerator[StreamEvent]) -> Reply:
        reasoning: list[str] = []
        calls: list[ToolCall] = []
        end = Finished(StopReason.STOP, None)
        async for event in events:
            match event:
                case TextDelta(text):
                    await self._words(text)
                case ReasoningDelta(text):
                    reasoning.append(text)
                case ToolCallReady(call):
                    calls.append(call)
                case Finished():
                    end = event
        return Reply(
            "".join(self._text),
            "".join(reasoning),
            tuple(calls),
            end.reason,
            end.usage,
            self._portion(),
        )

    async def _words(self, text: str) -> None:
        self._text.append(text)
        self._untold.append(text)
        if self._pen.ledger.clock.monotonic() - self._told_at >= COALESCED_S:
            await self._pass_on()

    async def _pass_on(self) -> None:
        self._told_at = self._pen.ledger.clock.monotonic()
        if (body := self._portion()) is not None:
            await self._pen.write(lambda page: page.tell(EventType.TEXT_DELTA, **body))

    def _portion(self) -> dict[str, object] | None:
        text, self._untold = "".join(self._untold), []
        return {**self._head, "text": text} if text else None


async def _keep(session: Session, reply: Reply) -> None:
    session.meter.reply(reply.usage)
    unique = session.conversation.unique_id
    calls = [replace(call, id=unique(call.id)) for call in reply.calls]

    def write(page: Page) -> Message:
        if reply.untold is not None:
            page.tell(EventType.TEXT_DELTA, **reply.untold)
        if reply.reasoning:
            page.tell(EventType.REASONING, text=reply.reasoning)
        for call in calls:
            sentence = session.caller.sentence(call)
            page.tell(EventType.TOOL_CALL, call=call.id, tool=call.name, sentence=sentence)
        session.note_progress(page)
        page.change(usage=session.meter.used.document())
        return page.keep(
            Role.ASSISTANT,
            text=reply.text,
            reasoning=reply.reasoning,
            calls=[asdict(call) for call in calls],
            stop=reply.stop,
        )

    session.conversation.take(await session.pen.write(write))
