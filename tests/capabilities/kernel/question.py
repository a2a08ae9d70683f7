"""A plan that the owner is asked about, in a house that keeps what is decided."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from capabilities.kernel.actors import owner
from capabilities.kernel.asking import decision_key
from capabilities.kernel.deciding import Resolved, decide
from capabilities.kernel.outcomes import AnyOutcome, Outcome, Refused
from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.stores import approvals, decisions, plans
from ledger.stores.approvals import Approval, NewApproval
from ledger.stores.decisions import Decision, DecisionKind, NewDecision
from ledger.stores.plans import Plan
from ledger.writer import Transaction
from tests.capabilities.watch import Watch
from tests.ledger.rows import new_plan

MORNING = datetime(2026, 5, 1, 8, tzinfo=UTC)
ANNA = owner("anna")


@dataclass(frozen=True)
class House:
    """A ledger, the clock it goes by, and what was asked and decided."""

    ledger: Ledger
    watch: Watch

    async def approval(self, id_: str) -> Approval:
        """The request, or what became of it."""
        found = await self.ledger.read(lambda conn: approvals.by_id(conn, id_))
        assert found is not None
        return found

    async def open_decision(self) -> Decision | None:
        """What the owner is asked about the plan now, if anything."""
        return await self.ledger.read(
            lambda conn: decisions.open_for(conn, decision_key("plan_1", 1))
        )

    async def decide(self, id_: str, **changed: object) -> Outcome[Resolved]:
        """The owner says yes to what was asked; parts of the word may be others."""
        asked = await self.approval(id_)
        given = {
            "approved": True,
            "by": ANNA,
            "payload_hash": asked.payload_hash,
            "revision": asked.revision,
            **changed,
        }
        return await decide(self.ledger, id_, **given)  # pyright: ignore[reportArgumentType]  # varied


@asynccontextmanager
async def house(home: Path) -> AsyncGenerator[House]:
    """It stands in an empty folder, on a morning."""
    watch = Watch()
    async with opened(home, Clock(now=watch.now)) as ledger:
        yield House(ledger, watch)


def a_plan() -> Plan:
    """The plan that is asked about."""
    return new_plan("plan_1", {"film": "Sintel"}, MORNING)


def asked(plan: Plan, *, run: str | None = None) -> Callable[[Transaction], str]:
    """Write a request for a plan, with its decision; tells the request."""

    def write(tx: Transaction) -> str:
        new = NewApproval(
            "download.submit",
            plan.pin,
            "key:local",
            run,
            "call_1",
            plan.card,
            MORNING + timedelta(days=1),
        )
        approval = approvals.request(tx, new, MORNING)
        decisions.raise_(
            tx,
            NewDecision(
                DecisionKind.APPROVAL_REQUIRED,
                decision_key(plan.id, plan.revision),
                "Sintel",
                approval=approval,
                run=run,
            ),
            MORNING,
        )
        return approval

    return write


async def with_plan(house: House, *, run: str | None = None) -> str:
    """The plan is there and asked about; returns the request."""
    plan = a_plan()
    await house.ledger.write(lambda tx: plans.add(tx, plan))
    return await house.ledger.write(asked(plan, run=run))


def refused(outcome: AnyOutcome) -> Refused:
    """The outcome, which is a refusal."""
    assert isinstance(outcome, Refused)
    return outcome
