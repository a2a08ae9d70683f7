import pytest
import svcs

from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Refused
from capabilities.runs.choose_option import Input, choose_option
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision
from tests.agent.scene import Scene

pytestmark = pytest.mark.anyio

OPTIONS = [{"id": "a", "title": "The first"}, {"id": "b"}]
KEY = client("key", frozenset({"run", "run.ask", "read"}))


async def asked(scene: Scene) -> tuple[str, str]:
    """A run that has ended its turn with a question, and the question."""
    run = await scene.start("Get a train film", KEY)
    await scene.until_over(run)
    question = NewDecision(
        DecisionKind.CHOOSE_OPTION, f"options:{run}", "Which one?", options=OPTIONS, run=run
    )
    decision = await scene.ledger.write(
        lambda tx: decisions.raise_(tx, question, scene.ledger.now())
    )
    return run, decision


def code(outcome: AnyOutcome) -> Code:
    assert isinstance(outcome, Failed | Refused)
    return outcome.code


async def test_a_choice_closes_the_question_and_the_run_goes_on_with_it(scene: Scene) -> None:
    run, decision = await asked(scene)
    answer = await scene.ask("choose_option", KEY, run=run, option="a")
    assert answer["title"] == "The first"
    await scene.until_over(run)
    closed = await scene.ledger.read(lambda conn: decisions.by_id(conn, decision))
    assert closed is not None
    assert (closed.state, closed.resolution, closed.resolved_by) == ("resolved", "a", "key:key")
    heard = (await scene.messages(run, "user"))[-1].body["text"]
    assert heard == "Which one?\nChosen: The first (a)"
    (told,) = await scene.events(run, "options_resolved")
    assert told.body["option"] == "a"


async def test_an_option_that_was_not_proposed_is_refused(scene: Scene) -> None:
    run, _ = await asked(scene)
    outcome = await scene.call("choose_option", KEY, run=run, option="z")
    assert code(outcome) == Code.INVALID_INPUT
    assert isinstance(outcome, Refused)
    assert outcome.needs == {"options": ["a", "b"]}


async def test_a_second_choice_is_a_conflict_that_names_the_first(scene: Scene) -> None:
    run, _ = await asked(scene)
    await scene.ask("choose_option", KEY, run=run, option="b")
    outcome = await scene.call("choose_option", KEY, run=run, option="a")
    assert code(outcome) == Code.CONFLICT
    assert isinstance(outcome, Refused)
    assert outcome.needs == {"chosen": "b", "by": "key:key"}


async def test_a_run_that_asked_nothing_has_nothing_to_choose(scene: Scene) -> None:
    run = await scene.start("What is there?", KEY)
    await scene.until_over(run)
    assert code(await scene.call("choose_option", KEY, run=run, option="a")) == Code.NOT_FOUND


async def test_a_choice_that_comes_second_changes_nothing(scene: Scene) -> None:
    """Somebody answers between the look at the question and the settling of the call."""
    run, decision = await asked(scene)
    parts = svcs.Container(svcs.Registry())
    context = Context(KEY, scene.ledger, parts, request="call_1", call_id="call_1")
    await choose_option(Input(run=run, option="a"), context)
    await scene.ledger.write(
        lambda tx: decisions.close(
            tx, decision, by="owner:ada", resolution="b", at=scene.ledger.now()
        )
    )
    with pytest.raises(HaltError) as halted:
        await scene.ledger.write(lambda tx: [write(tx) for write in context.staged])
    assert code(halted.value.outcome) == Code.CONFLICT
    assert await scene.events(run, "options_resolved") == []
