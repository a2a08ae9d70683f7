import pytest

from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused
from ledger.clock import new_id
from tests.agent.scene import Scene

pytestmark = pytest.mark.anyio


async def test_a_key_lists_its_own_runs_newest_first_page_by_page(scene: Scene) -> None:
    key = client(new_id("key"), frozenset({"run"}))
    ids: list[str] = []
    for goal in ("One?", "Two?", "Three?"):
        ids.append(await scene.start(goal, key))
        await scene.until_over(ids[-1])
    await scene.until_over(await scene.start("Not the key's"))
    first = await scene.ask("list_runs", key, limit=2)
    assert [run["id"] for run in first["runs"]] == [ids[2], ids[1]]
    assert first["page"] == {"total": 3, "left_out": 1, "next_cursor": "2"}
    rest = await scene.ask("list_runs", key, limit=2, cursor="2")
    assert [run["goal"] for run in rest["runs"]] == ["One?"]
    assert rest["page"] == {"total": 3, "left_out": 0}
    shown = rest["runs"][0]
    assert shown["reason"] == "Answered; nothing was downloaded or moved."
    assert shown["started_by"] == str(key)


async def test_the_owner_lists_everybodys_runs(scene: Scene) -> None:
    key = client(new_id("key"), frozenset({"run"}))
    run = await scene.start("What is there?", key)
    assert run in {each["id"] for each in (await scene.ask("list_runs", limit=50))["runs"]}
    await scene.until_over(run)


async def test_runs_are_listed_by_state(scene: Scene) -> None:
    key = client(new_id("key"), frozenset({"run"}))
    await scene.until_over(await scene.start("What is there?", key))
    assert (await scene.ask("list_runs", key, state="succeeded"))["page"]["total"] == 1
    assert (await scene.ask("list_runs", key, state="failed"))["page"]["total"] == 0


async def test_a_long_goal_is_shown_in_part(scene: Scene) -> None:
    key = client(new_id("key"), frozenset({"run"}))
    await scene.until_over(await scene.start("x" * 1000, key))
    (shown,) = (await scene.ask("list_runs", key))["runs"]
    assert shown["goal"] == "x" * 199 + "…"


async def test_a_cursor_of_ones_own_making_is_refused(scene: Scene) -> None:
    outcome = await scene.call("list_runs", cursor="later")
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.INVALID_INPUT
