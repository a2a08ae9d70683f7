"""The owner settles a decision by one of its options."""

from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.actors import Actor, client, system
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.identity_policy import IdentityPolicy
from ledger.clock import new_id
from ledger.stores import claims, decisions, runs, tasks
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import (
    Decision,
    DecisionKind,
    DecisionState,
    NewDecision,
    Option,
    offered,
)
from ledger.stores.tasks import TaskState
from ledger.writer import Transaction
from tests.ledger.rows import add_run
from tests.left_behind import dead_submission
from tests.scene import KEY, OWNER, SCOPES, Scene, run_of

pytestmark = pytest.mark.anyio

RESOLVE = "decision.resolve"


async def raised(scene: Scene, cause: str, *options: Option, **more: object) -> str:
    new = NewDecision(
        more.pop("kind", DecisionKind.OTHER),  # pyright: ignore[reportArgumentType]  # a kind
        cause,
        "Look at this",
        options=offered(*options),
    )
    made = replace(new, **more)
    return await scene.write(lambda tx: decisions.raise_(tx, made, scene.ledger.now()))


async def now(scene: Scene, id_: str) -> Decision:
    row = await scene.read(lambda conn: decisions.by_id(conn, id_))
    assert row is not None
    return row


async def chosen(scene: Scene, decision: str, option: str, **more: str) -> str:
    """The sentence of a choice that is carried out."""
    outcome = await scene.call(RESOLVE, OWNER, decision=decision, option=option, **more)
    assert isinstance(outcome, Succeeded), outcome
    return outcome.sentence


@pytest.mark.parametrize(
    "by",
    [KEY, client("all", SCOPES | {RESOLVE}), run_of("run_1"), system("import")],
    ids=str,
)
async def test_for_everybody_but_the_owner_there_is_no_such_capability(
    scene: Scene, by: Actor
) -> None:
    id_ = await raised(scene, "cause", Option.DISMISS)
    outcome = await scene.failure(
        Code.NOT_FOUND, RESOLVE, replace(by, scopes=by.scopes | {RESOLVE}), decision=id_, option="x"
    )
    assert "There is no capability" in outcome.sentence
    assert RESOLVE not in {spec.id for spec in scene.registry.shown_to(by)}
    assert (await now(scene, id_)).state is DecisionState.AWAITING_USER
    assert RESOLVE in {spec.id for spec in scene.registry.shown_to(OWNER)}


async def test_a_choice_closes_the_decision_with_who_and_why(scene: Scene) -> None:
    id_ = await raised(scene, "cause", Option.DISMISS)
    assert await chosen(scene, id_, "dismiss", reason="it is old") == "It is left as it is."
    row = await now(scene, id_)
    assert (row.state, row.resolved_by, row.resolution) == (
        DecisionState.DISMISSED,
        "owner:ada",
        "dismiss: it is old",
    )
    again = await scene.refusal(Code.CONFLICT, RESOLVE, OWNER, decision=id_, option="dismiss")
    assert "settled already: dismiss" in again.sentence


async def test_an_option_that_there_is_not_is_refused_with_those_that_there_are(
    scene: Scene,
) -> None:
    id_ = await raised(scene, "task:none", Option.RETRY, Option.DISMISS)
    refused = await scene.refusal(Code.INVALID_INPUT, RESOLVE, OWNER, decision=id_, option="fly")
    assert refused.needs == {"options": ["retry", "dismiss"]}
    await scene.failure(Code.NOT_FOUND, RESOLVE, OWNER, decision="dec_none", option="retry")


async def test_a_decision_without_options_can_at_least_be_left(scene: Scene) -> None:
    id_ = await raised(scene, "cause")
    await chosen(scene, id_, "dismiss")
    assert (await now(scene, id_)).state is DecisionState.DISMISSED


@pytest.mark.parametrize(
    ("option", "sentence"),
    [(Option.ACCEPT, "It is accepted as it is."), (Option.IGNORE, "It is left as it is.")],
)
async def test_what_is_accepted_or_ignored_is_resolved_without_an_act(
    scene: Scene, option: Option, sentence: str
) -> None:
    id_ = await raised(scene, "cause", option)
    assert await chosen(scene, id_, option) == sentence
    assert (await now(scene, id_)).state is DecisionState.RESOLVED


async def test_a_plan_is_not_approved_this_way(scene: Scene) -> None:
    plan = (await scene.drafted())["plan"]
    asked = await scene.refusal(Code.NEEDS_APPROVAL, "download.submit", plan=plan)
    for option in ("approve", "decline", "dismiss"):
        refused = await scene.refusal(
            Code.PRECONDITION, RESOLVE, OWNER, decision=asked.needs["decision"], option=option
        )
        assert f"matinee approve {asked.needs['approval']}" in str(refused.needs["how"])


