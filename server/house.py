"""The composition root: everything that is wired together is wired here."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import anyio
import structlog
from anyio.abc import TaskGroup

from capabilities.kernel.asking import Console
from capabilities.kernel.discovery import discovered
from capabilities.kernel.registry import Registry
from ledger import ledger as ledgers
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.location import located
from ledger.stores import claims
from ledger.writer import Transaction
from server.adapters import adapters
from server.background.maintenance import jobs_of, schedule
from server.background.recovery import (
    Recovered,
)
from server.first_start import publish_defaults
from server.guard.guard import Guard
from server.guard.keys import ensure_local_key
from server.protocol.handshake import VERSION
from server.role import Role
from server.rooms import Rooms
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from server.settings import ServerSettings, Settings
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
        rooms = Rooms(ledger, registry, parts, settings, location)
        tracker = rooms.furnish(upstreams)
        tasks = await stack.enter_async_context(_background())
        await ledger.engine.connect(role)
        await schedule(ledger, (*jobs_of(ledger, settings.retention.days), *rooms.jobs()))
        recovered = await rooms.begin(role, tasks, holders, tracker, disowned)
        guard = _guard(ledger, registry, settings.server)
        yield House(ledger, registry, settings, guard, secrets, recovered)


def _guard(ledger: Ledger, registry: Registry, server: ServerSettings) -> Guard:
    return Guard(ledger, registry.specs, host=server.host, allowed_hosts=server.allowed_hosts)


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
