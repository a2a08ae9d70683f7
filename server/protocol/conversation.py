"""One client on a socket: MCP lines on the one side, a session of the SDK on the other.

Framing: MCP 2025-11-25 and 2026-07-28, basic/transports, stdio.
"""

import select
from typing import Any

import anyio
import mcp.types as t
import structlog
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from server.protocol.callers import Caller
from server.protocol.lines import Lines

LONGEST_MESSAGE = 10 * 1024 * 1024
MOST_AT_ONCE = 64
"""Requests of one client that may be in work at the same time."""
LINGER_S = 45.0
"""How long after the client's last word its open requests may still be answered: the longest a
call may take."""
LOOK_EVERY_S = 0.25
"""How often a client that said its last word is looked at, whether it still listens."""
PROBE = "server/discover"
_UNREADABLE = (anyio.BrokenResourceError, anyio.ClosedResourceError)

Incoming = SessionMessage | Exception
log = structlog.get_logger()


class Conversation:
    """From a client's first line to its last answer."""

    def __init__(
        self, server: Server[Any], stream: SocketStream, lines: Lines, who: Caller
    ) -> None:
        """Speak as ``who`` with ``server``; ``lines`` reads ``stream``."""
        self._server = server
        self._stream = stream
        self._lines = lines
        self._who = ServerMessageMetadata(request_context=who)
        self._open: set[t.RequestId] = set()
        self._answered = anyio.Event()
        self._out, self._outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async def run(self) -> None:
        """Hold the conversation until the client has left and was answered."""
        to_session, session_reads = anyio.create_memory_object_stream[Incoming](0)
        session_writes = self._out.clone()
        with self._out, self._outgoing, to_session, session_reads, session_writes:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._listen, to_session)
                tasks.start_soon(self._speak, tasks.cancel_scope)
                await self._session(session_reads, session_writes)
                self._out.close()

    async def _session(
        self,
        reads: MemoryObjectReceiveStream[Incoming],
        writes: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        await self._server.run(reads, writes, self._server.create_initialization_options())

    async def _listen(self, session: MemoryObjectSendStream[Incoming]) -> None:
        only_probed = True
        with session:
            async for line in self._lines.all(LONGEST_MESSAGE):
                message = _message(line)
                if line is None:
                    await self._say(_error(None, t.INVALID_REQUEST, "A message may have 10 MiB."))
                if message is None:
                    continue
                if only_probed and isinstance(message, t.JSONRPCRequest):
                    only_probed = message.method == PROBE
                    if only_probed:
                        await self._answer_probe(message)
                        continue
                await self._pass_on(message, session)
            with anyio.move_on_after(LINGER_S):
                while self._open and not self._hung_up():
                    with anyio.move_on_after(LOOK_EVERY_S):
                        await self._answered.wait()

    async def _pass_on(
        self, message: t.JSONRPCMessage, session: MemoryObjectSendStream[Incoming]
    ) -> None:
        if isinstance(message, t.JSONRPCRequest):
            if len(self._open) >= MOST_AT_ONCE:
                busy = f"More than {MOST_AT_ONCE} requests at once; wait for answers."
                await self._say(_error(message.id, t.INTERNAL_ERROR, busy))
                return
            self._open.add(message.id)
        elif isinstance(message, t.JSONRPCNotification):
            self._forget_cancelled(message)
        await session.send(SessionMessage(message, self._who))

    async def _answer_probe(self, probe: t.JSONRPCRequest) -> None:
        """Let a session of its own answer, since a session that was probed refuses to initialize.

        Some clients ask what the server speaks and then start the older handshake after all.
        """
        to_session, session_reads = anyio.create_memory_object_stream[Incoming](1)
        session_writes, from_session = anyio.create_memory_object_stream[SessionMessage](1)
        with to_session, session_reads, session_writes, from_session:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._session, session_reads, session_writes)
                await to_session.send(SessionMessage(probe, self._who))
                await self._say((await from_session.receive()).message)
                to_session.close()

    async def _say(self, message: t.JSONRPCMessage) -> None:
        await self._out.send(SessionMessage(message))

    async def _speak(self, all_of_it: anyio.CancelScope) -> None:
        # Closed however this ends, so that nobody waits for a writer that has gone.
        with self._outgoing:
            try:
                async for held in self._outgoing:
                    line = held.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await self._stream.send(line.encode() + b"\n")
                    self._note_answered(held.message)
            except _UNREADABLE:
                all_of_it.cancel()

    def _hung_up(self) -> bool:
        """Whether the other side is closed whole, and not only for writing."""
        poll = select.poll()
        raw = self._stream.extra(SocketAttribute.raw_socket)  # noqa: S610  # no Django here
        poll.register(raw, 0)
        return bool(poll.poll(0))

    def _note_answered(self, message: t.JSONRPCMessage) -> None:
        if isinstance(message, t.JSONRPCResponse | t.JSONRPCError) and message.id is not None:
            self._settle(message.id)

    def _forget_cancelled(self, message: t.JSONRPCNotification) -> None:
        if message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def _settle(self, request: object) -> None:
        self._open = {each for each in self._open if each != request}
        self._answered.set()
        self._answered = anyio.Event()


def _message(line: bytes | None) -> t.JSONRPCMessage | None:
    """The message in a line; what cannot be read is nobody's question and gets no answer."""
    if line is None:
        return None
    try:
        return t.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        log.debug("a line that is no message was ignored", bytes=len(line))
        return None


def _error(request: t.RequestId | None, code: int, sentence: str) -> t.JSONRPCError:
    return t.JSONRPCError(jsonrpc="2.0", id=request, error=t.ErrorData(code=code, message=sentence))
