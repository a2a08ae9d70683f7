"""What the owner declined is not asked again, and whoever calls is told of the no."""

from dataclasses import replace

import pytest

from capabilities.kernel.asking import APPROVAL_TIMEOUT
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Refused
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionState
from ledger.writer import Transaction
from tests.capabilities.kernel.approving import PHONE, decide, needs, requested
from tests.capabilities.kernel.granting_by import FILM, granted
from tests.capabilities.kernel.held_writer import between_look_and_claim
from tests.capabilities.kernel.lamps import ANN, House, Lamps, actor, house, lit_answer
from tests.capabilities.watch import Watch

TABLET = replace(actor(), id="tablet", principal="key:tablet")


def denied(outcome: AnyOutcome) -> Refused:
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.DENIED
    return outcome


async def asked_for(here: House) -> tuple[int, int]:
    """How many approvals were ever asked for, and how many decisions were ever raised."""
    _, approved = await here.ledger.read(
        lambda conn: approvals.listing(conn, states=tuple(ApprovalState))
    )
    _, raised = await here.ledger.read(
        lambda conn: decisions.listing(conn, states=tuple(DecisionState))
    )
    return approved, raised


@pytest.mark.anyio
async def test_a_declined_plan_is_not_asked_again_and_every_client_is_told_why(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = await requested(here, plan)
    await decide(here, first, approved=False)
    for who in (PHONE, TABLET):
        told = denied(await here.light(plan=plan.id, actor=who))
        assert told.sentence.startswith("The owner declined it: so. Nothing was done")
        assert told.needs["reason"] == "so"
        assert "approval" not in told.needs
        await here.registry.audit.flush()
        newest, *_ = await ledger.read(audit.newest)
        assert (newest.actor, newest.outcome) == (str(who), "denied")
    assert await asked_for(here) == (1, 1)
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_a_changed_plan_is_asked_about(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    await decide(here, await requested(here, plan), approved=False)
    changed = await here.plan(id_="plan_better")
    assert needs(await here.light(plan=changed.id, actor=PHONE))["plan"] == changed.id


@pytest.mark.anyio
async def test_the_owner_still_does_by_hand_what_they_declined(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    await decide(here, await requested(here, plan), approved=False)
    assert await here.light(plan=plan.id, actor=ANN) == lit_answer("hall", 1)


@pytest.mark.anyio
async def test_a_grant_does_not_outweigh_a_no_to_exactly_this(ledger: Ledger) -> None:
    here = house(ledger, lamps=Lamps(reach={"hall": FILM}))
    plan = await here.plan()
    await decide(here, await requested(here, plan), approved=False)
    await granted(here)
    denied(await here.light(plan=plan.id, actor=PHONE))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_a_no_that_comes_while_the_call_is_looked_at_counts(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = await requested(here, plan)

    async def call_late() -> None:
        denied(await here.light(plan=plan.id, actor=PHONE))

    def decline_late(tx: Transaction) -> None:
        approvals.decide(tx, first, approved=False, by="owner:ann", reason="so", at=ledger.now())

    await between_look_and_claim(ledger, decline_late, call_late)
    assert (await asked_for(here))[0] == 1


@pytest.mark.anyio
async def test_the_no_to_a_call_without_a_plan_stands_as_long_as_its_request_would(
    ledger: Ledger, watch: Watch
) -> None:
    lamps = Lamps(natural=False)
    here = house(ledger, lamps.spec(plan=None), lamps=lamps)
    first = needs(await here.light(actor=PHONE))["approval"]
    await decide(here, first, approved=False)
    told = denied(await here.light(actor=PHONE))
    assert told.needs["do"] == "It may be asked again after 2026-05-02 08:00 UTC."
    watch.at += APPROVAL_TIMEOUT
    second = needs(await here.light(actor=PHONE))["approval"]
    await decide(here, second)
    assert await here.light(actor=PHONE) == lit_answer("hall", 1)
    assert needs(await here.light(actor=PHONE))["approval"] not in {first, second}
