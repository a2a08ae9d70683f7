"""Two of the same call at once: the slower one is answered with what the faster one did."""

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Refused, Succeeded
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from tests.capabilities.kernel.approving import PHONE, approved
from tests.capabilities.kernel.lamps import Given, Lamps, call, house
from tests.history import check_history


@pytest.mark.anyio
@pytest.mark.parametrize("what", ["its approval was used up", "what is checked has changed"])
async def test_a_twin_that_was_faster_answers_the_one_that_would_be_refused(
    ledger: Ledger, what: str
) -> None:
    here = house(ledger)
    plan = await here.plan()
    await approved(here, plan)
    twin: list[AnyOutcome] = []
    entered: list[str] = []

    async def meanwhile(given: Given, _target: Target, _context: Context) -> None:
        if not entered:
            entered.append(given.name)
            twin.append(await here.light(plan=plan.id, actor=PHONE))
            if what == "what is checked has changed":
                raise HaltError(Refused(Code.PRECONDITION, "It was lit already."))

    spec = here.lamps.spec(check=meanwhile)
    slow = house(ledger, spec, lamps=here.lamps)
    outcome = await slow.light(plan=plan.id, actor=PHONE)
    assert isinstance(outcome, Succeeded)
    assert outcome.replayed
    assert isinstance(twin[0], Succeeded)
    assert outcome.sentence == twin[0].sentence
    assert here.lamps.lit == ["hall"]
    assert await ledger.read(check_history) == []


@pytest.mark.anyio
async def test_in_our_tables_a_twin_that_was_faster_answers_the_one_that_failed_by_it(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.ours(), lamps=lamps)
    same = call("lamp.plan", {"name": "hall"}, actor=PHONE)

    async def act(given: Given, context: Context) -> AnyOutcome:
        if lamps.entered > 1:
            return await lamps.really(given, context)
        await here.registry.invoke(same)
        return Failed(Code.CONFLICT, "It is planned already.")

    lamps.act = act
    outcome = await here.registry.invoke(same)
    assert isinstance(outcome, Succeeded)
    assert outcome.replayed
    assert lamps.lit == ["hall"]
