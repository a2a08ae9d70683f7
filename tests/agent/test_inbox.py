import pytest

from agent.prompt.skills import shipped
from tests.agent.house import House, Scene, set_scene
from tests.agent.prompt.test_skills import library, text
from world.scripts import say

pytestmark = pytest.mark.anyio


async def test_a_skill_comes_with_the_message_that_calls_for_it_and_only_once(
    scene: Scene, house: House, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("skills")
    about = text().replace("capabilities: catalog.lookup", "capabilities: shop.find")
    scene = set_scene(house, scene.model, library=library(folder, get=about))
    scene.model.script = say("Well.")
    run = await scene.start("Hello")
    await scene.until_over(run)
    for words in ("Now get it.", "And get the other."):
        requests = len(scene.model.requests)
        await scene.ask("runs.send_message", run=run, text=words)
        await scene.until(run, lambda row, n=requests: row.usage["requests"] == n + 1)
        await scene.until_over(run)
    system, *rest = scene.model.requests[-1].document["messages"]
    heard = [each["content"] for each in rest if each["role"] == "user"]
    assert "# Getting" not in system["content"]
    assert [message.count("# Getting") for message in heard] == [0, 1, 0]
    await scene.upstream.aclose()


async def test_a_skill_for_the_goal_is_part_of_the_system_prompt(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, library=shipped())
    await scene.until_over(await scene.start("Get Night Train"))
    assert "acquire-title" not in scene.model.requests[-1].document["messages"][0]["content"]
    await scene.upstream.aclose()