async def dead_task(scene: Scene) -> str:
    """A task that gave up; returns its id."""
    row = await scene.submitted()
    task = (await scene.tasks(row.id))["track"].id
    await scene.end_task(task, TaskState.DEAD)
    return task


async def test_a_dead_task_is_tried_again_with_all_its_attempts(scene: Scene) -> None:
    task = await dead_task(scene)
    await scene.write(lambda tx: tasks.change(tx, task, attempts=5, last_error="no"))
    id_ = await raised(scene, f"task:{task}", Option.RETRY, Option.DISMISS)
    assert await chosen(scene, id_, "retry") == "It is tried again now."
    row = await scene.read(lambda conn: tasks.by_id(conn, task))
    assert row is not None
    assert (row.state, row.attempts, row.last_error) == (TaskState.QUEUED, 0, None)
    assert (await now(scene, id_)).resolution == "retry"


@pytest.mark.parametrize("cause", ["import", "download_failed", "download_stalled"])
async def test_what_a_download_waits_for_is_looked_at_again(scene: Scene, cause: str) -> None:
    task = await dead_task(scene)
    row = await scene.read(lambda conn: tasks.by_id(conn, task))
    assert row is not None
    option = Option.RETRY if cause == "import" else Option.RE_EVALUATE
    id_ = await raised(scene, f"{cause}:{row.subject}", option, Option.DISMISS)
    await chosen(scene, id_, option)
    kind = "import" if cause == "import" else "track"
    assert (await scene.tasks(row.subject))[kind].state is TaskState.QUEUED
    assert (await now(scene, id_)).state is DecisionState.RESOLVED


async def test_a_segment_that_was_given_up_is_begun_anew(scene: Scene) -> None:
    task = await dead_task(scene)
    id_ = await raised(scene, f"segment:task:{task}", Option.RETRY, Option.DISMISS)
    await chosen(scene, id_, "retry")
    row = await scene.read(lambda conn: tasks.by_id(conn, task))
    assert row is not None
    assert row.state is TaskState.QUEUED


@pytest.mark.parametrize("cause", ["task:task_none", "segment:run:run_none", "other:thing"])
async def test_what_is_gone_cannot_be_tried_again_and_stays_open(scene: Scene, cause: str) -> None:
    id_ = await raised(scene, cause, Option.RETRY, Option.DISMISS)
    refused = await scene.refusal(Code.PRECONDITION, RESOLVE, OWNER, decision=id_, option="retry")
    assert "nothing left to try again" in refused.sentence
    assert (await now(scene, id_)).state is DecisionState.AWAITING_USER


async def unknown_act(scene: Scene) -> tuple[str, str]:
    """A submission that cannot be looked for, since its client is away; claim and decision."""
    plan = await scene.id_of((await scene.drafted())["plan"])
    claim = await dead_submission(scene, plan)
    bare = scene.having(without=[Downloaders])
    await bare.registry.reconcile(claim)
    (asked,) = await scene.decisions()
    assert [option["id"] for option in asked.options] == ["check", "done", "not-done"]
    return claim.id, asked.id


async def test_an_unknown_act_is_looked_at_when_the_owner_says_so(scene: Scene) -> None:
    claim, id_ = await unknown_act(scene)
    bare = scene.having(without=[Downloaders])
    told = await bare.call(RESOLVE, OWNER, decision=id_, option="check")
    assert isinstance(told, Succeeded)
    assert told.sentence.startswith("A look did not settle it")
    assert (await now(scene, id_)).state is DecisionState.AWAITING_USER
    await chosen(scene, id_, "check")
    row = await scene.read(lambda conn: claims.by_id(conn, claim))
    assert row is not None
    assert row.free_again
    assert (await now(scene, id_)).state is DecisionState.RESOLVED


@pytest.mark.parametrize(
    ("option", "state"), [("done", ClaimState.SUCCEEDED), ("not-done", ClaimState.FAILED)]
)
async def test_an_unknown_act_is_settled_by_hand_with_a_reason(
    scene: Scene, option: str, state: ClaimState
) -> None:
    claim, id_ = await unknown_act(scene)
    await scene.refusal(Code.INVALID_INPUT, RESOLVE, OWNER, decision=id_, option=option)
    assert "by hand" in await chosen(scene, id_, option, reason="I looked")
    row = await scene.read(lambda conn: claims.by_id(conn, claim))
    assert row is not None
    assert row.state is state
    assert (await now(scene, id_)).resolution == f"{state} by hand: I looked"


async def test_an_unknown_act_cannot_be_dismissed(scene: Scene) -> None:
    _, id_ = await unknown_act(scene)
    await scene.refusal(Code.INVALID_INPUT, RESOLVE, OWNER, decision=id_, option="dismiss")


