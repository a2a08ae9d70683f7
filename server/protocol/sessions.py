"""MCP for the clients of this machine: one session of the SDK for each bridge on the socket."""

import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import structlog
from anyio.abc import SocketStream, TaskStatus

from capabilities.kernel.translate import from_ledger
from ledger.clock import new_id
from ledger.faults import LedgerUnavailableError
from server.protocol import handshake
from server.protocol.callers import Caller, Callers
from server.protocol.conversation import Conversation
from server.protocol.door import Door
from server.protocol.lines import Lines
from server.protocol.unix_listener import listening

GREETING_TIMEOUT_S = 5.0
MOST_CONNECTIONS = 64
PAUSE_WITHOUT_FILES_S = 0.5

log = structlog.get_logger()


class _RefusedError(Exception):
    """A connection that is not let in; the text is for the client's log."""

    def __init__(self, sentence: str, *, stopping: bool = False) -> None:
        super().__init__(sentence)
        self.line = handshake.refusal(sentence, stopping=stopping)
        self.stopping = stopping


class Sessions:
    """Accepts bridges, checks their keys, and lets them speak with the door."""

    def __init__(
        self,
        door: Door,
        callers: Callers,
        *,
        idle: Callable[[], Awaitable[bool]],
        stop: Callable[[], None],
    ) -> None:
        """Connect ``door`` to a socket.

        Args:
            door: answers the requests.
            callers: knows the keys.
            idle: whether the rest of the process has nothing to do.
            stop: ends the process in good order; called when a newer version wants its place.
        """
        self._door = door
        self._callers = callers
        self._idle = idle
        self._stop = stop
        self._connected = 0

    async def serve(
        self, path: Path, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        """Serve at ``path`` until cancelled; started once bridges can connect.

        Raises:
            SocketTakenError: see `server.protocol.unix_listener.listening`.
        """
        with listening(path) as listener:
            task_status.started()
            async with anyio.create_task_group() as tasks:
                while True:
                    tasks.start_soon(self._receive, await _accepted(listener))

    async def _receive(self, connection: socket.socket) -> None:
        async with await SocketStream.from_socket(connection) as stream:
            lines = Lines(stream)
            try:
                caller = await self._admitted(lines)
                await stream.send(handshake.admission(os.getpid()))
                await self._converse(stream, lines, caller)
            except _RefusedError as refused:
                await _say_no(stream, refused)
                if refused.stopping:
                    self._stop()
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                log.debug("a bridge left in the middle of a word")
            except Exception:
                log.exception("a session of the socket ended in a fault of Matinee")

    async def _admitted(self, lines: Lines) -> Caller:
        line = None
        with anyio.move_on_after(GREETING_TIMEOUT_S):
            line = await lines.first(handshake.LONGEST_LINE)
        said = None if line is None else handshake.parsed(line)
        match said:
            case {"matinee": str(version), "key": str() | None as secret}:
                key = await self._key(secret)
            case _:
                raise _RefusedError(
                    "This socket speaks with `matinee mcp`, which MCP clients start themselves."
                )
        if handshake.newer(version, handshake.VERSION) and await self._may_leave():
            raise _RefusedError("An older server makes room for a newer one.", stopping=True)
        if self._connected >= MOST_CONNECTIONS:
            raise _RefusedError("Too many clients are connected; close one and try again.")
        return Caller(key, new_id("conn"))

    async def _key(self, secret: str | None) -> str:
        try:
            key = await self._callers.key_of(secret)
        except LedgerUnavailableError as fault:
            raise _RefusedError(from_ledger(fault).sentence) from fault
        if key is not None:
            return key
        if secret is None:
            raise _RefusedError(
                "The local key was revoked; put a key that the owner made into MATINEE_KEY."
            )
        raise _RefusedError(
            "The key in MATINEE_KEY is unknown, expired or revoked; put a valid one there, "
            "or remove it to use the local key."
        )

    async def _may_leave(self) -> bool:
        return not self._connected and not self._door.acting and await self._idle()

    async def _converse(self, stream: SocketStream, lines: Lines, caller: Caller) -> None:
        self._connected += 1
        try:
            await Conversation(self._door.server, stream, lines, caller).run()
        finally:
            self._connected -= 1


async def _accepted(listener: socket.socket) -> socket.socket:
    while True:
        await anyio.wait_readable(listener)
        try:
            connection, _ = listener.accept()
        except BlockingIOError:
            continue
        except OSError as fault:
            log.warning("a connection could not be accepted", reason=fault.strerror)
            await anyio.sleep(PAUSE_WITHOUT_FILES_S)
        else:
            return connection


async def _say_no(stream: SocketStream, refused: _RefusedError) -> None:
    try:
        await stream.send(refused.line)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        log.debug("a bridge left before it was refused")
