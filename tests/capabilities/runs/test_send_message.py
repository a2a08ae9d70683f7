import pytest

from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused
from ledger.stores import runs
from ledger.stores.runs import RunState
from tests.agent.scene import FIND, Scene
from world.dialogue import Turn
from world.scripts import calls

pytestmark = pytest.mark.anyio

KEY = client("key", frozenset({"run", "read"}))


async def test_a_working_run_reads_the_message_before_its_next_reply(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(FIND,)), Turn(text="Found."))
    scene.shop.close()
    run = await scene.start("Find it", KEY)
    await scene.shop.until_inside(1)
    answer = await scene.ask("send_message", KEY, run=run, text=" In colour. ")
    assert answer["reopened"] is False
    scene.shop.open()
    await scene.until_over(run)
    rows = [(row.role, row.body["text"]) for row in await scene.messages(run)]
    assert rows[3] == ("user", "In colour.")
    assert len(scene.model.requests) == 2
    sender = [row.body.get("sender") for row in await scene.messages(run, "user")]
    assert sender == [None, "key:key"]


async def test_an_ended_run_is_queued_again(scene: Scene) -> None:
    run = await scene.start("What is there?")
    await scene.until_over(run)
    answer = await scene.ask("send_message", run=run, text="And now?")
    assert answer["reopened"] is True
    done = await scene.until_over(run)
    assert done.usage["requests"] == 2
    states = [event.body["state"] for event in await scene.events(run, "run_status")]
    assert states == ["queued", "running", "succeeded", "queued", "running", "succeeded"]


async def test_a_run_that_is_being_stopped_takes_no_message(scene: Scene) -> None:
    run = await scene.start("What is there?")
    await scene.until_over(run)
    await scene.ledger.write(
        lambda tx: runs.change(tx, run, abort_asked=True, state=RunState.RUNNING)
    )
    outcome = await scene.call("send_message", run=run, text="Wait!")
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.CONFLICT
    assert await scene.ledger.read(lambda conn: runs.unread(conn, run)) == []


async def test_every_message_counts_also_one_with_the_same_words(scene: Scene) -> None:
    run = await scene.start("What is there?")
    for _ in range(2):
        await scene.until_over(run)
        await scene.ask("send_message", run=run, text="Again.")
    await scene.until_over(run)
    assert len(await scene.messages(run, "user")) == 3
