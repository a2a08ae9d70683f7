import json
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.grant_making import make
from capabilities.kernel.outcomes import Succeeded
from capabilities.policy.preview import MOST_NAMED
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from ledger.stores import policies
from ledger.stores.grants import NewGrant, Scope, Terms
from tests.scene import KEY, OWNER, Scene


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


@pytest.mark.anyio
async def test_of_many_grants_that_lapse_the_rest_is_counted(scene: Scene) -> None:
    terms = Terms(Scope(), None, None, may_replace=False, expires_at=None)
    new = NewGrant("download.submit", terms, "", "automation", 1)
    for _ in range(MOST_NAMED + 2):
        assert isinstance(await make(scene.ledger, scene.registry.specs, new, by=OWNER), Succeeded)
    draft = await drafted(scene, "automation", patch={"organize": True})
    assert draft["grants_lapsing"] == ["download.submit"] * MOST_NAMED
    assert draft["grants_lapsing_left_out"] == 2


@pytest.mark.anyio
async def test_of_many_formats_without_a_score_the_rest_is_counted(scene: Scene) -> None:
    spec = {"name": "g", "implementation": "ReleaseGroupSpecification", "fields": {"value": "^A$"}}
    formats = [{"name": f"F{n}", "specifications": [spec]} for n in range(MOST_NAMED + 3)]
    draft = await drafted(scene, formats=json.dumps(formats), app="radarr")
    imported = draft["imported"]
    assert (len(imported["unscored"]), imported["unscored_left_out"]) == (MOST_NAMED, 3)
