"""Stop means no further act, from the very next claim on."""

import anyio
import pytest

from capabilities.kernel.actors import Actor, agent, system
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.deciding import decide as rule
from capabilities.kernel.deciding import withdraw
from capabilities.kernel.discovery import discovered
from capabilities.kernel.outcomes import AnyOutcome, Refused, Succeeded, Unknown
from capabilities.kernel.probing import Verdict
from capabilities.kernel.spec import Effect, Kind
from capabilities.kernel.switches import ONLY_STOPS, turn
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, policies, switches
from ledger.stores.claims import ClaimState
from ledger.stores.switches import SwitchName
from ledger.writer import Transaction
from tests.capabilities.kernel.approving import PHONE, approved, needs, state_of
from tests.capabilities.kernel.granting_by import granted
from tests.capabilities.kernel.held_writer import between_look_and_claim
from tests.capabilities.kernel.lamps import ANN, Given, House, Lamps, call, house, lit_answer
from tests.capabilities.kernel.playing import answers, sees
from tests.promises.tally import Tally

RUN = agent("run_1", "owner:ann", frozenset({"read", "lamp.light", "plan", "run"}))
AUTOMATIC = (PHONE, RUN, system("patrol"), system("import"))


def whole(ledger: Ledger) -> House:
    lamps = Lamps()
    return house(
        ledger,
        lamps.spec(),
        lamps.spec(id="lamp.smash", scope="lamp.light", plan=None),
        lamps.ours(id="identity.resolve", kind=Kind.PROPOSE),
        lamps.ours(id="lamp.plan"),
        lamps.ours(id="runs.start_run", kind=Kind.CONTROL, scope="run"),
        lamps.ours(id="runs.abort_run", kind=Kind.CONTROL, scope="run"),
        lamps.reading(),
        lamps=lamps,
    )


async def flip(ledger: Ledger, name: SwitchName, *, on: bool) -> None:
    assert isinstance(await turn(ledger, name, on=on, by=ANN, reason="a test"), Succeeded)


def switch_of(outcome: AnyOutcome) -> object:
    assert isinstance(outcome, Refused), outcome
    assert outcome.code is Code.DENIED
    return outcome.needs["switch"]


async def made(here: House, capability: str, who: Actor, name: str = "hall") -> AnyOutcome:
    return await here.registry.invoke(call(capability, {"name": name}, actor=who))


@pytest.mark.anyio
async def test_a_turned_switch_says_by_whom_and_why_and_is_audited(ledger: Ledger) -> None:
    outcome = await turn(ledger, SwitchName.MASTER, on=False, by=ANN, reason=" guests ")
    assert isinstance(outcome, Succeeded)
    assert (outcome.data.on, outcome.sentence) == (False, "master is off.")
    held = await ledger.read(lambda conn: switches.get(conn, SwitchName.MASTER))
    assert (held.on, held.set_by, held.reason) == (False, "owner:ann", "guests")
    (row,) = await ledger.read(audit.newest)
    assert (row.actor, row.action) == ("owner:ann", "switch turned")
    assert row.summary == {"switch": "master", "on": False, "reason": "guests"}


@pytest.mark.anyio
async def test_only_the_owner_turns_a_switch_and_only_with_a_reason(ledger: Ledger) -> None:
    for who in (PHONE, RUN, system("patrol")):
        refused = await turn(ledger, SwitchName.READ_ONLY, on=True, by=who, reason="so")
        assert isinstance(refused, Refused)
        assert refused.code is Code.DENIED
    silent = await turn(ledger, SwitchName.READ_ONLY, on=True, by=ANN, reason="  ")
    assert isinstance(silent, Refused)
    assert silent.code is Code.INVALID_INPUT
    assert not (await ledger.read(lambda conn: switches.get(conn, SwitchName.READ_ONLY))).on


@pytest.mark.anyio
@pytest.mark.parametrize("who", AUTOMATIC, ids=str)
async def test_with_the_master_off_only_the_owners_own_hand_acts(
    ledger: Ledger, who: Actor
) -> None:
    here = whole(ledger)
    await granted(here, "*")
    await ledger.write(lambda tx: policies.publish(tx, "identity", {}, ledger.now()))
    plan = await here.plan()
    await flip(ledger, SwitchName.MASTER, on=False)
    refused = await here.light(plan=plan.id, actor=who)
    assert switch_of(refused) == "master"
    assert isinstance(refused, Refused)
    assert "`matinee switch on master --reason …`" in str(refused.needs["how"])
    assert refused.sentence == (
        "Automatic acts are switched off since 2026-05-01 08:00 UTC, by owner:ann: a test. "
        "Nothing was done."
    )
    if who.may("plan"):
        assert switch_of(await made(here, "identity.resolve", who)) == "master"
        assert isinstance(await made(here, "lamp.plan", who), Succeeded)
    assert not {claim.capability for claim in await here.claims()} - {"lamp.plan"}
    assert isinstance(await here.light("attic"), Succeeded)
    await flip(ledger, SwitchName.MASTER, on=True)
    assert isinstance(await here.light(plan=plan.id, actor=who), Succeeded)


