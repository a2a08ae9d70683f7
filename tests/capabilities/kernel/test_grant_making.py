"""Grants are made by the owner, made smaller, withdrawn, and never made wider."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from capabilities.kernel.actors import client, system
from capabilities.kernel.codes import Code
from capabilities.kernel.grant_making import GrantFacts, facts_of, shorten, withdraw
from capabilities.kernel.grant_terms import Shortening
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from capabilities.kernel.spec import Audience
from capabilities.kernel.switches import turn
from ledger.ledger import Ledger
from ledger.stores import audit, grants, policies, works
from ledger.stores.grants import Scope
from ledger.stores.switches import SwitchName
from tests.capabilities.kernel.granting_by import FILM, grant_of, granted
from tests.capabilities.kernel.lamps import ANN, House, Lamps, house
from tests.capabilities.watch import Watch

MORNING = datetime.fromisoformat("2026-05-01T08:00:00+00:00")
NOON = MORNING + timedelta(hours=4)


def here(ledger: Ledger) -> House:
    lamps = Lamps(reach={"hall": FILM})
    smash = lamps.spec(id="lamp.smash", scope="lamp.light", always_asks=True)
    hidden = lamps.spec(id="lamp.hide", audience=Audience.PRIVATE)
    count = lamps.reading()
    return house(ledger, lamps.spec(), smash, hidden, count, lamps=lamps)


def code_of(outcome: Outcome[GrantFacts]) -> Code:
    assert isinstance(outcome, Refused), outcome
    return outcome.code


async def kept(ledger: Ledger, id_: str) -> GrantFacts:
    at = ledger.now()

    def look(conn: Any) -> GrantFacts:
        found = grants.by_id(conn, id_)
        assert found is not None
        return facts_of(conn, found, at)

    return await ledger.read(look)


@pytest.mark.anyio
async def test_a_grant_is_shown_as_it_was_made_and_leaves_its_audit_row(ledger: Ledger) -> None:
    made = await granted(here(ledger), calls=3, size=100, until=NOON, kinds=["film"])
    assert (made.action, made.scope, made.stands) == ("lamp.light", {"kinds": ["film"]}, True)
    assert (made.calls_left, made.bytes_left, made.made_by) == (3, 100, "owner:ann")
    assert made.renews_at == MORNING + timedelta(hours=16)
    assert await kept(ledger, made.id) == made
    (row,) = await ledger.read(audit.newest)
    assert (row.actor, row.action, row.authority) == ("owner:ann", "grant made", made.id)
    assert (row.summary["calls_per_day"], row.summary["scope"]) == (3, {"kinds": ["film"]})


@pytest.mark.anyio
async def test_what_is_left_of_the_day_is_shown(ledger: Ledger) -> None:
    at = here(ledger)
    made = await granted(at, calls=3, size=100)
    plan = await at.plan()
    await at.light(plan=plan.id, actor=client("phone", frozenset({"lamp.light"})))
    now = await kept(ledger, made.id)
    assert (now.calls_left, now.bytes_left) == (2, 60)


UNFIT: dict[str, tuple[dict[str, Any], Code]] = {
    "no such capability": ({"action": "lamp.paint"}, Code.INVALID_INPUT),
    "no such domain": ({"action": "lamps.*"}, Code.INVALID_INPUT),
    "what always asks": ({"action": "lamp.smash"}, Code.INVALID_INPUT),
    "what is private": ({"action": "lamp.hide"}, Code.INVALID_INPUT),
    "a read": ({"action": "lamp.count"}, Code.INVALID_INPUT),
    "a capability outside": ({"capabilities": ["lamp.smash"]}, Code.INVALID_INPUT),
    "an end that is over": ({"until": MORNING}, Code.INVALID_INPUT),
    "no calls at all": ({"calls": 0}, Code.INVALID_INPUT),
    "no bytes at all": ({"size": 0}, Code.INVALID_INPUT),
    "an empty scope": ({"kinds": []}, Code.INVALID_INPUT),
    "half a policy": ({"policy": ("acquisition", None)}, Code.INVALID_INPUT),
    "a policy of another version": ({"policy": ("acquisition", 2)}, Code.PRECONDITION),
    "a policy that is not published": ({"policy": ("none", 1)}, Code.PRECONDITION),
    "an unknown work": ({"works": ["tmdb:film:1"]}, Code.NOT_FOUND),
}


@pytest.mark.anyio
@pytest.mark.parametrize(("given", "code"), UNFIT.values(), ids=UNFIT)
async def test_what_cannot_be_granted_is_refused_with_its_own_code(
    ledger: Ledger, given: dict[str, Any], code: Code
) -> None:
    await ledger.write(lambda tx: policies.publish(tx, "acquisition", {}, ledger.now()))
    assert code_of(await grant_of(here(ledger), **given)) is code
    assert (await ledger.read(grants.listing))[1] == 0


@pytest.mark.anyio
async def test_works_are_named_by_key_or_id_and_kept_by_id(ledger: Ledger) -> None:
    key = "tmdb:film:45745"
    id_ = await ledger.write(
        lambda tx: works.keep(
            tx, key=key, kind="film", title="Sintel", year=2010, body={}, at=ledger.now()
        )
    )
    made = await granted(here(ledger), works=[key, id_])
    assert made.scope == {"works": [id_]}
    same = await shorten(ledger, made.id, Shortening(scope=Scope.of({"works": [key]})), by=ANN)
    assert isinstance(same, Succeeded)
    unknown = Shortening(scope=Scope.of({"works": ["tmdb:film:2"]}))
    assert code_of(await shorten(ledger, made.id, unknown, by=ANN)) is Code.NOT_FOUND


SMALLER: dict[str, tuple[Shortening, dict[str, Any]]] = {
    "an earlier end": (
        Shortening(expires_at=NOON - timedelta(hours=1)),
        {"expires_at": NOON - timedelta(hours=1)},
    ),
    "fewer calls": (Shortening(calls_per_day=1), {"calls_per_day": 1}),
    "fewer bytes": (Shortening(bytes_per_day=1), {"bytes_per_day": 1}),
    "no replacing": (Shortening(may_replace=False), {"may_replace": False}),
    "a narrower scope": (
        Shortening(scope=Scope.of({"kinds": ["film"]})),
        {"scope": {"kinds": ["film"]}},
    ),
    "one more limit": (
        Shortening(scope=Scope.of({"folders": ["Films"]})),
        {"scope": {"kinds": ["film", "series"], "folders": ["Films"]}},
    ),
    "nothing": (Shortening(), {}),
}


async def wide(ledger: Ledger) -> GrantFacts:
    return await granted(
        here(ledger), calls=2, size=100, until=NOON, may_replace=True, kinds=["film", "series"]
    )


@pytest.mark.anyio
@pytest.mark.parametrize(("change", "after"), SMALLER.values(), ids=SMALLER)
async def test_a_grant_can_be_made_smaller_in_any_part(
    ledger: Ledger, change: Shortening, after: dict[str, Any]
) -> None:
    made = await wide(ledger)
    outcome = await shorten(ledger, made.id, change, by=ANN)
    assert isinstance(outcome, Succeeded)
    now = outcome.data.model_dump(exclude={"calls_left", "bytes_left"})
    assert now == {**made.model_dump(exclude={"calls_left", "bytes_left"}), **after}
    assert await kept(ledger, made.id) == outcome.data
    (row, _) = await ledger.read(audit.newest)
    assert (row.action, row.authority) == ("grant shortened", made.id)


WIDER: dict[str, tuple[Shortening, list[str]]] = {
    "a later end": (Shortening(expires_at=NOON + timedelta(seconds=1)), ["expires_at"]),
    "more calls": (Shortening(calls_per_day=3), ["calls_per_day"]),
    "more bytes": (Shortening(bytes_per_day=101), ["bytes_per_day"]),
    "one more kind": (Shortening(scope=Scope.of({"kinds": ["film", "music"]})), ["scope"]),
    "another kind": (Shortening(scope=Scope.of({"kinds": ["music"]})), ["scope"]),
    "smaller here and wider there": (
        Shortening(calls_per_day=1, bytes_per_day=200),
        ["bytes_per_day"],
    ),
}


@pytest.mark.anyio
@pytest.mark.parametrize(("change", "parts"), WIDER.values(), ids=WIDER)
async def test_a_grant_is_never_made_wider_not_by_its_owner_either(
    ledger: Ledger, change: Shortening, parts: list[str]
) -> None:
    made = await wide(ledger)
    outcome = await shorten(ledger, made.id, change, by=ANN)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.needs["wider"]) == (Code.DENIED, parts)
    assert await kept(ledger, made.id) == made


@pytest.mark.anyio
async def test_replacing_is_not_added_to_a_grant(ledger: Ledger) -> None:
    made = await granted(here(ledger))
    outcome = await shorten(ledger, made.id, Shortening(may_replace=True), by=ANN)
    assert isinstance(outcome, Refused)
    assert outcome.needs["wider"] == ["may_replace"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "change",
    [
        Shortening(expires_at=MORNING),
        Shortening(calls_per_day=0),
        Shortening(scope=Scope.of({"kinds": []})),
    ],
)
async def test_a_grant_is_not_emptied_but_withdrawn(ledger: Ledger, change: Shortening) -> None:
    made = await wide(ledger)
    assert code_of(await shorten(ledger, made.id, change, by=ANN)) is Code.INVALID_INPUT
    assert await kept(ledger, made.id) == made


@pytest.mark.anyio
async def test_a_withdrawn_grant_says_by_whom_and_why_and_stays_so(ledger: Ledger) -> None:
    made = await granted(here(ledger))
    outcome = await withdraw(ledger, made.id, by=ANN, reason="enough")
    assert isinstance(outcome, Succeeded)
    now = outcome.data
    assert (now.stands, now.withdrawn_by, now.reason) == (False, "owner:ann", "enough")
    for again in (
        await withdraw(ledger, made.id, by=ANN, reason="again"),
        await shorten(ledger, made.id, Shortening(calls_per_day=1), by=ANN),
    ):
        assert isinstance(again, Refused)
        assert (again.code, again.needs["reason"]) == (Code.CONFLICT, "enough")
    assert await kept(ledger, made.id) == now
    assert [row.action for row in await ledger.read(audit.newest)] == [
        "grant withdrawn",
        "grant made",
    ]


@pytest.mark.anyio
async def test_an_expired_grant_is_past_changing(ledger: Ledger, watch: Watch) -> None:
    made = await wide(ledger)
    watch.at = NOON
    outcome = await shorten(ledger, made.id, Shortening(calls_per_day=1), by=ANN)
    assert code_of(outcome) is Code.CONFLICT
    assert not (await kept(ledger, made.id)).stands


@pytest.mark.anyio
async def test_a_grant_stands_only_with_its_policy(ledger: Ledger) -> None:
    await ledger.write(lambda tx: policies.publish(tx, "acquisition", {}, ledger.now()))
    made = await granted(here(ledger), policy=("acquisition", 1))
    assert made.stands
    await ledger.write(lambda tx: policies.publish(tx, "acquisition", {}, ledger.now()))
    assert not (await kept(ledger, made.id)).stands


@pytest.mark.anyio
async def test_nobody_but_the_owner_changes_one(ledger: Ledger) -> None:
    made = await granted(here(ledger))
    for who in (client("phone", frozenset({"lamp.light"})), system("patrol")):
        for outcome in (
            await shorten(ledger, made.id, Shortening(calls_per_day=1), by=who),
            await withdraw(ledger, made.id, by=who, reason="mine"),
        ):
            assert code_of(outcome) is Code.DENIED
    assert await kept(ledger, made.id) == made


@pytest.mark.anyio
async def test_a_grant_that_is_not_there(ledger: Ledger) -> None:
    assert code_of(await withdraw(ledger, "grant_0", by=ANN, reason="x")) is Code.NOT_FOUND
    assert code_of(await shorten(ledger, "grant_0", Shortening(), by=ANN)) is Code.NOT_FOUND


@pytest.mark.anyio
async def test_a_read_only_house_gives_no_power_and_lets_it_be_taken(ledger: Ledger) -> None:
    at = here(ledger)
    made = await granted(at, calls=2)
    await turn(ledger, SwitchName.READ_ONLY, on=True, by=ANN, reason="moving house")
    assert code_of(await grant_of(at)) is Code.DENIED
    assert isinstance(
        await shorten(ledger, made.id, Shortening(calls_per_day=1), by=ANN), Succeeded
    )
    assert isinstance(await withdraw(ledger, made.id, by=ANN, reason="enough"), Succeeded)
