"""Where nobody can look, or not yet, or a look tells nothing, a claim stays unknown."""

from datetime import timedelta

import pytest
import svcs
from structlog.testing import capture_logs

from capabilities.kernel.faults import UnreachableError
from capabilities.kernel.outcomes import Succeeded, Unknown
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.reconcile import SETTLING_S
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores import audit, decisions
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import DecisionState, Severity
from tests.capabilities.kernel.lamps import House, Lamps, house, lit_answer
from tests.capabilities.kernel.playing import sees
from tests.capabilities.kernel.unknown import decision_about, left_unknown
from tests.capabilities.watch import Watch


@pytest.mark.anyio
async def test_what_cannot_be_told_stays_unknown_and_is_one_decision_however_often_looked_at(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    here.lamps.look = sees(Verdict.CANNOT_TELL, fog="thick")
    for _ in range(3):
        assert isinstance(await here.registry.reconcile(claim), Unknown)
        assert isinstance(await here.light(request="one"), Unknown)
    (waiting,), total = await ledger.read(decisions.listing)
    assert total == 1
    assert (waiting.subject, waiting.severity) == (claim.id, Severity.HIGH)
    assert waiting.evidence == {"verdict": "cannot_tell", "fog": "thick"}
    assert [option["id"] for option in waiting.options] == ["check", "done", "not-done"]
    assert (await here.claim()).state == ClaimState.UNKNOWN
    assert len(await ledger.read(audit.newest)) == 2

    here.lamps.look = None
    assert isinstance(await here.registry.reconcile(claim), Succeeded)
    closed = await ledger.read(lambda conn: decisions.by_id(conn, waiting.id))
    assert closed is not None
    assert (closed.state, closed.resolved_by, closed.resolution) == (
        DecisionState.RESOLVED,
        "system:reconcile",
        "succeeded",
    )


@pytest.mark.anyio
async def test_where_the_world_does_not_answer_nothing_can_be_told(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)

    async def away(_target: Target) -> Finding:
        raise UnreachableError("the fuse box", "No route.")

    here.lamps.look = away
    assert isinstance(await here.light(request="one"), Unknown)
    assert (here.lamps.lit, here.lamps.entered) == ([], 1)
    asked = await decision_about(here, claim)
    assert asked is not None
    assert asked.evidence["reason"] == "the fuse box could not be asked"


@pytest.mark.anyio
async def test_where_the_part_to_look_with_is_not_configured_nothing_can_be_told(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)

    async def ask_the_box(_target: Target) -> Finding:
        svcs.Container(svcs.Registry()).get(House)
        raise AssertionError

    here.lamps.look = ask_the_box
    assert isinstance(await here.registry.reconcile(claim), Unknown)


@pytest.mark.anyio
async def test_a_look_that_breaks_leaves_it_unknown(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def broken(_target: Target) -> Finding:
        raise LookupError

    here.lamps.look = broken
    with capture_logs() as logs:
        assert isinstance(await here.registry.reconcile(claim), Unknown)
        assert isinstance(await here.light(request="one"), Unknown)
    assert [line["event"] for line in logs] == ["a look failed"] * 2
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_claim_whose_capability_is_gone_stays_unknown(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    without = house(ledger, here.lamps.reading())
    assert isinstance(await without.registry.reconcile(claim), Unknown)


@pytest.mark.anyio
async def test_a_claim_on_nothing_that_can_be_looked_at_stays_unknown_with_a_decision(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    blind = house(ledger, here.lamps.spec(probe=None, adopt=None))
    assert isinstance(await blind.registry.reconcile(claim), Unknown)
    mute = house(ledger, here.lamps.spec(adopt=None))
    assert isinstance(await mute.registry.reconcile(claim), Unknown)
    assert await decision_about(here, claim) is not None


@pytest.mark.anyio
async def test_an_act_without_a_natural_key_is_not_looked_for_before_it_had_time_to_arrive(
    ledger: Ledger, watch: Watch
) -> None:
    here = house(ledger, lamps=Lamps(natural=False))
    await left_unknown(here, lit=False)
    watch.advance(seconds=SETTLING_S / 2)
    assert isinstance(await here.light(request="one"), Unknown)
    assert (here.lamps.probed, here.lamps.entered) == (0, 1)
    watch.advance(seconds=SETTLING_S / 2)
    assert await here.light(request="one") == lit_answer("hall", 1)
    assert (here.lamps.probed, here.lamps.entered) == (1, 2)


@pytest.mark.anyio
@pytest.mark.parametrize("days", [1, -1, 4_000])
async def test_a_clock_that_jumps_makes_nothing_be_looked_for_earlier(
    ledger: Ledger, watch: Watch, days: int
) -> None:
    here = house(ledger, lamps=Lamps(natural=False))
    await left_unknown(here, lit=False)
    watch.at += timedelta(days=days)
    assert isinstance(await here.light(request="one"), Unknown)
    assert isinstance(await here.light(request="two"), Unknown)
    assert (here.lamps.probed, here.lamps.entered) == (0, 1)
    watch.advance(seconds=SETTLING_S)
    assert isinstance(await here.light(request="one"), Succeeded)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_what_a_dead_process_sent_has_its_time_from_when_it_was_found_dead(
    ledger: Ledger, watch: Watch
) -> None:
    lamps = Lamps(natural=False)
    claim = await left_unknown(house(ledger, lamps=lamps), lit=True)
    watch.advance(days=1)
    afterwards = house(ledger, lamps=lamps)
    assert isinstance(await afterwards.registry.reconcile(claim), Unknown)
    assert lamps.probed == 0
    watch.advance(seconds=SETTLING_S)
    assert isinstance(await afterwards.registry.reconcile(claim), Succeeded)
    assert lamps.lit == ["hall"]
