"""What happens in a run of these tests: the engine stands still, and a plot takes its place."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.discovery import discovered
from capabilities.kernel.outcomes import AnyOutcome, Failed
from capabilities.kernel.spec import Effect, Spec
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.stores import decisions, events, runs
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.writer import Transaction
from tests.server.api.shelf import SHELF, Started, control, said, spec

FILM = "Sintel.2010.1080p.BluRay.x264-OPEN"
REAL = (
    "runs.get_run",
    "runs.list_runs",
    "runs.abort_run",
    "runs.choose_option",
    "download.list",
    "decision.resolve",
)

Handler = Callable[[Any, Context], Awaitable[AnyOutcome]]


@dataclass
class Plot:
    """What the next run is found to have done by whoever looks at it first.

    Attributes:
        columns: of its row; without any it has succeeded.
        options: what it asks its starter to choose from.
        sightings: what a client sees of its download, one a look; with the last one it succeeds.
        given: what the run was started with.
    """

    events: list[tuple[str, Mapping[str, object]]] = field(
        default_factory=list[tuple[str, Mapping[str, object]]]
    )
    columns: dict[str, object] = field(default_factory=dict[str, object])
    options: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    sightings: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])
    given: dict[str, Any] = field(default_factory=dict[str, Any])

    def specs(self) -> list[Spec]:
        """Real capabilities where the engine is not needed, and the plot's own in the others."""
        return [
            *(each for each in SHELF if not each.id.startswith("runs.")),
            *(each for each in discovered() if each.id in REAL),
            control("runs.start_run", Goal, _starter(self), Effect.OURS),
            spec("download.inspect", Download, _client(self)),
        ]

    def happen(self, tx: Transaction, run: str, ledger: Ledger) -> None:
        at = ledger.now()
        for type_, body in self.events:
            events.append(tx, type_, body, at, run=run)
        if self.options:
            kind = DecisionKind.CHOOSE_OPTION
            asked = NewDecision(kind, run, "Which one?", options=self.options, run=run)
            decisions.raise_(tx, asked, at)
        runs.change(tx, run, **{"state": "succeeded", "phase": "done", **self.columns})


class Goal(Started, extra="forbid"):
    propose_first: bool = False


class Download(BaseModel, extra="forbid"):
    download: Annotated[str, Field(description="Which.", max_length=60)]


def _starter(plot: Plot) -> Handler:
    async def start_run(given: BaseModel, context: Context) -> AnyOutcome:
        plot.given = given.model_dump()
        id_ = new_id("run")

        def write(tx: Transaction) -> None:
            runs.add(
                tx,
                id_=id_,
                goal=plot.given["goal"],
                actor=str(context.actor),
                principal=context.actor.principal,
                trigger="user",
                options={},
                at=context.ledger.now(),
            )
            plot.happen(tx, id_, context.ledger)

        context.stage(write)
        return said("Queued.", run="run:1", id=id_)

    return start_run


def _client(plot: Plot) -> Handler:
    async def inspect(given: BaseModel, context: Context) -> AnyOutcome:
        del given
        if not plot.sightings:
            return Failed(Code.UNAVAILABLE, "The client does not answer.")
        seen = plot.sightings.pop(0)
        if not plot.sightings:
            await context.ledger.write(lambda tx: _succeed(tx, context.ledger))
        return said("Seen.", **seen)

    return inspect


def _succeed(tx: Transaction, ledger: Ledger) -> None:
    (run,), _ = runs.listing(tx.conn, limit=1)
    events.append(tx, "download_completed", {"title": FILM}, ledger.now(), run=run.id)
    runs.change(tx, run.id, state="succeeded", phase="done", reason="It is here.")