async def carrying(scene: Scene, capability: str, **arguments: object) -> str:
    """A decision with an option that carries a capability."""
    option = {"id": "go", "title": "Go", "capability": capability, "arguments": arguments}
    new = NewDecision(DecisionKind.OTHER, new_id("cause"), "Shall it?", options=[option])
    return await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))


async def test_an_option_that_carries_a_capability_is_run_through_the_same_door(
    scene: Scene,
) -> None:
    drafted = await scene.drafted(by=OWNER)
    plan = await scene.id_of(drafted["plan"], OWNER)
    id_ = await carrying(scene, "download.submit", plan=plan)
    assert "was submitted" in await chosen(scene, id_, "go")
    (claim,) = await scene.claims("download.submit")
    assert (claim.state, claim.authority) == (ClaimState.SUCCEEDED, "owner:ada")
    assert (await now(scene, id_)).state is DecisionState.RESOLVED


async def test_what_fails_behind_an_option_leaves_the_decision_open(scene: Scene) -> None:
    id_ = await carrying(scene, "download.submit", plan="plan_none")
    await scene.failure(Code.NOT_FOUND, RESOLVE, OWNER, decision=id_, option="go")
    assert (await now(scene, id_)).state is DecisionState.AWAITING_USER
    assert await scene.claims(RESOLVE) == []


async def test_two_choices_at_once_are_one(scene: Scene) -> None:
    id_ = await raised(scene, "cause", Option.DISMISS)
    call = Call(RESOLVE, {"decision": id_, "option": "dismiss"}, OWNER, "c", "r")
    first = await scene.registry.invoke(call)
    again = await scene.registry.invoke(call)
    assert isinstance(first, Succeeded)
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert len(await scene.claims(RESOLVE)) == 1


async def test_what_lasts_is_asked_again_only_after_it_went_away(scene: Scene) -> None:
    async def lasting() -> str:
        return await raised(scene, "download_stalled:dl", Option.DISMISS, lasting=True)

    first = await lasting()
    await chosen(scene, first, "dismiss")
    assert await lasting() == first
    assert await scene.decisions() == []
    at = scene.ledger.now() + timedelta(seconds=1)
    await scene.write(
        lambda tx: decisions.close_for(
            tx, "download_stalled:dl", by="system:track", resolution="it goes on", at=at
        )
    )
    assert await lasting() != first
    assert len(await scene.decisions()) == 1


async def test_the_owner_says_which_work_a_release_is(scene: Scene) -> None:
    await scene.publish(IdentityPolicy(accepted=()))
    release = await scene.release()
    await scene.answer("identity.resolve", release=release)
    (asked,) = await scene.decisions()
    ids = [option["id"] for option in asked.options]
    assert ids == ["tmdb:film:45745", "tmdb:film:900002", "dismiss"]
    told = await chosen(scene, asked.id, "tmdb:film:45745")
    assert told == "It is Sintel (2010), by your word."
    assert await scene.decisions() == []
    assert (await scene.answer("download.plan", release=release))["plan"]


async def test_what_a_run_proposed_is_answered_by_the_same_door(scene: Scene) -> None:
    run = new_id("run")
    options = [{"id": "a", "title": "The first"}, {"id": "b", "title": "The second"}]
    new = NewDecision(DecisionKind.CHOOSE_OPTION, run, "Which one?", options=options, run=run)

    def write(tx: Transaction) -> str:
        add_run(tx, run, scene.ledger.now(), by=str(OWNER))
        return decisions.raise_(tx, new, scene.ledger.now())

    id_ = await scene.write(write)
    assert await chosen(scene, id_, "b") == "Chosen: The second."
    row = await now(scene, id_)
    assert (row.state, row.resolution) == (DecisionState.RESOLVED, "b")
    (told,) = await scene.read(lambda conn: runs.unread(conn, run))
    assert "Chosen: The second (b)" in told.words


async def test_an_act_behind_an_option_that_is_not_known_leaves_the_decision_open(
    scene: Scene,
) -> None:
    claim, asked = await unknown_act(scene)
    row = await scene.read(lambda conn: claims.by_id(conn, claim))
    assert row is not None
    id_ = await carrying(scene, "download.submit", plan=row.plan)
    bare = scene.having(without=[Downloaders])
    told = await bare.call(RESOLVE, OWNER, decision=id_, option="go")
    assert isinstance(told, Succeeded)
    assert told.sentence.endswith("This stays open.")
    assert {each.id for each in await scene.decisions()} == {id_, asked}


async def test_a_candidate_that_is_gone_cannot_be_chosen(scene: Scene) -> None:
    new = NewDecision(
        DecisionKind.IDENTITY_AMBIGUOUS, "identity:x", "?", options=[{"id": "tmdb:1"}]
    )
    id_ = await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))
    await scene.refusal(Code.PRECONDITION, RESOLVE, OWNER, decision=id_, option="tmdb:1")
    assert (await now(scene, id_)).state is DecisionState.AWAITING_USER
