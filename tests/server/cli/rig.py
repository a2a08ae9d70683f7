"""The real API of a home on its Unix socket, in a thread of its own, with the ledger in reach."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.discovery import discovered
from capabilities.kernel.outcomes import AnyOutcome, Failed
from capabilities.kernel.spec import Effect, Spec
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.stores import approvals, claims, decisions, downloads, events, plans, runs
from ledger.stores.approvals import NewApproval, PlanPin
from ledger.stores.claims import NewClaim
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction
from server.cli.entry import run
from server.cli.home import Home
from server.guard.tries import Door
from tests.server.api.house import PASSPHRASE, House, served
from tests.server.api.shelf import SHELF, Started, control, said, spec

REAL = ("runs.get_run", "runs.abort_run", "runs.choose_option", "download.list")
OWNER = "anna"
FILM = "Sintel.2010.1080p.BluRay.x264-OPEN"
CARD = {
    "title": "Download Sintel (2010), bluray 1080p, to Films",
    "changes": ["4.20 GB on the download disk, 82.6 GB left after", "nothing is replaced"],
    "from": {
        "indexer": "loopback",
        "release": "Sintel.2010.1080p.BluRay.x264-OPEN",
        "identity": "grade A",
        "verdict": ["in tier Blu-ray 1080p"],
    },
    "asked_by": "run:x",
    "files": 2,
    "why": "nobody has approved this plan yet",
}


@dataclass
class Plot:
    """What the next run is found to have done by whoever looks at it first."""

    events: list[tuple[str, Mapping[str, object]]] = field(
        default_factory=list[tuple[str, Mapping[str, object]]]
    )
    columns: dict[str, object] = field(default_factory=dict[str, object])
    options: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    sightings: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    given: dict[str, Any] = field(default_factory=dict[str, Any])


class Goal(Started, extra="forbid"):
    propose_first: bool = False


class Download(BaseModel, extra="forbid"):
    download: Annotated[str, Field(description="Which.", max_length=60)]


@dataclass
class Rig:
    """A home whose server answers, and the hands of its tests."""

    home: Home
    house: House
    portal: BlockingPortal
    plot: Plot

    @property
    def ledger(self) -> Ledger:
        return self.house.ledger

    def typed(self, *arguments: str) -> int:
        """Run a command in this process; it must not ask at a terminal."""
        return run(["--home", str(self.home.root), *arguments])

    def one_time_code(self) -> str:
        code = self.portal.call(self.house.guard.owner.setup_code)
        assert code is not None
        return code

    def add_download(self) -> None:
        """A download that a client has."""
        at = self.ledger.now()
        row = DownloadRow(
            id=new_id("dl"),
            client="embedded",
            info_hash=new_id("x")[2:],
            hash_v1=None,
            hash_v2=None,
            name=FILM,
            plan="plan_x",
            release="rel_x",
            work="work_x",
            run=None,
            state="downloading",
            size=1000,
            done=0,
            facts={},
            last_error=None,
            created_at=at,
            updated_at=at,
            completed_at=None,
        )
        self.write(lambda tx: downloads.add(tx, row))

    def leave_unknown(self, sentence: str) -> None:
        """An act of which nobody knows whether it happened."""
        new = NewClaim(
            capability="download.submit",
            version=1,
            actor="key:local",
            principal="key:local",
            run=None,
            request="r",
            call_id="c",
            fingerprint="f",
            key=new_id("key"),
            natural_key=None,
            worker="gone",
            target=None,
            plan=None,
            plan_hash=None,
            plan_revision=None,
            authority=None,
        )
        claim = self.write(lambda tx: claims.claim(tx, new, self.ledger.now()))
        self.write(lambda tx: claims.make_unknown(tx, claim.id, sentence))

    def write(self, work: Any) -> Any:
        return self.portal.call(self.ledger.write, work)

    def ask_for_approval(self, run_id: str | None = None, **card: object) -> tuple[str, str]:
        """A plan that waits for the owner; the ids of its approval and its decision."""
        at = self.ledger.now()
        payload = {"release": new_id("rel")}
        hash_ = plans.payload_hash(payload)
        plan = Plan(
            new_id("plan"), "acquisition", PlanState.DRAFT, 1, hash_, payload, CARD, None, run_id,
            "key:local", at,
        )  # fmt: skip
        pin = PlanPin(plan.type, plan.id, hash_, 1)
        asked_by = "key:local" if run_id is None else f"run:{run_id}"

        def ask(tx: Transaction) -> tuple[str, str]:
            plans.add(tx, plan)
            new = NewApproval(
                "download.submit",
                pin,
                asked_by,
                run_id,
                None,
                {**CARD, **card},
                at + timedelta(hours=5),
            )
            approval = approvals.request(tx, new, at)
            kind = DecisionKind.APPROVAL_REQUIRED
            asked = NewDecision(
                kind, f"approval:{plan.id}:1", str(CARD["title"]), approval=approval, run=run_id
            )
            return approval, decisions.raise_(tx, asked, at)

        return self.write(ask)

    def approval(self, id_: str) -> approvals.Approval:
        found = self.portal.call(self.ledger.read, lambda conn: approvals.by_id(conn, id_))
        assert found is not None
        return found

    def decide(self, kind: DecisionKind, title: str, **more: Any) -> str:
        """A decision that waits for the owner."""
        new = NewDecision(kind, new_id("cause"), title, **more)
        return self.write(lambda tx: decisions.raise_(tx, new, self.ledger.now()))

    def settle(self, decision: str) -> None:
        """Nobody need decide this any more."""
        at = self.ledger.now()
        self.write(
            lambda tx: decisions.close(tx, decision, by="owner:anna", resolution="gone", at=at)
        )

    def tell(self, type_: str, body: Mapping[str, object]) -> str:
        """Something happens in the newest run; its id."""
        found, _ = self.portal.call(self.ledger.read, lambda conn: runs.listing(conn, limit=1))
        id_, at = found[0].id, self.ledger.now()
        self.write(lambda tx: events.append(tx, type_, body, at, run=id_))
        return id_

    def stir(self) -> str:
        """Let whoever still waits for the newest run hear of it; its id."""
        return self.tell("stirred", {})

    def run_at(self, id_: str) -> runs.Run:
        found = self.portal.call(self.ledger.read, lambda conn: runs.by_id(conn, id_))
        assert found is not None
        return found


def _specs(plot: Plot) -> list[Spec]:
    shelf = [each for each in SHELF if not each.id.startswith("runs.")]
    real = [each for each in discovered() if each.id in REAL]
    return [
        *shelf,
        *real,
        control("runs.start_run", Goal, _starter(plot), Effect.OURS),
        spec("download.inspect", Download, _client(plot)),
    ]


def _client(plot: Plot) -> Any:
    async def inspect(given: BaseModel, context: Context) -> AnyOutcome:
        """What a download client would see; when there is no more to see, the run succeeds."""
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
    runs.change(tx, run.id, state="succeeded", phase="done", report=None, reason="It is here.")


def _starter(plot: Plot) -> Any:
    async def start_run(given: BaseModel, context: Context) -> AnyOutcome:
        """As the real one, but that the engine stands still and the plot is what happens."""
        plot.given = given.model_dump()
        id_, at = new_id("run"), context.ledger.now()

        def write(tx: Transaction) -> None:
            runs.add(
                tx,
                id_=id_,
                goal=plot.given["goal"],
                actor=str(context.actor),
                principal=context.actor.principal,
                trigger="user",
                options={},
                at=at,
            )
            for type_, body in plot.events:
                events.append(tx, type_, body, at, run=id_)
            runs.change(tx, id_, state="succeeded", phase="done")
            if plot.options:
                kind = DecisionKind.CHOOSE_OPTION
                asked = NewDecision(kind, id_, "Which one?", options=plot.options, run=id_)
                decisions.raise_(tx, asked, at)
            if plot.columns:
                runs.change(tx, id_, **plot.columns)

        context.stage(write)
        return said("Queued.", run="run:1", id=id_)

    return start_run


@contextmanager
def rigged(root: Path, *, owned: bool = True) -> Generator[Rig]:
    """A home in ``root``, served until the block ends."""
    home = Home(root)
    home.prepare()
    home.api_socket.symlink_to(root / "socket")
    plot = Plot()
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(served(root, specs=_specs(plot))) as house,
    ):
        rig = Rig(home, house, portal, plot)
        if owned:
            code = rig.one_time_code()
            portal.call(house.guard.owner.create, code, OWNER, PASSPHRASE, Door.TERMINAL)
        yield rig


def environment(**more: str) -> dict[str, str]:
    """For a command in a process of its own: nothing of the tests' own settings."""
    kept = {name: held for name, held in os.environ.items() if not name.startswith("MATINEE_")}
    return {**kept, "TERM": "xterm", "COLUMNS": "80", **more}
