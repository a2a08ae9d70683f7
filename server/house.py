"""The composition root: everything that is wired together is wired here."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import anyio
import structlog
from anyio.abc import TaskGroup

from agent.driver import Driver
from agent.driver import Parts as DriverParts
from agent.limits import Limits
from capabilities.adapters.downloader.port import Downloaders
from capabilities.download.submission import TRACK
from capabilities.kernel.discovery import discovered
from capabilities.kernel.registry import Registry
from ledger import ledger as ledgers
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.writer import Transaction
from server.adapters import adapters, held
from server.background.importing import Importer
from server.background.recovery import Recovered, keep_looking, recover
from server.background.tasks import Attend, TaskRunner
from server.background.tracking import IMPORT, Tracker
from server.background.watching import Watcher
from server.first_start import publish_defaults
from server.guard.guard import Guard
from server.guard.keys import ensure_local_key
from server.protocol.handshake import VERSION
from server.settings import AgentSettings, Settings
from server.surroundings import HouseView
from server.upstreams import Upstreams

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class House:
    """One home at work: its ledger, its registry, and who may knock."""

    ledger: Ledger
    registry: Registry
    settings: Settings
    guard: Guard
    recovered: Recovered


@asynccontextmanager
async def open_house(home: Path, settings: Settings) -> AsyncGenerator[House]:
    """Open a home whose lock the caller holds, take up what was left, and work until the end.

    An exception of the block leaves it as it was raised, not in a group.
    """
    async with AsyncExitStack() as stack:
        ledger = await stack.enter_async_context(ledgers.opened(home))
        parts = await stack.enter_async_context(adapters(home, settings, VERSION))
        patience = timedelta(seconds=settings.agent.approval_timeout_s)
        registry = Registry(discovered(), ledger, parts, approvals_last=patience)
        upstreams = Upstreams(settings.upstreams)
        stack.push_async_callback(upstreams.aclose)
        stack.push_async_callback(_work_ended, ledger, registry)
        await publish_defaults(ledger)
        disowned = await ledger.write(lambda tx: _first_writes(tx, ledger))
        driver = Driver(
            DriverParts(
                ledger,
                registry,
                upstreams.choose,
                HouseView(ledger, parts, settings).surroundings,
                limits=_limits(settings.agent),
            )
        )
        ledger.engine.handle("run", "agent", driver.segment)
        clients = held(parts, Downloaders)
        tracker = None if clients is None else Tracker(ledger, clients)
        runner = TaskRunner(ledger, _kinds(ledger, registry, clients, tracker))
        ledger.engine.handle("task", "background", runner.segment)
        tasks = await stack.enter_async_context(_background())
        await ledger.engine.launch()
        recovered = await recover(ledger, registry, disowned)
        tasks.start_soon(registry.audit.keep)
        tasks.start_soon(keep_looking, ledger, registry)
        if clients is not None and tracker is not None:
            tasks.start_soon(Watcher(clients, tracker).run)
        guard = Guard(
            ledger,
            registry.specs,
            host=settings.server.host,
            allowed_hosts=settings.server.allowed_hosts,
        )
        yield House(ledger, registry, settings, guard, recovered)


@asynccontextmanager
async def _background() -> AsyncGenerator[TaskGroup]:
    try:
        async with anyio.create_task_group() as tasks:
            try:
                yield tasks
            finally:
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__


async def _work_ended(ledger: Ledger, registry: Registry) -> None:
    """Let segments end while all that they work with is still open."""
    with anyio.CancelScope(shield=True):
        await ledger.engine.close()
        try:
            await registry.audit.flush()
        except LedgerUnavailableError as fault:
            log.warning("the last reads are missing in the audit", why=str(fault))


def _first_writes(tx: Transaction, ledger: Ledger) -> int:
    """The local key, and the claims of dead processes out of their hands before work begins."""
    ensure_local_key(tx, ledger.now())
    return len(claims.disown(tx, ledger.worker))


def _kinds(
    ledger: Ledger, registry: Registry, clients: Downloaders | None, tracker: Tracker | None
) -> dict[str, Attend]:
    if clients is None or tracker is None:
        return {}
    return {TRACK: tracker.attend, IMPORT: Importer(ledger, registry, clients).attend}


def _limits(settings: AgentSettings) -> Limits:
    return Limits(
        max_tool_calls=settings.max_tool_calls,
        max_duration_s=settings.max_duration_s,
        goal_poll_s=settings.goal_poll_s,
        goal_wait_s=settings.goal_wait_h * 3600,
    )
