import anyio
import pytest

from ledger.stores.runs import RunState
from tests.agent.house import Scene
from world.dialogue import Call, Turn
from world.scripts import calls, say

pytestmark = pytest.mark.anyio

FIND = Call("shop__find", {"title": "Night Train"})
DRAFT = Call("shop__draft", {"title": "Night Train"})
BUY = Call("shop__buy", {"plan": "plan:1"})
GET = calls(
    Turn(calls=(FIND,)),
    Turn(calls=(DRAFT,)),
    Turn(calls=(BUY,)),
    Turn(text="Submitted: Night Train (1959)."),
)


async def test_a_title_comes_home_and_the_report_is_built_from_tables(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    await scene.decide(await scene.until_asked(run), yes=True)
    waiting = await scene.until(run, lambda row: row.phase == "settle")
    assert waiting.report is not None
    assert waiting.report["conclusion"] == (
        "Submitted, not in the library yet: Night Train (1959)."
    )
    await scene.arrive(run)
    done = await scene.until_over(run)
    assert done.state == RunState.SUCCEEDED
    assert done.report is not None
    assert done.report["lines"][0] == "Night Train (1959) is in the library."
    assert scene.shop.bought and len(scene.shop.bought) == 1
