"""A stored plan as whoever carries it out finds it: the right kind, unchanged, and not used yet."""

from dataclasses import dataclass

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState

LONGEST_TOLD = 60


@dataclass(frozen=True, slots=True)
class PlanKind:
    """One kind of plan, and how its refusals name it.

    Attributes:
        type: as it is stored.
        noun: what an owner calls one of this kind, e.g. "acquisition plan".
        short: the same where the kind is clear, e.g. "plan".
        maker: the tool that makes one.
        fresh: the state of one that was not carried out.
        used_up: what is said of one in another state, e.g. "it cannot be submitted again".
        undone: that nothing happened, e.g. "Nothing was done."
    """

    type: str
    noun: str
    short: str
    maker: str
    fresh: PlanState
    used_up: str
    undone: str = "Nothing was done."

    @property
    def anew(self) -> str:
        """What to do where one of this kind is of no use any more."""
        return f"Make a new {self.short} with {self.maker}."

    async def find(self, context: Context, given: str) -> Plan:
        """The plan behind a reference or an id.

        Raises:
            HaltError: not found: there is none, or it is of another kind.
        """
        id_ = await context.resolve("plan", given)
        plan = await context.ledger.read(lambda conn: plans.by_id(conn, id_))
        if plan is None or plan.type != self.type:
            raise HaltError(
                Failed(
                    Code.NOT_FOUND,
                    f"There is no {self.noun} {given[:LONGEST_TOLD]!r}.",
                    f"Make one with {self.maker}.",
                )
            )
        return plan

    def refuse_changed(self, plan: Plan, payload_hash: str | None) -> None:
        """Refuse a plan that has another hash than the caller has seen, where one is given.

        Raises:
            HaltError: conflict, with the hash and the revision that it has.
        """
        if payload_hash is None or payload_hash == plan.payload_hash:
            return
        raise HaltError(
            Refused(
                Code.CONFLICT,
                f"The {self.short} is not the one you mean: its hash differs. {self.undone}",
                {"payload_hash": plan.payload_hash, "revision": plan.revision},
            )
        )

    def refuse_used(self, plan: Plan) -> None:
        """Refuse a plan that was carried out, or that another one took the place of.

        Raises:
            HaltError: precondition, with the state that it is in.
        """
        if plan.state is self.fresh:
            return
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"This {self.short} is {plan.state}; {self.used_up}.",
                {"do": self.anew},
            )
        )
