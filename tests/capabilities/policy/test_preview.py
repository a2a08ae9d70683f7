import json
from typing import Any

import pytest

from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.policy import AcquisitionPolicy, IdentityPolicy
from capabilities.rules.policy_json import to_json
from capabilities.rules.recognition.lines import words_from
from ledger.stores import plans, policies
from ledger.stores.plans import PlanState
from tests.scene import KEY, OWNER, SCOPES, Scene
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

BULK = "Sintel.2010.1080p.BluRay.x264-BULK"


async def drafted(scene: Scene, kind: str = "acquisition", **given: Any) -> dict[str, Any]:
    return await scene.answer("policy.preview", kind=kind, **given)


@pytest.mark.anyio
async def test_a_draft_changes_nothing_that_is_in_force(scene: Scene) -> None:
    draft = await drafted(scene, patch='{"least_seeders": 3}')
    assert (draft["version"], draft["base_version"]) == (2, 1)
    assert draft["requires_approval"]
    assert draft["changes"] == [{"field": "least_seeders", "before": "1", "after": "3"}]
    published = await scene.read(lambda conn: policies.published(conn, "acquisition"))
    kept = await scene.read(lambda conn: policies.draft(conn, "acquisition"))
    assert published is not None
    assert kept is not None
    assert published.version == 1
    assert (kept.version, kept.body["least_seeders"], kept.by) == (2, 3, str(KEY))


@pytest.mark.anyio
async def test_known_releases_that_would_be_judged_otherwise_are_named(scene: Scene) -> None:
    await scene.candidates()
    draft = await drafted(scene, patch='{"refused_tokens": ["bluray"]}')
    found = draft["consequences"]
    assert found["releases_judged"] > 0
    assert (found["newly_accepted"], found["newly_rejected"]) == (0, len(found["examples"]))
    example = next(one for one in found["examples"] if one["title"] == RELEASE)
    assert not example["accepted"]
    assert example["why"] == ['refused_token: the name says "bluray", refused']
    wider = [tier | {"most_per_minute": None} for tier in to_json(AcquisitionPolicy())["tiers"]]
    draft = await drafted(scene, patch=json.dumps({"tiers": wider}))
    assert draft["consequences"]["newly_accepted"] == 1
    assert draft["consequences"]["examples"][0]["title"] == BULK


