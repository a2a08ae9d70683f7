"""The same deaths with the ledger on a server, and the death of the server itself."""

import signal
from collections.abc import Generator

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Succeeded
from capabilities.kernel.registry import Registry
from tests.crash.cast import CAST
from tests.crash.child import Order, furnish
from tests.crash.driver import (
    Outcome,
    Theatre,
    Zygote,
    ended,
    moments,
    play_through,
    recovered,
    spoken,
)
from tests.crash.place import Place, ledger_of
from tests.crash.test_named_points import numbered
from tests.postgres import Server, serving

pytestmark = [pytest.mark.proof, pytest.mark.anyio, pytest.mark.timeout(120)]
SENT_BY_THEN = {"before_send:1", "answered:1", "in_settlement:1"}
"""Between the sending and its settlement nothing is written, so it is sent all the same."""


@pytest.fixture
def mortal() -> Generator[Server]:
    """A server that a test may kill, with its files really on the disk."""
    with serving(durable=True) as server:
        yield server


async def killed_at(stage: Theatre, forks: Zygote, place: Place, point: str) -> Outcome:
    after = await play_through(stage, forks, "submit", place, fault=f"{point}:kill")
    assert after.killed, f"{point} was not passed"
    return await recovered(stage, forks, after)


async def test_a_death_at_any_named_moment_never_leads_to_a_second_act(
    stage: Theatre, forks: Zygote, postgres: Server
) -> None:
    points = numbered(await moments(stage, forks, "submit"))
    outcomes = {
        point: await killed_at(stage, forks, await stage.shared(postgres), point)
        for point in points
    }
    assert {point: each.broken for point, each in outcomes.items() if each.broken} == {}
    counted = [each for each in outcomes.values() if each.counted]
    assert any(each.after_effect for each in counted)
    assert not all(each.after_effect for each in counted)


@pytest.mark.parametrize(
    "point", ["in_claim:1", "claimed:1", "before_send:1", "answered:1", "in_settlement:1"]
)
async def test_the_death_of_the_server_in_mid_act_leads_to_no_second_act(
    stage: Theatre, forks: Zygote, mortal: Server, point: str
) -> None:
    place = await stage.shared(mortal)
    fault = f"{point}:pause"
    await forks.order(**spoken("submit", place, "act", furnish=True, pauses=True, fault=fault))
    assert (await forks.hear())["stopped"]
    mortal.stop(signal.SIGKILL)
    await forks.release()
    after = await ended(stage, forks, "submit", place)
    assert after.answer in {"failed", "unknown", ""}
    assert after.at_death.acts == int(point in SENT_BY_THEN)

    mortal.start()
    outcome = await recovered(stage, forks, after)
    assert (outcome.broken, outcome.acts, outcome.left) == ((), 1, "succeeded")


async def test_while_the_server_is_away_calls_are_unavailable_and_nothing_is_done(
    stage: Theatre, mortal: Server
) -> None:
    place = await stage.shared(mortal)
    play = CAST["submit"]
    furnish(Order("act", "submit", place))
    async with ledger_of(place) as ledger, play.parts(place) as parts:
        registry = Registry([play.spec], ledger, parts)
        mortal.stop(signal.SIGKILL)
        refused = await registry.invoke(play.call())
        assert isinstance(refused, Failed)
        assert refused.code is Code.UNAVAILABLE
        assert stage.tenant(place).asked == 0
        mortal.start()
        assert isinstance(await registry.invoke(play.call()), Succeeded)
    assert stage.tenant(place).asked == 1
