"""The owner's word about what nobody knows."""

import pytest

from capabilities.kernel.actors import Actor, system
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.hand_settlement import SettledByHand, Word, settle_by_hand
from capabilities.kernel.outcomes import AnyOutcome, Refused, Succeeded, Unknown
from capabilities.kernel.probing import Verdict
from capabilities.kernel.switches import turn
from ledger.ledger import Ledger
from ledger.stores import audit, claims, decisions
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import Claim, ClaimState
from ledger.stores.switches import SwitchName
from tests.capabilities.kernel import unknown
from tests.capabilities.kernel.approving import PHONE, approved, state_of
from tests.capabilities.kernel.lamps import ANN, Given, House, house, lit_answer
from tests.capabilities.kernel.playing import answers, sees
from tests.history import check_history

pytestmark = pytest.mark.anyio

DONE = Word(done=True, by=ANN, reason="I see it burning.")
NOT_DONE = Word(done=False, by=ANN, reason="It is dark.")


async def left_unknown(here: House, **changed: object) -> Claim:
    """An act that was cut off and that no look can settle; its decision is open."""
    claim = await unknown.left_unknown(here, lit=True, **changed)
    here.lamps.look = sees(Verdict.CANNOT_TELL, fog="thick")
    await here.registry.reconcile(claim)
    return claim


async def settled(here: House, claim: Claim, word: Word) -> SettledByHand:
    outcome = await settle_by_hand(here.ledger, claim.id, word)
    assert isinstance(outcome, Succeeded), outcome
    return outcome.data


async def refusal(here: House, id_: str, word: Word) -> Refused:
    outcome = await settle_by_hand(here.ledger, id_, word)
    assert isinstance(outcome, Refused), outcome
    return outcome


async def test_in_a_read_only_house_nothing_is_settled_by_hand(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    await turn(ledger, SwitchName.READ_ONLY, on=True, by=ANN, reason="The disks are moved.")
    for word in (DONE, NOT_DONE):
        refused = await refusal(here, claim.id, word)
        assert (refused.code, refused.needs["switch"]) == (Code.DENIED, SwitchName.READ_ONLY)
    assert (await here.claim()).state is ClaimState.UNKNOWN
    await turn(ledger, SwitchName.READ_ONLY, on=False, by=ANN, reason="They are back.")
    assert (await settled(here, claim, DONE)).state is ClaimState.SUCCEEDED


async def test_what_is_settled_as_done_is_not_done_again(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    told = await settled(here, claim, DONE)
    assert (told.state, told.invocation) == (ClaimState.SUCCEEDED, claim.id)
    assert "not done again" in told.follows
    again = await here.light(request="one")
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert here.lamps.entered == 1


async def test_what_is_settled_as_not_done_may_be_done_by_whoever_asks_again(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    here.lamps.lit.clear()
    told = await settled(here, claim, NOT_DONE)
    assert told.state is ClaimState.FAILED
    assert "happens twice" in told.follows
    assert await here.light(request="one") == lit_answer("hall", 1)
    assert (await here.claim()).attempt == 2
    assert await ledger.read(check_history) == []


@pytest.mark.parametrize("word", [DONE, NOT_DONE], ids=["done", "not done"])
async def test_other_acts_on_the_same_thing_are_free_again(ledger: Ledger, word: Word) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    assert isinstance(await here.light(request="two"), Unknown)
    await settled(here, claim, word)
    assert await here.light(request="two") == lit_answer("hall", 2)


@pytest.mark.parametrize("word", [DONE, NOT_DONE], ids=["done", "not done"])
async def test_it_is_audited_with_the_reason_and_closes_the_decision(
    ledger: Ledger, word: Word
) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    (asked,), _ = await ledger.read(decisions.listing)
    told = await settled(here, claim, word)
    closed = await ledger.read(lambda conn: decisions.by_id(conn, asked.id))
    assert closed is not None
    assert (closed.resolved_by, closed.resolution) == (
        "owner:ann",
        f"{told.state} by hand: {word.reason}",
    )
    row = (await ledger.read(audit.newest))[0]
    assert (row.actor, row.action, row.outcome, row.invocation) == (
        "owner:ann",
        "settled",
        told.state,
        claim.id,
    )
    assert row.summary["reason"] == word.reason
    held = await here.claim()
    assert (held.evidence or {})["verified_by"] == "owner:ann"
    assert held.settled_at == ledger.now()
    assert await ledger.read(check_history) == []


async def test_an_approval_is_used_up_by_what_was_done_and_not_by_what_was_not(
    ledger: Ledger,
) -> None:
    for word, state in ((DONE, ApprovalState.CONSUMED), (NOT_DONE, ApprovalState.APPROVED)):
        here = house(ledger)
        plan = await here.plan(id_=f"plan_{word.done}", name=f"hall {word.done}")
        approval = await approved(here, plan, f"{word.done}")
        here.lamps.act = answers(Unknown("It hung up.", "look"))
        await here.light(f"{word.done}", plan=plan.id, actor=PHONE)
        (claim,) = [c for c in await here.claims() if c.state is ClaimState.UNKNOWN]
        await settled(here, claim, word)
        assert await state_of(here, approval) is state
    assert await ledger.read(check_history) == []


@pytest.mark.parametrize("by", [PHONE, system("import")], ids=str)
async def test_nobody_but_the_owner_settles(ledger: Ledger, by: Actor) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    word = Word(done=True, by=by, reason="so")
    assert (await refusal(here, claim.id, word)).code is Code.DENIED
    assert (await here.claim()).state is ClaimState.UNKNOWN


async def test_without_a_reason_nothing_is_settled(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    word = Word(done=True, by=ANN, reason=" \n")
    assert (await refusal(here, claim.id, word)).code is Code.INVALID_INPUT
    assert (await here.claim()).state is ClaimState.UNKNOWN


async def test_what_is_known_or_under_way_is_not_settled_by_hand(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here)
    assert (await refusal(here, "inv_none", DONE)).code is Code.NOT_FOUND
    await settled(here, claim, DONE)
    again = await refusal(here, claim.id, NOT_DONE)
    assert (again.code, again.needs) == (Code.CONFLICT, {"state": "succeeded"})

    refused: list[AnyOutcome] = []

    async def look(given: Given, context: Context) -> AnyOutcome:
        refused.append(await settle_by_hand(ledger, str(context.invocation), DONE))
        return await here.lamps.really(given, context)

    here.lamps.act = look
    await here.light("kitchen")
    assert isinstance(refused[0], Refused)
    assert "being worked at" in refused[0].sentence


async def test_a_worker_that_comes_late_changes_nothing_and_leaves_its_evidence(
    ledger: Ledger,
) -> None:
    here = house(ledger)

    async def overtaken(given: Given, context: Context) -> AnyOutcome:
        await ledger.write(lambda tx: claims.disown(tx, "another worker"))
        await settled(here, await here.claim(), NOT_DONE)
        return await here.lamps.really(given, context)

    here.lamps.act = overtaken
    await here.light(request="one")
    assert (await here.claim()).sentence == "The owner settled it by hand as not done."
    late = (await ledger.read(audit.newest))[0]
    assert (late.action, late.outcome) == ("late settlement", "succeeded")
    assert late.summary["result"] == {"name": "hall", "times": 1}
    assert await ledger.read(check_history) == []
