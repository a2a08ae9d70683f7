"""The composition root: everything that is wired together is wired here."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import anyio
import structlog
import svcs
from anyio.abc import TaskGroup

from agent.driver import Driver
from agent.driver import Parts as DriverParts
from agent.limits import Limits
from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.port import MediaServers
from capabilities.kernel.asking import Console
from capabilities.kernel.discovery import discovered
from capabilities.kernel.owing import IMPORT, TRACK, VERIFY
from capabilities.kernel.registry import Registry
from ledger import ledger as ledgers
from ledger.bell import listen
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.location import Location, PostgresServer, SqliteFile, located
from ledger.stores import claims
from ledger.writer import Transaction
from server.adapters import adapters, held
from server.background.giving_up import run_given_up
from server.background.holding import follow, hold
from server.background.importing import Importer
from server.background.library_watch import LibraryWatch
from server.background.maintenance import jobs_of, schedule
from server.background.recovery import (
    NOTHING,
    Recovered,
    keep_beating,
    keep_giving_up,
    keep_listening,
    keep_watch,
)
from server.background.tasks import Attend, TaskRunner
from server.background.tracking import Tracker
from server.background.verifying import Verifier
from server.background.watching import Watcher
from server.background.working import begin, stand_by
from server.first_start import publish_defaults
from server.guard.guard import Guard
from server.guard.keys import ensure_local_key
from server.protocol.handshake import VERSION
from server.role import Role
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
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
    secrets: SealedSecrets
    recovered: Recovered


@asynccontextmanager
async def open_house(
    home: Path, settings: Settings, *, role: Role = Role.ALL, console: Console = lambda: None
) -> AsyncGenerator[House]:
    """Open a home, take up what was left, and work until the end.

    Where the ledger is a file, the caller holds the home's lock; on a server, ``role`` says
    whether this process works at runs and tasks.

    ``console`` tells where the owner finds what waits for them; by default nowhere but at the
    terminal.

    An exception of the block leaves it as it was raised, not in a group.
    """
    async with AsyncExitStack() as stack:
        location = located(home, settings.database.address)
        ledger = await stack.enter_async_context(ledgers.opened(home, location=location))
        keys = sealing_keys(home, keyring=settings.secrets.keyring)
        secrets = SealedSecrets(ledger, keys)
        settings = await secrets.filled(settings)
        parts = await stack.enter_async_context(
            adapters(home, settings, VERSION, shut=secrets.shut)
        )
        patience = timedelta(seconds=settings.agent.approval_timeout_s)
        registry = Registry(discovered(), ledger, parts, approvals_last=patience, console=console)
        upstreams = Upstreams(settings.upstreams, shut=secrets.shut)
        stack.push_async_callback(upstreams.aclose)
        holders = await stack.enter_async_context(_background())
        stack.push_async_callback(_work_ended, ledger, registry)
        await stack.enter_async_context(registry.working())
        await publish_defaults(ledger)
        disowned = await ledger.write(lambda tx: _first_writes(tx, ledger))
        rooms = _Rooms(ledger, registry, parts, settings, location)
        tracker = rooms.furnish(upstreams)
        tasks = await stack.enter_async_context(_background())
        await ledger.engine.connect(role)
        await schedule(ledger, jobs_of(ledger, settings.retention.days))
        recovered = NOTHING
        if role.works:
            recovered = await rooms.begin_work(tasks, holders, tracker, disowned)
        else:
            rooms.serve_only(tasks)
        rooms.keep_up(tasks)
        guard = Guard(
            ledger,
            registry.specs,
            host=settings.server.host,
            allowed_hosts=settings.server.allowed_hosts,
        )
        yield House(ledger, registry, settings, guard, secrets, recovered)


@dataclass(frozen=True, slots=True)
class _Rooms:
    """What the background work of a house is made of."""

    ledger: Ledger
    registry: Registry
    parts: svcs.Container
    settings: Settings
    location: Location

    def furnish(self, upstreams: Upstreams) -> Tracker | None:
        """Tell the engine who continues runs and tasks; returns who follows downloads."""
        ledger, engine = self.ledger, self.ledger.engine
        view = HouseView(ledger, self.parts, self.settings)
        limits = _limits(self.settings.agent)
        driver = Driver(
            DriverParts(ledger, self.registry, upstreams.choose, view.surroundings, limits=limits)
        )
        engine.handle("run", "agent", driver.segment, given_up=run_given_up(ledger))
        clients = held(self.parts, Downloaders)
        tracker = None if clients is None else Tracker(ledger, clients)
        kinds = _kinds(ledger, self.registry, clients, tracker)
        kinds[VERIFY] = Verifier(ledger, held(self.parts, MediaServers)).attend
        runner = TaskRunner(ledger, kinds)
        engine.handle("task", "background", runner.segment, given_up=runner.given_up)
        return tracker

    async def begin_work(
        self, tasks: TaskGroup, holders: TaskGroup, tracker: Tracker | None, disowned: int
    ) -> Recovered:
        """Work at what is owed, or stand by while another process has the embedded client."""
        ledger, registry = self.ledger, self.registry
        embedded = held(self.parts, InOnePlace)
        if isinstance(self.location, SqliteFile):
            # Whoever is written down as at work on the file is dead: its leases are free at once.
            await ledger.engine.recover()
        if embedded is not None:
            await holders.start(hold, ledger, embedded)
        tasks.start_soon(keep_watch, ledger, registry)
        tasks.start_soon(LibraryWatch(ledger).run)
        recovered = await begin(ledger, registry, embedded, disowned=disowned)
        if embedded is not None and not embedded.is_here:
            tasks.start_soon(stand_by, ledger, registry, embedded)
        if tracker is not None:
            tasks.start_soon(Watcher(self.parts.get(Downloaders), tracker).run)
        return recovered

    def serve_only(self, tasks: TaskGroup) -> None:
        """Live as a process that works at nothing but what is called through its doors."""
        tasks.start_soon(keep_beating, self.ledger)
        tasks.start_soon(keep_listening, self.ledger)
        tasks.start_soon(keep_giving_up, self.registry)
        if (embedded := held(self.parts, InOnePlace)) is not None:
            tasks.start_soon(follow, self.ledger, embedded)

    def keep_up(self, tasks: TaskGroup) -> None:
        """Begin what every process does, whatever its role."""
        tasks.start_soon(self.registry.audit.keep)
        if isinstance(self.location, PostgresServer):
            tasks.start_soon(listen, self.location, self.ledger.feed)


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
        await ledger.engine.stop()
        try:
            await registry.audit.flush()
        except LedgerUnavailableError as fault:
            log.warning("the last reads are missing in the audit", why=str(fault))


def _first_writes(tx: Transaction, ledger: Ledger) -> int:
    """The local key, and the claims of dead processes out of their hands before work begins.

    On a server other processes may well live; what dead ones left there is taken from them later.
    """
    ensure_local_key(tx, ledger.now())
    alone = ledger.database.location.dialect == "sqlite"
    return len(claims.disown(tx, ledger.worker)) if alone else 0


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
