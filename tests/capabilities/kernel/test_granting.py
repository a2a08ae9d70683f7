"""What a grant covers, and how far its day goes."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import anyio
import pytest

from capabilities.kernel.actors import Actor, agent, system
from capabilities.kernel.codes import Code
from capabilities.kernel.grant_making import withdraw
from capabilities.kernel.granting import covers, matches
from capabilities.kernel.outcomes import AnyOutcome, Failed, Refused, Succeeded, Unknown
from capabilities.kernel.probing import Verdict
from capabilities.kernel.spec import Kind
from capabilities.kernel.targets import Reach
from ledger.ledger import Ledger
from ledger.stores import approvals, decisions, policies
from ledger.stores.claims import ClaimState
from ledger.stores.grants import Grant
from tests.capabilities.kernel.approving import PHONE, approved, decide, needs, state_of
from tests.capabilities.kernel.granting_by import FILM, grant_of, granted
from tests.capabilities.kernel.lamps import ANN, Given, House, Lamps, call, house, lit_answer
from tests.capabilities.kernel.playing import answers, sees
from tests.capabilities.watch import Watch


@pytest.mark.parametrize(
    ("action", "means", "other"),
    [
        ("lamp.light", "lamp.light", "lamp.lighten"),
        ("lamp.*", "lamp.smash", "lamps.light"),
        ("*", "anything.at_all", None),
    ],
)
def test_an_action_means_a_capability_all_of_a_domain_or_everything(
    action: str, means: str, other: str | None
) -> None:
    assert matches(action, means)
    assert other is None or not matches(action, other)


def a_grant(watch: Watch, **changed: Any) -> Grant:
    made = Grant(
        id="grant_1",
        action="lamp.*",
        scope={},
        calls_per_day=None,
        bytes_per_day=None,
        may_replace=False,
        policy_kind=None,
        policy_version=None,
        note="",
        made_by="owner:ann",
        created_at=watch.at,
        expires_at=None,
        withdrawn_at=None,
        withdrawn_by=None,
        reason=None,
    )
    return replace(made, **changed)


SCOPES: dict[str, tuple[dict[str, list[str]], bool]] = {
    "nothing named": ({}, True),
    "its work": ({"works": ["work_1", "work_2"]}, True),
    "another work": ({"works": ["work_2"]}, False),
    "its kind": ({"kinds": ["film"]}, True),
    "another kind": ({"kinds": ["series"]}, False),
    "its capability": ({"capabilities": ["lamp.light"]}, True),
    "another capability": ({"capabilities": ["lamp.smash"]}, False),
    "its client": ({"downloaders": ["embedded"]}, True),
    "another client": ({"downloaders": ["qbittorrent"]}, False),
    "its library": ({"folders": ["Films"]}, True),
    "another library": ({"folders": ["Series"]}, False),
    "all but one": (
        {"works": ["work_1"], "kinds": ["film"], "downloaders": ["none"], "folders": ["Films"]},
        False,
    ),
}


@pytest.mark.parametrize(("scope", "covered"), SCOPES.values(), ids=SCOPES)
def test_a_scope_is_held_against_what_is_acted_on(
    watch: Watch, scope: dict[str, list[str]], *, covered: bool
) -> None:
    assert covers(a_grant(watch, scope=scope), "lamp.light", FILM) is covered


@pytest.mark.parametrize(
    ("scope", "missing"),
    [
        ({"works": ["work_1"]}, replace(FILM, works=())),
        ({"works": ["work_1"]}, replace(FILM, works=("work_1", "work_9"))),
        ({"kinds": ["film"]}, replace(FILM, kind=None)),
        ({"downloaders": ["embedded"]}, replace(FILM, downloader=None)),
        ({"folders": ["Films"]}, replace(FILM, folder=None)),
    ],
)
def test_what_an_act_does_not_say_is_not_covered(
    watch: Watch, scope: dict[str, list[str]], missing: Reach
) -> None:
    grant = a_grant(watch, scope=scope)
    assert covers(grant, "lamp.light", FILM)
    assert not covers(grant, "lamp.light", missing)


def test_replacing_and_unknown_sizes_need_a_grant_that_takes_them(watch: Watch) -> None:
    plain, replacing = a_grant(watch), a_grant(watch, may_replace=True)
    counted = a_grant(watch, bytes_per_day=100)
    more = replace(FILM, replaces=True)
    assert covers(replacing, "lamp.light", more)
    assert not covers(plain, "lamp.light", more)
    assert covers(counted, "lamp.light", FILM)
    assert not covers(counted, "lamp.light", replace(FILM, bytes=None))
    assert covers(plain, "lamp.light", replace(FILM, bytes=None))


def lit_by(ledger: Ledger, **reach: Reach) -> House:
    """A house whose lamps take from budgets what ``reach`` says; by default 40 bytes each."""
    lamps = Lamps(reach={**dict.fromkeys(("hall", "attic", "cellar"), FILM), **reach})
    return house(ledger, lamps.spec(), lamps=lamps)


async def light(here: House, name: str = "hall", *, actor: Actor = PHONE) -> AnyOutcome:
    """Light a lamp by a plan of its own."""
    plan = await here.plan(name)
    return await here.light(name, plan=plan.id, actor=actor)


WHO = (PHONE, system("patrol"), agent("run_1", "key:phone", frozenset({"lamp.light"})))


@pytest.mark.anyio
@pytest.mark.parametrize("who", WHO, ids=str)
async def test_under_a_grant_nobody_is_asked_and_the_claim_names_it(
    ledger: Ledger, who: Actor
) -> None:
    here = lit_by(ledger)
    grant = await granted(here, kinds=["film"])
    assert await light(here, actor=who) == lit_answer("hall", 1)
    claim = await here.claim()
    assert (claim.authority, claim.bytes_reserved) == (grant.id, 40)
    assert (await ledger.read(decisions.listing))[1] == 0


@pytest.mark.anyio
async def test_a_grant_of_something_else_allows_nothing(ledger: Ledger) -> None:
    here = lit_by(ledger)
    await granted(here, kinds=["series"])
    needs(await light(here))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_what_always_asks_asks_whatever_is_granted(ledger: Ledger) -> None:
    lamps = Lamps()
    smash = lamps.spec(id="lamp.smash", scope="lamp.light", always_asks=True)
    here = house(ledger, lamps.spec(), smash, lamps=lamps)
    await granted(here, "*")
    await granted(here, "lamp.*")
    plan = await here.plan()
    asked = call("lamp.smash", {"name": "hall", "plan": plan.id}, actor=PHONE)
    approval = needs(await here.registry.invoke(asked))["approval"]
    assert lamps.lit == []
    await decide(here, approval)
    again = call("lamp.smash", {"name": "hall", "plan": plan.id}, actor=PHONE)
    assert await here.registry.invoke(again) == lit_answer("hall", 1)


@pytest.mark.anyio
async def test_a_grant_may_stand_for_a_proposal_too(ledger: Ledger) -> None:
    lamps = Lamps()
    proposal = lamps.ours(id="lamp.propose", kind=Kind.PROPOSE)
    here = house(ledger, proposal, lamps=lamps)
    grant = await granted(here, "lamp.propose", calls=1)
    done = await here.registry.invoke(call("lamp.propose", {"name": "hall"}, actor=PHONE))
    assert isinstance(done, Succeeded)
    assert (await here.claim()).authority == grant.id
    over = await here.registry.invoke(call("lamp.propose", {"name": "attic"}, actor=PHONE))
    assert isinstance(over, Refused)
    assert (over.code, over.needs["calls_left"]) == (Code.BUDGET_EXCEEDED, 0)
    assert lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_over_budget_it_is_refused_with_what_is_left_and_when_it_renews(
    ledger: Ledger, watch: Watch
) -> None:
    here = lit_by(ledger, cellar=replace(FILM, bytes=61))
    grant = await granted(here, size=100, calls=5)
    assert isinstance(await light(here, "hall"), Succeeded)
    refused = await light(here, "cellar")
    assert isinstance(refused, Refused)
    assert refused.code is Code.BUDGET_EXCEEDED
    told = {name: refused.needs[name] for name in ("grant", "calls_left", "bytes_left")}
    assert told == {"grant": grant.id, "calls_left": 4, "bytes_left": 60}
    assert refused.needs["bytes_needed"] == 61
    assert refused.needs["renews_at"] == "2026-05-02T00:00:00+00:00"
    assert "2026-05-02 00:00 UTC" in refused.sentence
    assert here.lamps.lit == ["hall"]
    assert isinstance(await light(here, "attic"), Succeeded)
    watch.at += timedelta(hours=16)
    again = await here.light("cellar", plan="plan_cellar", actor=PHONE)
    assert isinstance(again, Succeeded)


@pytest.mark.anyio
async def test_what_no_budget_holds_the_owner_may_approve_by_hand(ledger: Ledger) -> None:
    here = lit_by(ledger)
    await granted(here, calls=1)
    await light(here, "hall")
    refused = await light(here, "attic")
    assert isinstance(refused, Refused)
    assert refused.code is Code.BUDGET_EXCEEDED
    approval = str(refused.needs["approval"])
    await decide(here, approval)
    assert isinstance(await here.light("attic", plan="plan_attic", actor=PHONE), Succeeded)
    assert await state_of(here, approval) == approvals.ApprovalState.CONSUMED
    assert [one.authority for one in await here.claims()][1] == approval


@pytest.mark.anyio
async def test_another_grant_with_room_is_taken_where_the_first_has_none(ledger: Ledger) -> None:
    here = lit_by(ledger)
    made = [await granted(here, calls=1), await granted(here, calls=1)]
    first, second = sorted(made, key=lambda grant: grant.id)  # made at one moment
    await light(here, "hall")
    await light(here, "attic")
    assert [one.authority for one in await here.claims()] == [first.id, second.id]
    refused = await light(here, "cellar")
    assert isinstance(refused, Refused)
    assert refused.needs["grant"] == first.id


@pytest.mark.anyio
async def test_an_approval_is_used_before_a_budget(ledger: Ledger) -> None:
    here = lit_by(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)
    await granted(here, calls=1)
    await here.light(plan=plan.id, actor=PHONE)
    assert (await here.claim()).authority == approval


@pytest.mark.anyio
async def test_calls_side_by_side_cannot_overspend(ledger: Ledger) -> None:
    names = [f"lamp {n}" for n in range(16)]
    here = lit_by(ledger, **dict.fromkeys(names, FILM))
    await granted(here, calls=5, size=200)
    outcomes: list[AnyOutcome] = []

    async def ask(name: str) -> None:
        outcomes.append(await light(here, name))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for name in names:
                callers.start_soon(ask, name)
    assert len(here.lamps.lit) == 5
    refused = [one for one in outcomes if isinstance(one, Refused)]
    assert {one.code for one in refused} == {Code.BUDGET_EXCEEDED}
    assert len(refused) == 11


@pytest.mark.anyio
async def test_what_was_verified_as_not_done_gives_its_share_back(ledger: Ledger) -> None:
    here = lit_by(ledger)
    await granted(here, calls=1)
    here.lamps.act = answers(Unknown("It hung up.", "look"))
    here.lamps.look = sees(Verdict.NOT_APPLIED)
    assert isinstance(await light(here, "hall"), Unknown)
    over = await light(here, "attic")
    assert isinstance(over, Refused)
    assert over.code is Code.BUDGET_EXCEEDED
    await here.registry.reconcile(await here.claim())
    assert (await here.claim()).state is ClaimState.FAILED
    here.lamps.act = None
    assert isinstance(await here.light("attic", plan="plan_attic", actor=PHONE), Succeeded)


@pytest.mark.anyio
async def test_a_failure_gives_its_share_back(ledger: Ledger) -> None:
    here = lit_by(ledger)
    await granted(here, calls=1)

    async def fail(_given: Given, _context: object) -> AnyOutcome:
        return Failed(Code.UNAVAILABLE, "Nobody answers.")

    here.lamps.act = fail
    await light(here, "hall")
    here.lamps.act = None
    assert isinstance(await light(here, "attic"), Succeeded)


@pytest.mark.anyio
async def test_a_grant_that_ended_allows_nothing_to_the_moment(
    ledger: Ledger, watch: Watch
) -> None:
    here = lit_by(ledger)
    await granted(here, until=watch.at + timedelta(hours=1))
    watch.at += timedelta(hours=1) - timedelta(microseconds=1)
    assert isinstance(await light(here, "hall"), Succeeded)
    watch.at += timedelta(microseconds=1)
    needs(await light(here, "attic"))


@pytest.mark.anyio
async def test_a_withdrawn_grant_allows_nothing(ledger: Ledger) -> None:
    here = lit_by(ledger)
    grant = await granted(here)
    assert isinstance(await withdraw(ledger, grant.id, by=ANN, reason="enough"), Succeeded)
    needs(await light(here))


@pytest.mark.anyio
async def test_a_grant_bound_to_a_policy_lapses_with_its_version(ledger: Ledger) -> None:
    here = lit_by(ledger)
    await ledger.write(lambda tx: policies.publish(tx, "acquisition", {}, ledger.now()))
    grant = await granted(here, policy=("acquisition", 1))
    assert isinstance(await light(here, "hall"), Succeeded)
    await ledger.write(lambda tx: policies.publish(tx, "acquisition", {}, ledger.now()))
    needs(await light(here, "attic"))
    assert [one.authority for one in await here.claims()] == [grant.id]


@pytest.mark.anyio
async def test_the_import_of_what_a_grant_acquired_needs_no_more_of_its_budget(
    ledger: Ledger,
) -> None:
    here = lit_by(ledger)
    described = {"mode": "hardlink", "library": "films", "policy": 1}
    parent = await here.plan("hall", payload={"import": described})
    await granted(here, calls=1)
    await here.light("hall", plan=parent.id, actor=PHONE)
    child = await here.plan(
        "attic", parent=parent.id, payload={"add_only": True, "import": described}
    )
    placed = await here.light("attic", plan=child.id, actor=system("import"))
    assert isinstance(placed, Succeeded)
    acquired, imported = await here.claims()
    assert (imported.authority, imported.bytes_reserved) == (acquired.id, None)


@pytest.mark.anyio
async def test_only_the_owner_grants(ledger: Ledger) -> None:
    here = lit_by(ledger)
    for who in WHO:
        refused = await grant_of(here, by=who)
        assert isinstance(refused, Refused)
        assert refused.code is Code.DENIED
    needs(await light(here))