@pytest.mark.anyio
async def test_known_releases_are_judged_as_their_owner_has_them_read(scene: Scene) -> None:
    title = "Sintel.2010.Zelluloid.x264-OPEN"
    await scene.publish(IdentityPolicy(words=words_from(["replace: Zelluloid => 1080p.BluRay"])))
    offer = Offer(title, GB, torrent=scene.stage.seed.torrent_bytes, tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        await offered.candidates()
        draft = await offered.answer(
            "policy.preview", kind="acquisition", patch='{"refused_tokens": ["bluray"]}'
        )
    (example,) = draft["consequences"]["examples"]
    assert example["title"] == title


@pytest.mark.anyio
async def test_what_stands_on_the_shelf_and_could_be_upgraded_is_named(scene: Scene) -> None:
    row = await scene.arrived()
    plan = await scene.answer("organize.plan", OWNER, download=row.id)
    await scene.answer("organize.execute", OWNER, plan=plan["plan"])
    draft = await drafted(scene, patch='{"upgrade_until": "Web 1080p"}')
    found = draft["consequences"]
    assert (found["upgradable_before"], found["upgradable_after"]) == (0, 0)
    first = [*to_json(AcquisitionPolicy())["tiers"]]
    first.insert(0, first.pop(4))
    draft = await drafted(scene, patch=json.dumps({"tiers": first, "upgrade_until": "2160p"}))
    found = draft["consequences"]
    assert (found["upgradable_before"], found["upgradable_after"]) == (0, 1)
    assert found["newly_upgradable"] == ["Sintel (2010)"]


@pytest.mark.anyio
async def test_a_draft_that_nothing_can_meet_is_refused_with_every_problem(scene: Scene) -> None:
    patch = json.dumps(
        {"required_tokens": ["2160p", "1080p"], "least_score": 5, "least_seeders": -1}
    )
    refused = await scene.refusal(
        Code.INVALID_INPUT, "policy.preview", kind="acquisition", patch=patch
    )
    problems: Any = refused.needs["problems"]
    fields = [problem["field"] for problem in problems]
    assert fields == ["required_tokens", "least_score", "least_seeders"]
    assert all(problem["why"] and problem["cure"] for problem in problems)
    assert await scene.read(lambda conn: policies.draft(conn, "acquisition")) is None


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


OTHER = client("kitchen", SCOPES)


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
async def test_a_draft_of_an_earlier_version_goes_back_to_it(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(least_seeders=7))
    draft = await drafted(scene, from_version=1)
    assert (draft["version"], draft["base_version"]) == (3, 2)
    assert draft["changes"] == [{"field": "least_seeders", "before": "7", "after": "1"}]
    missing = await scene.refusal(
        Code.NOT_FOUND, "policy.preview", kind="acquisition", from_version=9
    )
    assert "version 9" in missing.sentence


@pytest.mark.anyio
async def test_the_grants_of_an_automation_policy_are_told_before_they_are_made(
    scene: Scene,
) -> None:
    patch = {"acquire": True, "organize": True, "gigabytes_per_day": 40, "downloads_per_day": 3}
    draft = await drafted(scene, "automation", patch=patch)
    assert draft["grants_made"] == [
        "download.submit, at most 3 a day, at most 40 GB a day, replacing nothing",
        "organize.execute, replacing nothing",
    ]
    assert draft["grants_lapsing"] == []


FORMATS = json.dumps(
    [
        {
            "name": "Good group",
            "trash_scores": {"default": 50},
            "specifications": [
                {
                    "name": "group",
                    "implementation": "ReleaseGroupSpecification",
                    "required": True,
                    "fields": {"value": "^(OPEN)$"},
                }
            ],
        },
        {"name": "Usenet", "specifications": [{"implementation": "DownloadProtocolSpecification"}]},
    ]
)


@pytest.mark.anyio
async def test_formats_are_imported_and_what_is_left_out_is_named(scene: Scene) -> None:
    draft = await drafted(scene, formats=FORMATS, app="radarr")
    assert draft["imported"]["formats"] == 1
    assert draft["imported"]["left_out"][0].startswith("Usenet: its condition")
    kept = await scene.read(lambda conn: policies.draft(conn, "acquisition"))
    assert kept is not None
    assert [custom["name"] for custom in kept.body["formats"]] == ["Good group"]
    both = await drafted(scene, formats=FORMATS, app="radarr", patch='{"least_score": 0}')
    assert {change["field"] for change in both["changes"]} == {
        "formats 'Good group'",
        "least_score",
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"policy": "{}", "patch": "{}"},
        {"policy": "{"},
        {"patch": "[]"},
        {"patch": '{"colour": "red"}'},
        {"formats": FORMATS},
        {"formats": "{", "app": "radarr"},
    ],
)
async def test_what_is_no_draft_is_invalid(scene: Scene, given: dict[str, Any]) -> None:
    await scene.refusal(Code.INVALID_INPUT, "policy.preview", kind="acquisition", **given)


@pytest.mark.anyio
async def test_a_draft_that_says_nothing_new_is_not_kept(scene: Scene) -> None:
    refused = await scene.refusal(
        Code.PRECONDITION, "policy.preview", kind="acquisition", policy="{}"
    )
    assert "version 1 says already" in refused.sentence


