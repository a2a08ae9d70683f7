from typing import Any

import anyio
import pytest

from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.grant_making import make
from capabilities.kernel.outcomes import AnyOutcome, Succeeded
from capabilities.policy.drafts import LINES
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from ledger.stores import plans, policies
from ledger.stores.grants import NewGrant, Scope, Terms
from ledger.stores.plans import PlanState
from tests.scene import KEY, OWNER, SCOPES, Scene, run_of
from world.stage import RELEASE

OTHER = client("kitchen", SCOPES)


async def drafted(scene: Scene, kind: str = "acquisition", **given: Any) -> dict[str, Any]:
    return await scene.answer("policy.preview", kind=kind, **given)


async def card(scene: Scene, draft: dict[str, Any]) -> list[str]:
    plan = await scene.plan(await scene.id_of(draft["plan"]))
    lines: list[str] = plan.card["changes"]
    return lines


@pytest.mark.anyio
async def test_a_second_draft_takes_the_place_of_the_first(scene: Scene) -> None:
    first = await scene.id_of((await drafted(scene, patch='{"least_seeders": 3}'))["plan"])
    second = await drafted(scene, patch='{"least_seeders": 4}')
    assert second["version"] == 3  # what was seen as version 2 stays that
    other = await scene.id_of(
        (await drafted(scene, "identity", patch='{"accepted": ["A"]}'))["plan"]
    )
    states = {
        id_: await scene.read(lambda conn, id_=id_: plans.by_id(conn, id_))
        for id_ in (first, await scene.id_of(second["plan"]), other)
    }
    assert [plan.state for plan in states.values() if plan is not None] == [
        PlanState.SUPERSEDED,
        PlanState.DRAFT,
        PlanState.DRAFT,
    ]


@pytest.mark.anyio
async def test_nobody_but_the_owner_replaces_what_somebody_else_drafted(scene: Scene) -> None:
    mine = await drafted(scene, patch='{"least_seeders": 3}')
    refused = await scene.refusal(
        Code.CONFLICT, "policy.preview", OTHER, kind="acquisition", patch='{"least_seeders": 9}'
    )
    assert f"made by {KEY.principal}" in refused.sentence
    kept = await scene.read(lambda conn: policies.draft(conn, "acquisition"))
    assert kept is not None
    assert kept.body["least_seeders"] == 3
    owners = await scene.answer(
        "policy.preview", OWNER, kind="acquisition", patch='{"least_seeders": 4}'
    )
    assert owners["version"] == mine["version"] + 1
    refused = await scene.refusal(
        Code.CONFLICT, "policy.preview", kind="acquisition", patch='{"least_seeders": 9}'
    )
    assert f"made by {OWNER}" in refused.sentence


@pytest.mark.anyio
async def test_a_draft_that_can_no_longer_be_published_is_replaced_by_anybody(
    scene: Scene,
) -> None:
    await drafted(scene, patch='{"least_seeders": 3}')
    await scene.publish(AcquisitionPolicy(least_seeders=7))
    await scene.answer("policy.preview", OTHER, kind="acquisition", patch='{"least_seeders": 9}')


@pytest.mark.anyio
async def test_no_crowd_of_formats_hides_what_else_is_approved(scene: Scene) -> None:
    tokens = [f"word{n}" for n in range(60)]
    await scene.publish(AcquisitionPolicy(refused_tokens=tuple(tokens)))
    formats = [
        {"name": f"A{n}", "score": 1, "conditions": [{"kind": "words", "value": "x"}]}
        for n in range(30)
    ]
    patch = {"formats": formats, "refused_tokens": tokens[:-1], "least_seeders": 0}
    draft = await drafted(scene, patch=patch)
    plan = await scene.id_of(draft["plan"])
    kept = await scene.read(lambda conn: plans.by_id(conn, plan))
    assert kept is not None
    lines: list[str] = kept.card["changes"]
    assert lines[:3] == [
        'refused_tokens: 60 in all, of which out: "word59" → 59 in all',
        "least_seeders: 1 → 0",
        "custom formats: 30 added, 0 removed, 0 changed",
    ]
    assert "and 18 more formats" in lines
    shown = await scene.answer("policy.inspect", kind="acquisition", version=draft["version"])
    assert shown["card"]["changes"] == lines