@pytest.mark.anyio
async def test_a_yes_does_not_go_past_the_master_switch(ledger: Ledger) -> None:
    here = whole(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)
    await flip(ledger, SwitchName.MASTER, on=False)
    assert switch_of(await here.light(plan=plan.id, actor=PHONE)) == "master"
    assert await state_of(here, approval) is approvals.ApprovalState.APPROVED
    await flip(ledger, SwitchName.MASTER, on=True)
    assert await here.light(plan=plan.id, actor=PHONE) == lit_answer("hall", 1)


@pytest.mark.anyio
async def test_a_read_only_house_changes_nothing_by_hand_either(ledger: Ledger) -> None:
    here = whole(ledger)
    await flip(ledger, SwitchName.READ_ONLY, on=True)
    for capability in ("lamp.light", "lamp.smash", "identity.resolve", "lamp.plan"):
        assert switch_of(await made(here, capability, ANN)) == "read_only"
    assert switch_of(await made(here, "runs.start_run", ANN)) == "read_only"
    assert await here.claims() == []
    assert isinstance(await made(here, "lamp.count", PHONE), Succeeded)
    assert isinstance(await made(here, "runs.abort_run", ANN), Succeeded)
    await flip(ledger, SwitchName.READ_ONLY, on=False)
    assert isinstance(await here.light(), Succeeded)


@pytest.mark.anyio
async def test_a_read_only_house_hears_no_yes_but_a_no_and_a_withdrawal(ledger: Ledger) -> None:
    here = whole(ledger)
    asked = needs(await here.light(plan=(await here.plan()).id, actor=PHONE))
    other = needs(await here.light("attic", plan=(await here.plan("attic")).id, actor=PHONE))
    await flip(ledger, SwitchName.READ_ONLY, on=True)

    async def say(about: dict[str, object], *, approved: bool) -> AnyOutcome:
        return await rule(
            ledger,
            str(about["approval"]),
            approved=approved,
            by=ANN,
            payload_hash=str(about["payload_hash"]),
            revision=1,
            reason="so",
        )

    assert switch_of(await say(dict(asked), approved=True)) == "read_only"
    assert await state_of(here, asked["approval"]) is approvals.ApprovalState.REQUESTED
    assert isinstance(await say(dict(asked), approved=False), Succeeded)
    gone = await withdraw(ledger, other["approval"], by=ANN, reason="no more")
    assert isinstance(gone, Succeeded)


LIGHT = "lamp.light"
CHAIN: tuple[tuple[str, Actor, str], ...] = (
    (LIGHT, PHONE, "hall"),
    ("identity.resolve", RUN, "hall"),
    ("lamp.count", RUN, "hall"),
    (LIGHT, RUN, "attic"),
    ("lamp.plan", RUN, "hall"),
    ("lamp.smash", system("patrol"), "hall"),
    (LIGHT, system("import"), "cellar"),
    (LIGHT, ANN, "bath"),
)
"""What is called, by whom, on what: under grants, by policy, by hand, and two that only look."""
READ, DRAFT, BY_HAND = 2, 4, 7
GO_ON = {SwitchName.MASTER: {READ, DRAFT, BY_HAND}, SwitchName.READ_ONLY: {READ}}


async def taken(here: House, number: int) -> AnyOutcome:
    """Take one step of the chain."""
    capability, who, name = CHAIN[number]
    if capability != LIGHT or who is ANN:
        return await made(here, capability, who, name)
    return await here.light(name, plan=f"plan_{name}", actor=who)


async def ready(here: House) -> None:
    await granted(here, "*")
    await here.ledger.write(lambda tx: policies.publish(tx, "identity", {}, here.ledger.now()))
    for name in ("hall", "attic", "cellar"):
        await here.plan(name)


def flipped(name: SwitchName) -> bool:
    return name is SwitchName.READ_ONLY


@pytest.mark.promise("E6")
@pytest.mark.anyio
@pytest.mark.parametrize("name", SwitchName)
@pytest.mark.parametrize("at", range(len(CHAIN) + 1))
async def test_after_the_mark_nothing_is_claimed_whichever_step_it_falls_on(
    ledger: Ledger, name: SwitchName, at: int
) -> None:
    here = whole(ledger)
    await ready(here)
    for number in range(at):
        assert isinstance(await taken(here, number), Succeeded)
    before = {claim.id for claim in await here.claims()}
    await flip(ledger, name, on=flipped(name))
    rest = range(at, len(CHAIN))
    for number in rest:
        outcome = await taken(here, number)
        expected = Succeeded if number in GO_ON[name] else Refused
        assert isinstance(outcome, expected), (number, outcome)
    after = sorted(claim.capability for claim in await here.claims() if claim.id not in before)
    claimed = GO_ON[name] - {READ}
    assert after == sorted(CHAIN[number][0] for number in rest if number in claimed)


