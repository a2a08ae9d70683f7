import pytest

from capabilities.kernel.actors import client
from capabilities.kernel.outcomes import Failed, Succeeded
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision
from tests.agent.scene import FIND, GET, SUBMITTED, Scene
from world.dialogue import Call, Turn
from world.scripts import calls

pytestmark = pytest.mark.anyio

MINE = client("mine", frozenset({"run", "read"}))
OTHER = client("other", frozenset({"run", "read"}))


async def test_events_are_read_page_by_page(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(FIND,)), Turn(text="Found."))
    run = await scene.start()
    await scene.until_over(run)
    seen: list[int] = []
    after, more = 0, True
    while more:
        page = await scene.ask("get_run", run=run, after_seq=after, limit=3)
        assert len(page["events"]) <= 3
        seen += [event["seq"] for event in page["events"]]
        after, more = page["next_after_seq"], page["more"]
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) == len(await scene.events(run))
    rest = await scene.ask("get_run", run=run, after_seq=after)
    assert (rest["events"], rest["next_after_seq"]) == ([], after)


async def test_a_waiting_run_shows_what_it_waits_for_and_how_to_decide(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    outcome = await scene.call("get_run", run=run)
    assert isinstance(outcome, Succeeded)
    assert "waits for the owner: Download Night Train, 1080p." in outcome.sentence
    waits = (await scene.ask("get_run", run=run))["waits_for"]
    assert waits["kind"] == "approval_required"
    assert waits["summary"] == asked.card
    assert waits["until"] == asked.expires_at.isoformat()
    assert "matinee approve" in waits["how"]
    decision = await scene.ledger.read(lambda conn: decisions.by_id(conn, waits["decision"]))
    assert decision is not None
    assert decision.approval == asked.id


async def test_a_decided_approval_is_waited_for_no_more(scene: Scene) -> None:
    run = await scene.until_settling()
    shown = await scene.ask("get_run", run=run)
    assert "waits_for" not in shown
    assert (shown["state"], shown["phase"], shown["reason"]) == ("waiting", "settle", SUBMITTED)


async def test_the_plan_the_report_and_the_usage_are_shown(scene: Scene) -> None:
    steps = [
        {"id": "a", "title": "Find it", "status": "completed", "evidence": "seen"},
        {"id": "b", "title": "Get it", "status": "in_progress"},
        {"id": "c", "title": "Say so"},
    ]
    scene.model.script = calls(Turn(calls=(Call("update_plan", {"steps": steps}),)))
    run = await scene.start()
    await scene.until_over(run)
    shown = await scene.ask("get_run", run=run)
    assert shown["plan"] == {"done": 1, "total": 3, "now": "Get it"}
    assert shown["report"]["conclusion"] == shown["reason"]
    assert shown["usage"]["tool_calls"] == 1


async def test_open_options_are_what_a_run_waits_for(scene: Scene) -> None:
    run = await scene.start("What is there?")
    await scene.until_over(run)
    options = [{"id": "a", "title": "The first"}]
    question = NewDecision(
        DecisionKind.CHOOSE_OPTION, f"options:{run}", "Which one?", options=options, run=run
    )
    await scene.ledger.write(lambda tx: decisions.raise_(tx, question, scene.ledger.now()))
    waits = (await scene.ask("get_run", run=run))["waits_for"]
    assert (waits["title"], waits["options"]) == ("Which one?", options)


async def test_a_key_sees_only_its_own_runs_and_the_owner_sees_all(scene: Scene) -> None:
    run = await scene.start("What is there?", MINE)
    await scene.until_over(run)
    assert (await scene.ask("get_run", MINE, run=run))["id"] == run
    assert (await scene.ask("get_run", run=run))["id"] == run
    hidden = await scene.call("get_run", OTHER, run=run)
    absent = await scene.call("get_run", OTHER, run="run_" + "0" * 32)
    assert isinstance(hidden, Failed)
    assert isinstance(absent, Failed)
    assert hidden.sentence.replace(run, "") == absent.sentence.replace("run_" + "0" * 32, "")


async def test_a_reference_works_where_it_was_given(scene: Scene) -> None:
    started = await scene.ask("start_run", MINE, goal="What is there?")
    await scene.until_over(started["id"])
    assert (await scene.ask("get_run", MINE, run=started["run"]))["id"] == started["id"]
    unknown = await scene.call("get_run", OTHER, run="run:99")
    assert isinstance(unknown, Failed)
