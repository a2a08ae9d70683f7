"""Many callers and one act: with one key, and by different plans for one torrent."""

import json
from typing import Any

import anyio
import pytest

from capabilities.kernel.calls import Call
from capabilities.kernel.outcomes import AnyOutcome, Pending, Succeeded, facts
from capabilities.kernel.registry import Registry
from tests.crash.cast import CAST
from tests.crash.child import ANSWER, CROWD, OTHERS_ANSWER, Order, furnish
from tests.crash.driver import Theatre, Zygote, spoken, zygote
from tests.crash.place import Place, ledger_of
from tests.history import check_history
from tests.postgres import Server
from tests.promises.tally import Tally

pytestmark = [pytest.mark.anyio, pytest.mark.proof]
PROCESSES = 4


def answers_of(place: Place) -> list[tuple[str, dict[str, Any]]]:
    told = [json.loads(each.read_text()) for each in place.folder.glob("crowd-*.json")]
    return [(word, answer) for each in told for word, answer in each]


async def violations(place: Place) -> list[str]:
    async with ledger_of(place) as ledger:
        return await ledger.read(check_history)


@pytest.mark.promise("E3")
@pytest.mark.parametrize("play", ["submit", "button"])
async def test_thirty_two_callers_in_four_processes_with_one_key_act_once(
    stage: Theatre, forks: Zygote, postgres: Server, play: str
) -> None:
    place = await stage.shared(postgres)
    furnish(Order("act", play, place))
    await forks.order(**spoken(play, place, "crowd", copies=PROCESSES))
    assert (await forks.hear())["ends"] == [0] * PROCESSES

    answers = answers_of(place)
    assert len(answers) == PROCESSES * CROWD
    assert stage.tenant(place).asked == 1
    done = [{**answer, "replayed": True} for word, answer in answers if word == "succeeded"]
    assert done
    assert all(each == done[0] for each in done)
    assert [each for each in answers if each[0] not in {"succeeded", "pending"}] == []
    assert await violations(place) == []


@pytest.mark.promise("E3", control=True)
async def test_the_same_crowd_acts_more_than_once_where_claims_are_broken(
    stage: Theatre, forks: Zygote, postgres: Server, tally: Tally
) -> None:
    place = await stage.shared(postgres)
    await forks.order(**spoken("button", place, "crowd", copies=2, build="without_claims"))
    await forks.hear()
    tally.add(1, stage.tenant(place).asked - 1)
    assert tally.violations > 0


@pytest.mark.promise("E3")
async def test_two_clients_with_different_plans_for_one_torrent_add_it_once(
    stage: Theatre,
) -> None:
    play, place = CAST["submit"], stage.place()
    furnish(Order("act", "submit", place))
    answers: list[AnyOutcome] = []
    async with ledger_of(place) as ledger, play.parts(place) as parts:
        registry = Registry([play.spec], ledger, parts)

        async def ask(call: Call) -> None:
            answers.append(await registry.invoke(call))

        async with anyio.create_task_group() as clients:
            clients.start_soon(ask, play.call())
            clients.start_soon(ask, play.other())
        later = await registry.invoke(play.other())

    assert stage.tenant(place).asked == 1
    assert all(isinstance(each, Succeeded | Pending) for each in answers), answers
    assert isinstance(later, Succeeded)
    named = {str(facts(each)["title"]) for each in [*answers, later] if isinstance(each, Succeeded)}
    assert len(named) == 1
    assert await violations(place) == []


@pytest.mark.promise("E3")
async def test_the_same_two_clients_in_two_processes_add_it_once(
    stage: Theatre, forks: Zygote, postgres: Server
) -> None:
    place = await stage.shared(postgres)
    furnish(Order("act", "submit", place))
    async with zygote() as more:
        await forks.order(**spoken("submit", place, "act", hold=True))
        await more.order(**spoken("submit", place, "other", hold=True))
        await forks.release()
        await more.release()
        assert [(await each.hear())["status"] for each in (forks, more)] == [0, 0]

    told = [json.loads((place.folder / name).read_text()) for name in (ANSWER, OTHERS_ANSWER)]
    assert {each["outcome"] for each in told} <= {"succeeded", "pending"}, told
    assert stage.tenant(place).asked == 1
    assert await violations(place) == []


@pytest.mark.promise("E3")
async def test_a_caller_whose_twin_was_faster_hears_what_the_twin_was_answered(
    stage: Theatre, forks: Zygote, postgres: Server
) -> None:
    place = await stage.shared(postgres)
    furnish(Order("act", "submit", place))
    play, paused = CAST["submit"], spoken("submit", place, "act", pauses=True)
    await forks.order(**paused, fault="nobody_met:1:pause")
    assert (await forks.hear())["stopped"]
    async with ledger_of(place) as ledger, play.parts(place) as parts:
        await Registry([play.spec], ledger, parts).invoke(play.call(request="twin"))
    await forks.release()
    assert (await forks.hear())["status"] == 0

    assert json.loads((place.folder / ANSWER).read_text())["outcome"] == "succeeded"
    assert stage.tenant(place).asked == 1