@pytest.mark.promise("E6", control=True)
@pytest.mark.anyio
@pytest.mark.parametrize("name", SwitchName)
async def test_a_build_that_asks_no_switch_acts_after_the_mark(
    ledger: Ledger, name: SwitchName, monkeypatch: pytest.MonkeyPatch, tally: Tally
) -> None:
    def never(*_: object) -> None:
        return None

    monkeypatch.setattr("capabilities.kernel.switches.barred", never)
    here = whole(ledger)
    await ready(here)
    await flip(ledger, name, on=flipped(name))
    for number in range(len(CHAIN)):
        await taken(here, number)
    over = len(await here.claims()) - len(GO_ON[name] - {READ})
    tally.add(len(CHAIN), max(over, 0))
    assert tally.violations > 0


@pytest.mark.promise("E6")
@pytest.mark.anyio
@pytest.mark.parametrize("name", SwitchName)
async def test_an_act_in_flight_is_recorded_and_the_next_is_not_begun(
    ledger: Ledger, name: SwitchName
) -> None:
    here = whole(ledger)
    await ready(here)
    goes_on = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def slow(given: Given, context: Context) -> AnyOutcome:
        await goes_on.wait()
        return await here.lamps.really(given, context)

    here.lamps.act = slow

    async def first() -> None:
        outcomes.append(await here.light("hall", plan="plan_hall", actor=PHONE))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(first)
            await here.lamps.busy.wait()
            await flip(ledger, name, on=flipped(name))
            goes_on.set()
    assert isinstance(outcomes[0], Succeeded)
    assert (await here.claim()).state is ClaimState.SUCCEEDED
    assert switch_of(await here.light("attic", plan="plan_attic", actor=PHONE)) == name
    assert here.lamps.lit == ["hall"]


@pytest.mark.promise("E6")
@pytest.mark.anyio
async def test_a_switch_that_is_turned_between_the_look_and_the_claim_counts(
    ledger: Ledger,
) -> None:
    here = whole(ledger)
    await ready(here)

    def turn_late(tx: Transaction) -> None:
        at = ledger.now()
        switches.turn(tx, SwitchName.MASTER, on=False, by="owner:ann", reason="late", at=at)

    async def ask() -> None:
        refused = await here.light("hall", plan="plan_hall", actor=PHONE)
        assert switch_of(refused) == "master"

    await between_look_and_claim(ledger, turn_late, ask)
    assert here.lamps.checked == 1
    assert (here.lamps.lit, await here.claims()) == ([], [])
    await here.registry.audit.flush()
    assert (await ledger.read(audit.newest))[0].outcome == "denied"


@pytest.mark.anyio
@pytest.mark.parametrize("name", SwitchName)
@pytest.mark.parametrize("verdict", [Verdict.PARTLY, Verdict.APPLIED])
async def test_what_was_left_in_the_middle_is_not_carried_on_and_what_is_done_is_recorded(
    ledger: Ledger, name: SwitchName, verdict: Verdict
) -> None:
    here = whole(ledger)
    await ready(here)
    here.lamps.act, here.lamps.look = answers(Unknown("It hung up.", "look")), sees(verdict)
    await here.light("hall", plan="plan_hall", actor=PHONE)
    await flip(ledger, name, on=flipped(name))
    await here.registry.reconcile(await here.claim())
    done = verdict is Verdict.APPLIED
    assert here.lamps.adopted == int(done)
    expected = ClaimState.SUCCEEDED if done else ClaimState.UNKNOWN
    assert (await here.claim()).state is expected
    await flip(ledger, name, on=not flipped(name))
    await here.registry.reconcile(await here.claim())
    assert (await here.claim()).state is ClaimState.SUCCEEDED


@pytest.mark.anyio
async def test_what_the_owner_left_in_the_middle_is_carried_on_with_the_master_off(
    ledger: Ledger,
) -> None:
    here = whole(ledger)
    here.lamps.act = answers(Unknown("It hung up.", "look"))
    here.lamps.look = sees(Verdict.PARTLY)
    await here.light("hall")
    await flip(ledger, SwitchName.MASTER, on=False)
    await here.registry.reconcile(await here.claim())
    assert here.lamps.adopted == 1


def test_what_only_stops_is_a_control_without_an_act() -> None:
    named = {spec.id: spec for spec in discovered() if spec.id in ONLY_STOPS}
    assert set(named) == ONLY_STOPS
    assert {spec.kind for spec in named.values()} == {Kind.CONTROL}
    assert {spec.effect for spec in named.values()} <= {Effect.OURS, Effect.NONE}