@pytest.mark.anyio
async def test_an_expression_that_takes_too_long_is_not_saved(scene: Scene) -> None:
    condition = {"kind": "pattern", "value": "(a|aa)+$"}
    patch = {"formats": [{"name": "Slow", "score": 1, "conditions": [condition]}]}
    refused = await scene.refusal(
        Code.INVALID_INPUT, "policy.preview", kind="acquisition", patch=patch
    )
    assert "it takes too long on some names" in refused.sentence


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "patch", "field"),
    [
        ("acquisition", {"delay_minutes": 99_999_999_999_999}, "delay_minutes"),
        ("acquisition", {"most_age_days": 10**9}, "most_age_days"),
        ("acquisition", {"least_seeders": 10**9}, "least_seeders"),
        ("acquisition", {"least_gain": 10**40}, "least_gain"),
        ("acquisition", {"upgrade_until_score": -(10**30)}, "upgrade_until_score"),
        (
            "acquisition",
            {"sizes": [{"tier": "SD", "kind": "film", "most_per_minute": 10**30}]},
            "sizes.0",
        ),
        (
            "acquisition",
            {"formats": [{"name": "x", "score": 10**30,
                          "conditions": [{"kind": "words", "value": "x"}]}]},
            "formats.0.score",
        ),
        ("automation", {"acquire": True, "gigabytes_per_day": 10**12}, "gigabytes_per_day"),
        ("automation", {"acquire": True, "downloads_per_day": 10**12}, "downloads_per_day"),
    ],
)  # fmt: skip
async def test_a_number_that_nothing_can_be_counted_with_is_refused_by_its_field(
    scene: Scene, kind: str, patch: dict[str, Any], field: str
) -> None:
    refused = await scene.refusal(
        Code.INVALID_INPUT, "policy.preview", kind=kind, patch=json.dumps(patch)
    )
    problems: Any = refused.needs["problems"]
    assert [one["field"] for one in problems] == [field]
    assert problems[0]["why"].endswith(("the most", "the least"))


@pytest.mark.anyio
@pytest.mark.parametrize(
    "body", [{"delay_minutes": 99_999_999_999_999}, {"colour": "red"}, {"least_seeders": "many"}]
)
async def test_a_published_version_that_cannot_be_judged_does_not_lock_its_owner_out(
    scene: Scene, body: dict[str, Any]
) -> None:
    at = scene.ledger.now()
    await scene.write(lambda tx: policies.publish(tx, "acquisition", body, at))
    shown = await scene.call("policy.inspect", kind="acquisition")
    assert isinstance(shown, Succeeded)
    assert "cannot be used" in shown.sentence
    draft = await drafted(scene, policy='{"least_seeders": 2}')
    told = draft["consequences"]["not_compared"]
    assert told.startswith("the published version can't be judged: ")
    assert next(iter(body)) in told
    searched = await scene.refusal(Code.PRECONDITION, "release.search", work=await scene.work())
    assert "cannot be used" in searched.sentence


@pytest.mark.anyio
async def test_more_expressions_than_a_policy_may_have_are_refused(scene: Scene) -> None:
    conditions = [{"kind": "pattern", "value": f"a{n}"} for n in range(2_001)]
    patch = {"formats": [{"name": "Many", "score": 1, "conditions": conditions}]}
    refused = await scene.refusal(
        Code.INVALID_INPUT, "policy.preview", kind="acquisition", patch=patch
    )
    assert "2001 expressions, and 2000 is the most" in refused.sentence


@pytest.mark.anyio
async def test_an_answer_stays_small_however_much_is_drafted(scene: Scene) -> None:
    await scene.candidates()
    formats = [
        {"name": f"Format {number} {'x' * 150}", "score": 1,
         "conditions": [{"kind": "words", "value": f"word{number} {'y' * 300}"}]}
        for number in range(80)
    ]  # fmt: skip
    draft = await drafted(scene, patch={"formats": formats, "refused_tokens": ["bluray"] * 400})
    assert len(json.dumps(draft).encode()) < 25_000
    assert draft["changes_left_out"] > 0
