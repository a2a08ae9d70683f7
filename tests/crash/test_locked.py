"""A ledger that another process has locked: waiting, or saying so, and never acting unwritten."""

import anyio
import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Failed, Succeeded
from capabilities.kernel.registry import Registry
from ledger.location import database_file
from ledger.stores import claims
from tests.crash import broken
from tests.crash.cast import CAST
from tests.crash.child import Order, furnish
from tests.crash.driver import Theatre
from tests.crash.place import Place, ledger_of
from tests.ledger.neighbours import WRITE_LOCK, held_by_another_process
from tests.promises.tally import Tally

pytestmark = pytest.mark.anyio
PLAY = CAST["submit"]


def furnished(stage: Theatre, busy_ms: int) -> Place:
    place = stage.place(busy_ms=busy_ms)
    furnish(Order("act", "submit", place))
    return place


@pytest.mark.promise("S2")
async def test_a_lock_that_is_let_go_is_waited_for_and_reads_go_on_meanwhile(
    stage: Theatre,
) -> None:
    place = furnished(stage, busy_ms=4_000)
    answers: list[AnyOutcome] = []
    with anyio.fail_after(5):
        async with ledger_of(place) as ledger, PLAY.parts(place) as parts:
            registry = Registry([PLAY.spec], ledger, parts)

            async def ask() -> None:
                answers.append(await registry.invoke(PLAY.call()))

            async with anyio.create_task_group() as tasks:
                with held_by_another_process(database_file(place.folder), *WRITE_LOCK):
                    tasks.start_soon(ask)
                    with anyio.move_on_after(1):
                        while not answers:
                            assert await ledger.read(claims.newest) == []
                    assert (answers, stage.tenant(place).asked) == ([], 0)
    assert isinstance(answers[0], Succeeded)
    assert stage.tenant(place).asked == 1


@pytest.mark.promise("S2", control=True)
async def test_a_build_without_claims_acts_behind_a_lock(
    stage: Theatre, monkeypatch: pytest.MonkeyPatch, tally: Tally
) -> None:
    monkeypatch.setattr(broken, "setattr", monkeypatch.setattr, raising=False)
    broken.BUILDS["without_claims"]()
    button, place = CAST["button"], stage.place(busy_ms=300)
    async with ledger_of(place) as ledger, button.parts(place) as parts:
        registry = Registry([button.spec], ledger, parts)
        with held_by_another_process(database_file(place.folder), *WRITE_LOCK):
            await registry.invoke(button.call())
    tally.add(1, stage.tenant(place).pressed)
    assert tally.violations == 1


@pytest.mark.promise("S2")
async def test_a_lock_for_ever_is_told_in_time_and_nothing_is_done(stage: Theatre) -> None:
    place = furnished(stage, busy_ms=300)
    async with ledger_of(place) as ledger, PLAY.parts(place) as parts:
        registry = Registry([PLAY.spec], ledger, parts)
        with held_by_another_process(database_file(place.folder), *WRITE_LOCK):
            with anyio.fail_after(3):
                refused = await registry.invoke(PLAY.call())
            assert await ledger.read(claims.newest) == []
        assert isinstance(refused, Failed)
        assert refused.code is Code.UNAVAILABLE
        assert stage.tenant(place).asked == 0

        assert isinstance(await registry.invoke(PLAY.call()), Succeeded)
    assert stage.tenant(place).asked == 1
