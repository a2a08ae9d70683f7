"""The plan of an act that has no plan of its own: its canonical input and its frozen target.

It exists so that one such act can be approved once. It binds approvals only; what makes two calls
the same stays their request.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from capabilities.kernel.actors import Actor
from capabilities.kernel.spec import Kind, Spec
from capabilities.kernel.targets import Target
from ledger.stores import plans
from ledger.stores.approvals import PlanPin
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction

PLAN_TYPE = "call"
_REVISION = 1
_LONGEST_SHOWN = 200
_ID_DIGITS = 32


@dataclass(frozen=True, slots=True)
class CallPlan:
    """One exact call. Equal input on an equal target is the same plan, whoever asks."""

    spec: Spec
    payload: dict[str, Any]
    shows: tuple[str, ...] = ()

    @property
    def pin(self) -> PlanPin:
        """What an approval binds to."""
        digest = plans.payload_hash(self.payload)
        return PlanPin(PLAN_TYPE, f"plan_{digest[:_ID_DIGITS]}", digest, _REVISION)

    def keep(self, tx: Transaction, actor: Actor, run: str | None, at: datetime) -> None:
        """Store it, once."""
        pin = self.pin
        if plans.by_id(tx.conn, pin.id) is not None:
            return
        card = {"title": self.spec.title, "changes": self._lines(), "asked_by": str(actor)}
        plans.add(
            tx,
            Plan(
                id=pin.id,
                type=PLAN_TYPE,
                state=PlanState.FROZEN,
                revision=pin.revision,
                payload_hash=pin.payload_hash,
                payload=self.payload,
                card=card,
                parent=None,
                run=run,
                created_by=str(actor),
                created_at=at,
            ),
        )

    def _lines(self) -> list[str]:
        """The input as fields; what cannot be printed is escaped, so that no text forges a line.

        After it, what the target shows of itself, in the words of its capability.
        """
        given: dict[str, Any] = self.payload["input"]
        lines = [f"{name}: {held!r}"[:_LONGEST_SHOWN] for name, held in given.items()]
        return [*lines, *self.shows]


def call_plan(spec: Spec, given: BaseModel, target: Target | None) -> CallPlan | None:
    """The plan of a call, or None where it is no execute or has a plan of its own."""
    if spec.kind is not Kind.EXECUTE or spec.plan is not None or target is None:
        return None
    return CallPlan(
        spec,
        {
            "capability": spec.id,
            "version": spec.version,
            "input": given.model_dump(mode="json", exclude_none=True),
            "target": target.stored(),
        },
        target.shows,
    )
