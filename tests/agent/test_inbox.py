import pytest

from agent.prompt.skills import Library
from tests.agent.house import House
from tests.agent.prompt.test_skills import library, text
from tests.agent.scene import Scene, set_scene
from world.scripts import say

pytestmark = pytest.mark.anyio


@pytest.fixture
def getting(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """One skill about a capability of the shop, for whoever says "get"."""
    about = text().replace("capabilities: catalog.lookup", "capabilities: shop.find")
    return library(tmp_path_factory.mktemp("skills"), get=about)


async def test_a_skill_comes_with_the_message_that_calls_for_it_and_only_once(
    scene: Scene, house: House, getting: Library
) -> None:
    scene = set_scene(house, scene.model, library=getting)
    scene.model.script = say("Well.")
    run = await scene.start("Hello")
    await scene.until_over(run)
    for words in ("Now get it.", "And get the other."):
        await scene.ask("runs.send_message", run=run, text=words)
        await scene.until_over(run)
    system, *rest = scene.model.requests[-1].document["messages"]
    heard = [each["content"] for each in rest if each["role"] == "user"]
    assert "# Getting" not in system["content"]
    assert [message.count("# Getting") for message in heard] == [0, 1, 0]


async def test_a_skill_for_the_goal_is_part_of_the_system_prompt(
    scene: Scene, house: House, getting: Library
) -> None:
    scene = set_scene(house, scene.model, library=getting)
    run = await scene.start("Get Night Train")
    await scene.until_over(run)
    await scene.ask("runs.send_message", run=run, text="Get another.")
    await scene.until_over(run)
    system, *rest = scene.model.requests[-1].document["messages"]
    assert "# Getting" in system["content"]
    assert [each["content"].count("# Getting") for each in rest] == [0, 0, 0]
