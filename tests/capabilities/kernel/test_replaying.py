"""A recorded answer, for somebody else than it was first given to."""

from typing import Any

import pytest

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Succeeded, facts
from ledger.ledger import Ledger
from ledger.stores import references
from tests.capabilities.kernel.approving import PHONE, decide, needs
from tests.capabilities.kernel.lamps import Answer, Given, House, house

pytestmark = pytest.mark.anyio


async def lit_for_ann(here: House, *, sentence: str = "It is {0}.") -> tuple[str, AnyOutcome]:
    """A lamp whose name is a reference that was issued to the owner; the plan, and her answer."""
    plan = await here.plan()

    async def act(given: Given, context: Context) -> AnyOutcome:
        await context.refer("lamp", "lamp_of_others")
        (reference,) = await context.refer("lamp", f"lamp_{given.name}")
        return Succeeded(Answer(name=reference, times=1), sentence.format(reference))

    here.lamps.act = act
    return plan.id, await here.light(plan=plan.id)


async def stands_for(ledger: Ledger, scope: str, reference: str) -> str | None:
    kind, _, number = reference.partition(":")
    return await ledger.read(lambda conn: references.target_of(conn, scope, kind, int(number)))


async def test_references_are_issued_anew_for_whoever_asks(ledger: Ledger) -> None:
    here = house(ledger)
    plan, first = await lit_for_ann(here)
    again = await here.light(plan=plan, actor=PHONE)
    assert isinstance(again, Succeeded)
    assert facts(first)["name"] == "lamp:2"
    assert facts(again) == {"name": "lamp:1", "times": 1, "replayed": True}
    assert again.sentence == "It is lamp:1."
    assert await stands_for(ledger, "key:phone", "lamp:1") == "lamp_hall"
    assert await stands_for(ledger, "key:phone", "lamp:2") is None
    assert await here.light(plan=plan, actor=PHONE) == again


async def test_the_one_who_had_called_is_answered_as_before(ledger: Ledger) -> None:
    here = house(ledger)
    plan, first = await lit_for_ann(here)
    again = await here.light(plan=plan)
    assert facts(again) == {**facts(first), "replayed": True}
    assert again.sentence == first.sentence


async def test_within_a_run_references_are_the_runs_own(ledger: Ledger) -> None:
    here = house(ledger)
    plan, _ = await lit_for_ann(here)
    again = await here.light(plan=plan, run="run_1")
    assert await stands_for(ledger, "run:run_1", facts(again)["name"]) == "lamp_hall"


@pytest.mark.parametrize("held", ["lamp:99", "Film 12:30", "lamp:x"])
async def test_what_is_no_reference_of_the_first_caller_stays_as_it_was(
    ledger: Ledger, held: str
) -> None:
    here = house(ledger)
    plan = await here.plan()

    async def act(_given: Given, _context: Context) -> AnyOutcome:
        return Succeeded(Answer(name=held, times=1), f"{held} is lit.")

    here.lamps.act = act
    await here.light(plan=plan.id)
    again = await here.light(plan=plan.id, actor=PHONE)
    assert (facts(again)["name"], again.sentence) == (held, f"{held} is lit.")


async def test_one_thing_has_one_reference_in_every_answer(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan, _ = await lit_for_ann(here)
    approval = await here.light(plan=(await here.plan(id_="plan_2")).id, actor=PHONE)
    await decide(here, needs(approval)["approval"])
    answers: list[dict[str, Any]] = [
        facts(await here.light(plan=plan, actor=PHONE)),
        facts(await here.light(plan="plan_2", actor=PHONE)),
    ]
    assert [each["name"] for each in answers] == ["lamp:1", "lamp:1"]
