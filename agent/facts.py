"""What the tables say a run has brought about. Nothing here comes from a model."""

from dataclasses import dataclass

from agent.items import Item, Standing, items
from agent.pen import Page
from ledger.stores import approvals, claims, plans
from ledger.stores.approvals import Approval, ApprovalState
from ledger.stores.claims import Claim, ClaimState
from ledger.stores.plans import Plan


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a report is built from."""

    items: tuple[Item, ...] = ()
    plans: tuple[Plan, ...] = ()
    claims: tuple[Claim, ...] = ()
    approvals: tuple[Approval, ...] = ()

    @property
    def unknown(self) -> list[Claim]:
        """Effects of which nobody knows yet whether they happened."""
        return [c for c in self.claims if c.state in (ClaimState.UNKNOWN, ClaimState.RUNNING)]

    @property
    def failed(self) -> list[Claim]:
        """Effects that were tried and did not succeed."""
        return [claim for claim in self.claims if claim.state == ClaimState.FAILED]

    @property
    def unsettled(self) -> bool:
        """Whether something is still on its way, or not known."""
        return bool(self.unknown) or bool(self.standing(Standing.OPEN))

    def standing(self, standing: Standing) -> list[Item]:
        """The items that stand so."""
        return [item for item in self.items if item.standing is standing]

    def approved(self, *states: ApprovalState) -> list[Approval]:
        """The run's approvals in any of ``states``."""
        return [approval for approval in self.approvals if approval.state in states]


def gather(page: Page) -> Facts:
    """The facts of a run, read in the transaction that will act on them."""
    conn, run = page.tx.conn, page.run.id
    made, acted = plans.of_run(conn, run), claims.of_run(conn, run)
    return Facts(
        items=tuple(items(page, made, acted)),
        plans=tuple(made),
        claims=tuple(acted),
        approvals=tuple(approvals.of_run(conn, run, *ApprovalState)),
    )
