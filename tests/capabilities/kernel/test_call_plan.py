"""An act without a plan of its own is approved once, for exactly its input on its target."""

import pytest

from capabilities.kernel.actors import system
from capabilities.kernel.asking import APPROVAL_TIMEOUT
from capabilities.kernel.call_plan import PLAN_TYPE, call_plan
from capabilities.kernel.outcomes import Succeeded
from capabilities.kernel.spec import Dedupe, Kind
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores import approvals, decisions, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.plans import PlanState
from tests.capabilities.kernel.approving import PHONE, decide, needs, state_of
from tests.capabilities.kernel.lamps import Given, House, Lamps, actor, house, lit_answer
from tests.capabilities.watch import Watch


def planless(ledger: Ledger, **changed: object) -> House:
    lamps = Lamps(natural=False)
    return house(ledger, lamps.spec(plan=None, **changed), lamps=lamps)


@pytest.mark.anyio
async def test_it_is_asked_about_under_a_plan_of_the_call(ledger: Ledger) -> None:
    here = planless(ledger)
    asked = needs(await here.light("hall", level=7, actor=PHONE))
    stored = await ledger.read(lambda conn: plans.by_id(conn, asked["plan"]))
    assert stored is not None
    assert (stored.type, stored.state) == (PLAN_TYPE, PlanState.FROZEN)
    assert stored.payload == {
        "capability": "lamp.light",
        "version": 1,
        "input": {"name": "hall", "level": 7},
        "target": {"kind": "lamp", "natural_key": None, "facts": {"name": "hall"}},
    }
    assert stored.payload_hash == plans.payload_hash(stored.payload) == asked["payload_hash"]
    assert asked["summary"] == {
        "title": "Light a lamp",
        "changes": ["name: 'hall'", "level: 7"],
        "asked_by": "key:phone",
        "why": "nobody has approved this plan yet",
    }
    assert (here.lamps.lit, await here.claims()) == ([], [])


@pytest.mark.anyio
async def test_approved_once_it_acts_once_under_the_key_of_its_request(ledger: Ledger) -> None:
    here = planless(ledger)
    approval = needs(await here.light(actor=PHONE, request="one"))["approval"]
    await decide(here, approval)
    assert await here.light(actor=PHONE, request="one") == lit_answer("hall", 1)
    claim = await here.claim()
    assert claim.key.startswith("lamp.light:v1:one:")
    stored = await ledger.read(lambda conn: approvals.by_id(conn, approval))
    assert stored is not None
    assert (claim.authority, claim.plan, claim.plan_hash) == (
        approval,
        stored.plan,
        stored.payload_hash,
    )
    assert (stored.state, stored.consumed_by) == (ApprovalState.CONSUMED, claim.id)
    again = await here.light(actor=PHONE, request="one")
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_the_next_request_for_the_same_is_asked_anew(ledger: Ledger) -> None:
    here = planless(ledger)
    first = needs(await here.light(actor=PHONE))
    await decide(here, first["approval"])
    await here.light(actor=PHONE)
    second = needs(await here.light(actor=PHONE))
    assert second["plan"] == first["plan"]
    assert second["approval"] != first["approval"]
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
@pytest.mark.parametrize("other", [{"name": "attic"}, {"level": 6}], ids=str)
async def test_another_input_is_another_plan(ledger: Ledger, other: dict[str, object]) -> None:
    here = planless(ledger)
    first = needs(await here.light(actor=PHONE))
    await decide(here, first["approval"])
    given: dict[str, object] = {"name": "hall", **other}
    second = needs(await here.light(**given, actor=PHONE))  # pyright: ignore[reportArgumentType]  # varied
    assert second["plan"] != first["plan"]
    assert here.lamps.lit == []


def test_another_target_of_the_same_input_is_another_plan() -> None:
    spec, given = Lamps().spec(plan=None), Given(name="hall")
    here, there = (call_plan(spec, given, Target("lamp", None, {"id": n})) for n in (1, 2))
    assert here is not None
    assert there is not None
    assert here.pin != there.pin


@pytest.mark.anyio
async def test_what_the_target_shows_of_itself_stands_on_the_card_after_the_input(
    ledger: Ledger,
) -> None:
    target = Target("lamp", None, {"id": 1}, shows=("wires: 'red', 'blue'",))
    made = call_plan(Lamps().spec(plan=None), Given(name="hall"), target)
    assert made is not None
    await ledger.write(lambda tx: made.keep(tx, system("test"), None, ledger.now()))
    stored = await ledger.read(lambda conn: plans.by_id(conn, made.pin.id))
    assert stored is not None
    assert stored.card["changes"][-1] == "wires: 'red', 'blue'"
    assert "shows" not in stored.payload["target"]


def test_only_an_execute_without_a_plan_of_its_own_has_one() -> None:
    lamps, given, target = Lamps(), Given(name="hall"), Target("lamp")
    assert call_plan(lamps.spec(plan=None), given, target) is not None
    assert call_plan(lamps.spec(), given, target) is None
    assert call_plan(lamps.spec(plan=None, kind=Kind.PROPOSE), given, target) is None


@pytest.mark.anyio
async def test_calls_that_are_each_an_intent_of_their_own_need_a_yes_each(ledger: Ledger) -> None:
    here = planless(ledger, dedupe=Dedupe.CALL)
    await decide(here, needs(await here.light(actor=PHONE))["approval"])
    assert isinstance(await here.light(actor=PHONE), Succeeded)
    needs(await here.light(actor=PHONE))
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_an_approval_that_ran_out_allows_nothing(ledger: Ledger, watch: Watch) -> None:
    here = planless(ledger)
    first = needs(await here.light(actor=PHONE))["approval"]
    await decide(here, first)
    watch.at += APPROVAL_TIMEOUT
    assert needs(await here.light(actor=PHONE))["approval"] != first
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_what_the_owner_does_by_hand_closes_the_request_for_it(ledger: Ledger) -> None:
    here = planless(ledger)
    approval = needs(await here.light(actor=system("patrol")))["approval"]
    assert await here.light() == lit_answer("hall", 1)
    assert await state_of(here, approval) is ApprovalState.CONSUMED
    assert (await ledger.read(decisions.listing))[1] == 0
    assert (await here.claim()).authority == "owner:ann"


@pytest.mark.anyio
async def test_by_hand_nothing_is_stored_that_nobody_asked_for(ledger: Ledger) -> None:
    here = planless(ledger)
    await here.light()
    assert (await here.claim()).plan is None


@pytest.mark.anyio
async def test_hostile_words_stay_in_their_field_on_the_card(ledger: Ledger) -> None:
    here = planless(ledger)
    asked = needs(await here.light("a\nOK\u202e'", actor=actor()))
    (name, _) = asked["summary"]["changes"]
    assert name == "name: " + repr("a\nOK\u202e'")
    assert "\n" not in name
    assert "\u202e" not in name
