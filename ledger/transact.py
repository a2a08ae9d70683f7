"""DBOS Transact, the library behind the engine; nothing else of ours knows it.

It queues, times and dispatches workflows, each of which is one segment. What it keeps in its own
tables is work to be dispatched, never the truth: that is in ours.

A process that goes on under newer code takes up what older code queued, because `NAME`,
`CONTRACT`, the workflow's name and its arguments stay what they are; the library's own version,
a hash of the code, is not used. Should the arguments of a segment ever have to change, the new
kind of workflow gets a name of its own in `Transact.launch`, and the old one stays registered
beside it, under the same `CONTRACT`, until no row of it is left: a process of another version
would never be given those rows.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions
from sqlalchemy.exc import DBAPIError

from ledger.refusals import told

T = TypeVar("T")

NAME = "matinee"
"""Owns the queues and versions in the library's tables; another one would be refused them."""
CONTRACT = "segments-1"
"""Pinned: the library's own version is a hash of the code and would orphan runs in flight."""
WORKFLOW = "segment"

Lane = Literal["agent", "background", "maintenance"]
SLOTS: dict[Lane, int] = {"agent": 4, "background": 4, "maintenance": 2}
"""Maintenance has slots of its own, one for each of its jobs: a copy that takes an hour does not
keep it waiting, and a first retention of minutes keeps nobody waiting."""
POLL_S = 0.1
POLLS_S: dict[Lane, float] = {"agent": POLL_S, "background": POLL_S, "maintenance": 1.0}
"""Nobody waits for maintenance; at the pace of the others its queue alone took 4 % of a core."""
CONNECTIONS = 8
THREADS = 16
BATCH = 200

_OVER = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
_ORDINARY = 1_000_000
"""The library's priority of our 0: its own range begins at 1, and lower goes first."""

RunSegment = Callable[[str, str, int], Awaitable[None]]
"""Takes the kind, the subject and the number of the segment."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is queued: one segment of one subject."""

    kind: str
    subject: str
    n: int
    lane: Lane
    delay_s: float
    priority: int

    @property
    def id(self) -> str:
        """The name of its workflow."""
        return f"{self.kind}:{self.subject}:{self.n}"


def named(workflow: str) -> tuple[str, str, int] | None:
    """The kind, subject and number in the name of a workflow; None when it is none of ours."""
    kind, _, rest = workflow.partition(":")
    subject, _, n = rest.rpartition(":")
    return (kind, subject, int(n)) if subject and n.isdecimal() else None


