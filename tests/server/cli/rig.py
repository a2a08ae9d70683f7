"""The real API of a home on its Unix socket, in a thread of its own, with the ledger in reach."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import approvals, claims, decisions, downloads, events, plans, runs
from ledger.stores.approvals import Approval, NewApproval
from ledger.stores.claims import NewClaim
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.stores.runs import Run
from ledger.writer import Transaction
from server.cli.entry import run
from server.cli.home import Home
from server.guard.tries import Door
from server.role import Role
from tests.server.api.house import PASSPHRASE, House, served
from tests.server.cli.plot import FILM, Plot

T = TypeVar("T")

OWNER = "anna"
CARD: dict[str, Any] = {
    "title": "Download Sintel (2010), bluray 1080p, to Films",
    "changes": ["4.20 GB on the download disk, 82.6 GB left after", "nothing is replaced"],
    "from": {
        "indexer": "loopback",
        "release": FILM,
        "identity": "grade A",
        "verdict": ["in tier Blu-ray 1080p"],
    },
    "asked_by": "run:x",
    "files": 2,
    "why": "nobody has approved this plan yet",
}


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

    def hint(self, words: str) -> str:
        """A command as a sentence names it to somebody in this home."""
        return f"`matinee --home {self.home.root} {words}`"

    def write(self, work: Callable[[Transaction], T]) -> T:
        return self.portal.call(self.ledger.write, work)

    def read(self, work: Callable[[Snapshot], T]) -> T:
        return self.portal.call(self.ledger.read, work)

    def one_time_code(self) -> str:
        code = self.portal.call(self.house.guard.owner.setup_code)
        assert code is not None
        return code

    def ask_for_approval(self, **card: object) -> tuple[str, str]:
        """A plan that waits for the owner; the ids of its approval and its decision."""
        at = self.ledger.now()
        payload = {"release": new_id("rel")}
        plan = Plan(
            id=new_id("plan"),
            type="acquisition",
            state=PlanState.DRAFT,
            revision=1,
            payload_hash=plans.payload_hash(payload),
            payload=payload,
            card=CARD,
            parent=None,
            run=None,
            created_by="key:local",
            created_at=at,
        )
        new = NewApproval(
            capability="download.submit",
            pin=plan.pin,
            requested_by="key:local",
            run=None,
            call_id=None,
            card={**CARD, **card},
            expires_at=at + timedelta(hours=5),
        )

        def ask(tx: Transaction) -> tuple[str, str]:
            plans.add(tx, plan)
            approval = approvals.request(tx, new, at)
            cause, title = f"approval:{plan.id}:1", str(CARD["title"])
            asked = NewDecision(DecisionKind.APPROVAL_REQUIRED, cause, title, approval=approval)
            return approval, decisions.raise_(tx, asked, at)

        return self.write(ask)

    def approval(self, id_: str) -> Approval:
        found = self.read(lambda conn: approvals.by_id(conn, id_))
        assert found is not None
        return found

    def decide(self, kind: DecisionKind, title: str, **more: Any) -> str:
        """A decision that waits for the owner."""
        new = NewDecision(kind, new_id("cause"), title, **more)
        return self.write(lambda tx: decisions.raise_(tx, new, self.ledger.now()))

    def settle(self, decision: str) -> None:
        """Nobody need decide this any more."""
        at, by = self.ledger.now(), f"owner:{OWNER}"
        self.write(lambda tx: decisions.close(tx, decision, by=by, resolution="gone", at=at))

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

    def leave_unknown(self, sentence: str) -> str:
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
        return claim.id

    def run_at(self, id_: str) -> Run:
        found = self.read(lambda conn: runs.by_id(conn, id_))
        assert found is not None
        return found

    def tell(self, type_: str, body: Mapping[str, object]) -> str:
        """Something happens in the newest run; its id."""
        found, _ = self.read(lambda conn: runs.listing(conn, limit=1))
        id_, at = found[0].id, self.ledger.now()
        self.write(lambda tx: events.append(tx, type_, body, at, run=id_))
        return id_

    def stir(self) -> str:
        """Let whoever still waits for the newest run hear of it; its id."""
        return self.tell("stirred", {})


@contextmanager
def rigged(root: Path, *, owned: bool = True, role: Role = Role.ALL) -> Generator[Rig]:
    """A home in ``root``, served until the block ends."""
    home = Home(root)
    home.prepare()
    home.api_socket.symlink_to(root / "socket")
    plot = Plot()
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(served(root, specs=plot.specs(), role=role)) as house,
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
