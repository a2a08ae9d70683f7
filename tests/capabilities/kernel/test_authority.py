"""Authority that is no approval of the plan itself: policies, and an approved acquisition."""

from dataclasses import replace
from typing import Any

import pytest

from capabilities.kernel.actors import system
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Refused, Succeeded
from capabilities.kernel.spec import Kind
from ledger.ledger import Ledger
from ledger.stores import policies
from ledger.stores.approvals import ApprovalState
from ledger.tables.media import plan as plan_table
from tests.capabilities.kernel.approving import PHONE, approved, decide, needs, requested, state_of
from tests.capabilities.kernel.lamps import House, Lamps, call, house


@pytest.mark.anyio
async def test_a_proposal_is_allowed_by_the_published_policy_of_its_kind(ledger: Ledger) -> None:
    lamps = Lamps()
    proposal = lamps.ours(id="identity.resolve", kind=Kind.PROPOSE)
    other = lamps.ours(id="lamp.propose", kind=Kind.PROPOSE)
    here = house(ledger, proposal, other, lamps=lamps)

    async def propose(name: str) -> AnyOutcome:
        return await here.registry.invoke(call(name, {"name": "hall"}, actor=PHONE))

    before = await propose("identity.resolve")
    assert isinstance(before, Refused)
    assert before.code == Code.DENIED
    await ledger.write(lambda tx: policies.publish(tx, "identity", {}, ledger.now()))
    assert isinstance(await propose("identity.resolve"), Succeeded)
    assert (await here.claim()).authority == "policy:identity:v1"
    without = await propose("lamp.propose")
    assert isinstance(without, Refused)
    assert lamps.entered == 1


async def acquisition(here: House, **changed: Any) -> str:
    """A consumed approval of an acquisition that describes its import; returns the plan."""
    described = {"mode": "hardlink", "library": "films", "policy": 1}
    parent = await here.plan("parent", payload={"import": described, **changed.pop("more", {})})
    approval = await approved(here, parent)
    await here.light("parent", plan=parent.id, actor=PHONE)
    assert await state_of(here, approval) == ApprovalState.CONSUMED
    here.lamps.lit.clear()
    return parent.id


AS_DESCRIBED = {
    "add_only": True,
    "import": {"mode": "hardlink", "library": "films", "policy": 1},
}
IMPORTER = system("import")


@pytest.mark.anyio
async def test_an_approved_acquisition_covers_the_import_it_described(ledger: Ledger) -> None:
    here = house(ledger)
    parent = await acquisition(here)
    child = await here.plan("hall", parent=parent, payload=AS_DESCRIBED)
    assert isinstance(await here.light(plan=child.id, actor=IMPORTER), Succeeded)
    assert here.lamps.lit == ["hall"]


OTHERWISE: dict[str, dict[str, Any]] = {
    "it replaces": {**AS_DESCRIBED, "add_only": False},
    "it does not say": {"import": AS_DESCRIBED["import"]},
    "it only nearly says": {**AS_DESCRIBED, "add_only": "no"},
    "another mode": {
        **AS_DESCRIBED,
        "import": {"mode": "move", "library": "films", "policy": 1},
    },
    "no description": {"add_only": True},
}


@pytest.mark.anyio
@pytest.mark.parametrize("payload", OTHERWISE.values(), ids=OTHERWISE)
async def test_any_other_import_needs_the_owner(ledger: Ledger, payload: dict[str, Any]) -> None:
    here = house(ledger)
    parent = await acquisition(here)
    child = await here.plan("hall", parent=parent, payload=payload)
    needs(await here.light(plan=child.id, actor=IMPORTER))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_acquisition_that_describes_no_import_covers_none(ledger: Ledger) -> None:
    here = house(ledger)
    parent = await acquisition(here, more={"import": None})
    child = await here.plan("hall", parent=parent, payload={"add_only": True})
    needs(await here.light(plan=child.id, actor=IMPORTER))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_the_import_of_an_acquisition_that_nobody_approved_needs_the_owner(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    parent = await here.plan("parent", payload={"import": AS_DESCRIBED["import"]})
    child = await here.plan("hall", parent=parent.id, payload=AS_DESCRIBED)
    needs(await here.light(plan=child.id, actor=IMPORTER))
    approval = await requested(here, parent)
    needs(await here.light(plan=child.id, actor=IMPORTER))
    await decide(here, approval)
    needs(await here.light(plan=child.id, actor=IMPORTER))
    orphan = await here.plan("kitchen", payload=AS_DESCRIBED)
    needs(await here.light("kitchen", plan=orphan.id, actor=IMPORTER))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_the_import_of_an_acquisition_that_changed_since_needs_the_owner(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    parent = await acquisition(here)
    child = await here.plan("hall", parent=parent, payload=AS_DESCRIBED)
    await ledger.write(
        lambda tx: tx.conn.execute(
            plan_table.update().where(plan_table.c.id == parent).values(revision=2)
        ).close()
    )
    needs(await here.light(plan=child.id, actor=IMPORTER))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_what_the_owner_acquired_by_hand_may_be_imported_as_it_described(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    parent = await here.plan("parent", payload={"import": AS_DESCRIBED["import"]})
    await here.light("parent", plan=parent.id)
    child = await here.plan("hall", parent=parent.id, payload=AS_DESCRIBED)
    assert isinstance(await here.light(plan=child.id, actor=IMPORTER), Succeeded)
    assert sorted(claim.authority or "" for claim in await here.claims()) == ["owner:ann"] * 2


@pytest.mark.anyio
async def test_only_the_importer_acts_on_an_acquisitions_approval(ledger: Ledger) -> None:
    here = house(ledger)
    parent = await acquisition(here)
    child = await here.plan("hall", parent=parent, payload=AS_DESCRIBED)
    for who in (PHONE, system("patrol"), replace(PHONE, id="import")):
        needs(await here.light(plan=child.id, actor=who))
    assert here.lamps.lit == []
