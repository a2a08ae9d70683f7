"""Driving runs, a segment at a time: drive, settle, finalize."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from agent.approval import keep_waiting, waits
from agent.calling import Caller, actor_of
from agent.conversation import Conversation
from agent.ending import Ending
from agent.finalize import CANCELLED, finalize, reopen
from agent.limits import Limits
from agent.loop import Rest, drive
from agent.models.port import SystemMessage
from agent.pen import Page, Pen
from agent.prompt.assembly import system_prompt
from agent.prompt.environment import Surroundings
from agent.prompt.skills import Library, chosen, shipped
from agent.session import Session
from agent.settle import Next, settle
from agent.upstreams import Choose
from agent.usage import Meter, Used
from agent.watch import unless_aborted
from capabilities.kernel.registry import Registry
from ledger.faults import LedgerUnavailableError, StaleWriterError
from ledger.ledger import Ledger
from ledger.stores import runs
from ledger.stores.runs import Phase, RunState

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Parts:
    """What the driver works with.

    Attributes:
        choose: the upstream of a run; asked at every segment, so that a new one takes effect.
        surroundings: asked at every request to a model; must be cheap.
    """

    ledger: Ledger
    registry: Registry
    choose: Choose
    surroundings: Callable[[], Awaitable[Surroundings]]
    library: Library = field(default_factory=shipped)
    limits: Limits = field(default_factory=Limits)


class Driver:
    """Runs the agent's segments; register `segment` with the engine for the kind ``run``."""

    def __init__(self, parts: Parts) -> None:
        """Keep the parts; nothing happens before a segment is started."""
        self._parts = parts

    async def segment(self, run: str, epoch: int) -> None:
        """Go on with a run until it waits or ends.

        A fault of Matinee itself ends the run with a sentence that says so.

        Raises:
            StaleWriterError: another segment owns the run now; this one has written nothing since.
            LedgerUnavailableError: nothing can be written down, so nothing may happen; the engine
                starts the segment again.
        """
        pen = Pen(self._parts.ledger, run, epoch)
        for step in (self._steps, self._give_up, _end_plainly):
            try:
                return await step(pen)
            except (StaleWriterError, LedgerUnavailableError):
                raise
            except Exception:
                log.exception("a segment failed", run=run, epoch=epoch, step=step.__name__)
        return None

    async def _give_up(self, pen: Pen) -> None:
        await finalize(pen, self._parts.limits, _OUR_FAULT)

    async def _steps(self, pen: Pen) -> None:
        step = await pen.write(_enter)
        while step is not Next.LEAVE:
            if step is Next.DRIVE:
                step = await self._drive(pen)
            elif step is Next.SETTLE:
                step = await settle(pen, self._parts.limits)
            else:
                step = await finalize(pen, self._parts.limits, None)

    async def _drive(self, pen: Pen) -> Next:
        session = await self._session(pen)
        stop = await unless_aborted(pen.ledger, pen.run, lambda: drive(session))
        if stop is Rest.SUSPENDED:
            return Next.LEAVE
        if stop is Rest.TURN_OVER:
            return Next.SETTLE
        return await finalize(pen, self._parts.limits, stop or CANCELLED)

    async def _session(self, pen: Pen) -> Session:
        parts = self._parts
        run, rows = await parts.ledger.read(
            lambda conn: (runs.by_id(conn, pen.run), runs.messages(conn, pen.run))
        )
        if run is None:
            raise StaleWriterError(f"{pen.run} is gone")
        proposes = bool(run.options.get("propose_first"))
        caller = Caller(parts.ledger, parts.registry, actor_of(run, parts.registry), proposes)
        specs = caller.specs
        skills = chosen(parts.library, run.goal, {spec.id for spec in specs})
        system = system_prompt(specs, parts.library, skills, proposes_first=proposes)
        return Session(
            pen=pen,
            goal=run.goal,
            conversation=Conversation(rows),
            meter=Meter(Used.stored(run.usage), parts.ledger.clock.monotonic),
            caller=caller,
            limits=parts.limits,
            chosen=await parts.choose(run),
            library=parts.library,
            system=SystemMessage(system),
            tools=caller.tools(),
            given=frozenset(skill.name for skill in skills),
            surroundings=parts.surroundings,
            interactive=bool(run.options.get("interactive")),
            plan=run.plan,
            waits_for=waits(run),
        )


_OUR_FAULT = Ending(
    RunState.FAILED,
    "Matinee failed while working on this. What was submitted goes on; the log has the details.",
)


def _enter(page: Page) -> Next:
    """Where a segment begins: the run's phase says so, and what reached it meanwhile."""
    run = page.run
    if run.abort_asked and run.state not in runs.OVER:
        return Next.FINALIZE
    asked = waits(run)
    if asked is not None and keep_waiting(page, asked):
        return Next.LEAVE
    if run.phase == Phase.DONE and runs.unread(page.tx.conn, run.id):
        reopen(page)
        return Next.DRIVE
    if run.phase == Phase.DRIVE:
        page.change(started_at=run.started_at or page.at)
        page.move(RunState.RUNNING, Phase.DRIVE)
        return Next.DRIVE
    if run.state in runs.OVER:
        page.end()
        return Next.LEAVE
    return Next.SETTLE


async def _end_plainly(pen: Pen) -> None:
    """End a run whose report cannot be built either."""

    def write(page: Page) -> None:
        page.change(ended_at=page.at)
        page.move(_OUR_FAULT.state, Phase.DONE, _OUR_FAULT.sentence)
        page.end()

    await pen.write(write)
