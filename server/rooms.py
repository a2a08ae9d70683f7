"""The background work of a house: who continues runs and tasks, and what is due again and again."""

from dataclasses import dataclass

import svcs
from anyio.abc import TaskGroup

from agent.driver import Driver
from agent.driver import Parts as DriverParts
from agent.limits import Limits
from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.port import MediaServers
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.owing import ADOPT, IMPORT, NEXT, TRACK, VERIFY
from capabilities.kernel.registry import Registry
from ledger.bell import listen
from ledger.ledger import Ledger
from ledger.location import Location, PostgresServer, SqliteFile
from server.adapters import held
from server.background.contacts import Contacts
from server.background.emptying import Emptier
from server.background.giving_up import run_given_up
from server.background.holding import follow, hold
from server.background.importing import Importer
from server.background.library_watch import LibraryWatch
from server.background.maintenance import Job
from server.background.recovery import (
    NOTHING,
    Recovered,
    keep_beating,
    keep_giving_up,
    keep_listening,
    keep_watch,
)
from server.background.replacing import Replacer
from server.background.seeding import Seeding
from server.background.space_watch import SpaceWatch
from server.background.surveys import Surveyor
from server.background.taking_in import TakingIn
from server.background.tasks import Attend, TaskRunner
from server.background.tracking import Tracker
from server.background.verifying import Verifier
from server.background.watching import Watcher
from server.background.working import begin, stand_by
from server.role import Role
from server.settings import AgentSettings, Settings
from server.surroundings import HouseView
from server.upstreams import Upstreams


@dataclass(frozen=True, slots=True)
class Rooms:
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
        kinds[ADOPT] = TakingIn(ledger).attend
        kinds[VERIFY] = Verifier(ledger, held(self.parts, MediaServers)).attend
        runner = TaskRunner(ledger, kinds)
        engine.handle("task", "background", runner.segment, given_up=runner.given_up)
        Surveyor(ledger).attend()
        return tracker

    async def begin(
        self,
        role: Role,
        tasks: TaskGroup,
        holders: TaskGroup,
        tracker: Tracker | None,
        disowned: int,
    ) -> Recovered:
        """Begin what a process of this role does; says what it took up."""
        recovered = NOTHING
        if role.works:
            recovered = await self.begin_work(tasks, holders, tracker, disowned)
        else:
            self.serve_only(tasks)
        self.keep_up(tasks)
        return recovered

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
        clients, servers = held(self.parts, Downloaders), held(self.parts, MediaServers)
        tasks.start_soon(Contacts(ledger, clients, servers).run)
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

    def jobs(self) -> list[Job]:
        """What is due again and again with the parts that this house has."""
        return [*self.space_jobs(), *self.seeding(), *self.emptying()]

    def space_jobs(self) -> list[Job]:
        """The watch over the download disk, where there are folders and clients."""
        clients, folders = held(self.parts, Downloaders), held(self.parts, Folders)
        if clients is None or folders is None:
            return []
        return [SpaceWatch(self.ledger, clients, folders).job]

    def seeding(self) -> list[Job]:
        """The following of what seeds, where there are folders and clients."""
        clients, folders = held(self.parts, Downloaders), held(self.parts, Folders)
        if clients is None or folders is None:
            return []
        return [Seeding(self.ledger, clients, folders).job]

    def emptying(self) -> list[Job]:
        """The emptying of the recycle folders, where there are libraries."""
        folders = held(self.parts, Folders)
        return [] if folders is None else [Emptier(self.ledger, folders).job]

    def keep_up(self, tasks: TaskGroup) -> None:
        """Begin what every process does, whatever its role."""
        tasks.start_soon(self.registry.audit.keep)
        if isinstance(self.location, PostgresServer):
            tasks.start_soon(listen, self.location, self.ledger.feed)


def _kinds(
    ledger: Ledger, registry: Registry, clients: Downloaders | None, tracker: Tracker | None
) -> dict[str, Attend]:
    if clients is None or tracker is None:
        return {}
    importer, replacer = Importer(ledger, registry, clients), Replacer(ledger, registry)
    return {TRACK: tracker.attend, IMPORT: importer.attend, NEXT: replacer.attend}


def _limits(settings: AgentSettings) -> Limits:
    return Limits(
        max_tool_calls=settings.max_tool_calls,
        max_duration_s=settings.max_duration_s,
        goal_poll_s=settings.goal_poll_s,
        goal_wait_s=settings.goal_wait_h * 3600,
    )