class Transact:
    """The library's connection and, once launched, its workers. One per process."""

    def __init__(self, url: str, executor: str) -> None:
        """Keep where its tables are and under which identity it takes work."""
        self._url = url
        self._executor = executor
        self._client: DBOSClient | None = None
        self._launched = False
        self._threads = anyio.CapacityLimiter(2)

    async def connect(self) -> None:
        """Make the library's tables if need be, so that work can be queued; run none of it.

        Raises:
            LedgerUnavailableError: the database could not be reached.
        """
        logging.getLogger("dbos").setLevel(logging.ERROR)
        self._client = await self._aside(self._connected)

    async def launch(self, run_segment: RunSegment) -> None:
        """Work on the running loop as well.

        Must be called inside the loop that owns our streams and locks: launched outside, the
        library would run workflows on a second loop in another thread.

        Raises:
            LedgerUnavailableError: the database could not be reached.
        """
        if self._client is None:
            await self.connect()
        self._launched = True
        DBOS(config=self._config())

        async def run(kind: str, subject: str, n: int) -> None:
            await run_segment(kind, subject, n)

        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(run)
        DBOS.launch()
        # Its first asynchronous call makes the library's bounded pool the loop's own.
        await DBOS.retrieve_queue_async(next(iter(SLOTS)))

    def enqueue(self, conn: sa.Connection, order: Order) -> None:
        """Queue a segment, durable with the transaction of ``conn``.

        Raises:
            RuntimeError: neither `connect` nor `launch` was called.
        """
        options = EnqueueOptions(
            workflow_name=WORKFLOW,
            queue_name=order.lane,
            workflow_id=order.id,
            app_version=CONTRACT,
            priority=max(1, _ORDINARY + order.priority),
        )
        if order.delay_s > 0:
            options["delay_seconds"] = order.delay_s
        client = self._connection()
        client.enqueue_in_transaction(conn, options, order.kind, order.subject, order.n)

    async def executors(self) -> set[str]:
        """Under which identities segments are running, or were when their process ended.

        Raises:
            LedgerUnavailableError: the database could not be read.
        """
        client = self._client
        if client is None:  # stopped: there is nobody here who could take anything
            return set()
        flows = await self._aside(
            lambda: client.list_workflows(status="PENDING", load_input=False, load_output=False)
        )
        return {flow.executor_id for flow in flows if flow.executor_id}

    async def take(self, executors: Iterable[str]) -> list[str]:
        """Queue again what these dead executors were running; returns the workflows' names.

        What somebody else has taken meanwhile is left with them, and all of it by who only
        connected. The library has no public call that is conditional in this way.
        """
        dead = sorted(executors)
        if not dead or not self._launched:
            return []
        recover = DBOS._recover_pending_workflows  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001  # see above
        return [flow.workflow_id for flow in await self._aside(lambda: recover(dead))]

    async def over(self, before: datetime, limit: int = BATCH) -> list[str]:
        """Names of workflows that were over before a moment."""
        client = self._connection()
        flows = await self._aside(
            lambda: client.list_workflows(
                status=_OVER,
                completed_before=before.isoformat(),
                limit=limit,
                load_input=False,
                load_output=False,
            )
        )
        return [flow.workflow_id for flow in flows]

    async def timers(self, offset: int, limit: int = BATCH) -> list[str]:
        """Names of workflows that wait for their time, oldest first."""
        client = self._connection()
        flows = await self._aside(
            lambda: client.list_workflows(
                status="DELAYED", limit=limit, offset=offset, load_input=False, load_output=False
            )
        )
        return [flow.workflow_id for flow in flows]

    async def delete(self, workflows: list[str]) -> None:
        """Delete what the library keeps of these."""
        client = self._connection()
        await self._aside(lambda: client.delete_workflows(workflows))

    async def destroy(self) -> None:
        """Take no more work and let go of the database.

        In a worker thread of anyio, since the library closes the loop's own default executor.
        """
        client, self._client = self._client, None
        if client is not None:
            await anyio.to_thread.run_sync(client.destroy)
        if self._launched:
            self._launched = False
            await anyio.to_thread.run_sync(lambda: DBOS.destroy(destroy_registry=True))

    def _config(self) -> DBOSConfig:
        return DBOSConfig(
            name=NAME,
            system_database_url=self._url,
            application_version=CONTRACT,
            executor_id=self._executor,
            serializer=DBOSPortableJSONSerializer(),
            sys_db_pool_size=CONNECTIONS,
            max_executor_threads=THREADS,
            # a home that stops waits for the end of this pause, and nothing else depends on it
            notification_listener_polling_interval_sec=0.1,
            log_level="ERROR",
        )

    def _connected(self) -> DBOSClient:
        """The queues are there before `DBOS.launch`, which else finds them a second later."""
        DBOS.migrate(self._url)
        client = DBOSClient(
            system_database_url=self._url,
            serializer=DBOSPortableJSONSerializer(),
            system_database_pool_size=2,
            retry_connection_errors=False,
        )
        for lane, slots in SLOTS.items():
            client.register_queue(
                lane,
                worker_concurrency=slots,
                polling_interval_sec=POLLS_S[lane],
                application_name=NAME,
            )
        return client

    def _connection(self) -> DBOSClient:
        if self._client is None:
            raise RuntimeError("the engine has not been launched")
        return self._client

    async def _aside(self, work: Callable[[], T]) -> T:
        """Run a call of the library that blocks; whoever is cancelled does not wait for it."""
        try:
            return await anyio.to_thread.run_sync(
                work, abandon_on_cancel=True, limiter=self._threads
            )
        except DBAPIError as refused:
            raise told("the engine's tables could not be read", refused) from refused