@pytest.mark.anyio
async def test_the_card_says_what_the_draft_grants_and_ends_with_nothing_left_out_unsaid(
    scene: Scene,
) -> None:
    terms = Terms(Scope(), None, None, may_replace=False, expires_at=None)
    new = NewGrant("download.submit", terms, "", "automation", 1)
    for _ in range(LINES + 2):
        made = await make(scene.ledger, scene.registry.specs, new, by=OWNER)
        assert isinstance(made, Succeeded)
    draft = await drafted(scene, "automation", patch={"organize": True})
    lines = await card(scene, draft)
    assert lines[:2] == [
        "organize: false → true",
        "grants organize.execute, replacing nothing",
    ]
    assert lines[2:] == ["ends the grant for download.submit"] * LINES + ["ends 2 more grants"]
    plan = await scene.plan(await scene.id_of(draft["plan"]))
    assert len(plan.payload["lapsing"]) == LINES + 2


@pytest.mark.anyio
async def test_a_plan_has_the_number_that_its_draft_is_kept_under(scene: Scene) -> None:
    draft = await drafted(scene, patch='{"least_seeders": 3}')
    plan = await scene.plan(await scene.id_of(draft["plan"]))
    kept = await scene.read(lambda conn: policies.draft(conn, "acquisition"))
    assert kept is not None
    assert (plan.payload["version"], draft["version"]) == (kept.version, kept.version)
    assert plan.payload["body"] == kept.body


@pytest.mark.anyio
async def test_of_drafts_made_at_once_each_has_a_number_of_its_own_or_is_refused(
    scene: Scene,
) -> None:
    outcomes: list[AnyOutcome] = []

    async def draft(seeders: int) -> None:
        patch = {"least_seeders": seeders}
        outcomes.append(await scene.call("policy.preview", OWNER, kind="acquisition", patch=patch))

    async with anyio.create_task_group() as group:
        for seeders in range(3, 8):
            group.start_soon(draft, seeders)
    made: list[Any] = [one.data for one in outcomes if isinstance(one, Succeeded)]
    numbers = [one.version for one in made]
    assert len(numbers) == len(set(numbers)) >= 1
    rest = [one for one in outcomes if not isinstance(one, Succeeded)]
    assert {getattr(one, "code", None) for one in rest} <= {Code.CONFLICT}
    open_ = await scene.read(lambda conn: plans.in_state(conn, "policy", PlanState.DRAFT))
    assert [one.payload["version"] for one in open_] == [max(numbers)]


@pytest.mark.anyio
async def test_names_that_a_draft_has_meant_otherwise_are_on_its_card(scene: Scene) -> None:
    await scene.candidates()
    draft = await drafted(scene, "identity", patch={"words": ["block: Sintel"]})
    lines = await card(scene, draft)
    assert lines[1] == "of 7 known releases 5 identified otherwise, 1 only read otherwise"
    work = "Sintel (2010) [tmdb:film:45745]"
    assert f"{RELEASE}: {work}, grade A, taken → {work}, grade C, asked about" in lines
    assert draft["rereading"]["identified_otherwise"] == 5


@pytest.mark.anyio
async def test_a_run_replaces_what_runs_drafted_and_not_what_its_owner_made_by_hand(
    scene: Scene,
) -> None:
    patch = '{"least_seeders": 3}'
    made = await scene.answer("policy.preview", OWNER, kind="acquisition", patch=patch)
    again = {"kind": "acquisition", "patch": '{"least_seeders": 0}'}
    refused = await scene.refusal(Code.CONFLICT, "policy.preview", run_of("run_1"), **again)
    assert f"made by {OWNER}" in refused.sentence
    plan = await scene.plan(await scene.id_of(made["plan"], OWNER))
    assert plan.state == PlanState.DRAFT
    await scene.answer("policy.apply", OWNER, plan=made["plan"])
    for number in (1, 2):
        by_run = {"kind": "acquisition", "patch": {"least_seeders": 4 + number}}
        await scene.answer("policy.preview", run_of(f"run_{number}"), **by_run)
    kept = await scene.read(lambda conn: policies.draft(conn, "acquisition"))
    assert kept is not None
    assert (kept.by, kept.body["least_seeders"]) == ("run:run_2", 6)


@pytest.mark.anyio
async def test_a_run_replaces_no_draft_that_the_key_it_serves_made_by_hand(scene: Scene) -> None:
    await drafted(scene, patch='{"least_seeders": 3}')
    run = run_of("run_1", KEY.principal)
    patch = '{"least_seeders": 9}'
    await scene.refusal(Code.CONFLICT, "policy.preview", run, kind="acquisition", patch=patch)
    await drafted(scene, patch='{"least_seeders": 4}')
