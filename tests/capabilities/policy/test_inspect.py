import json
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from ledger.stores import policies
from tests.scene import Scene

ANSWER_BYTES = 25_000
DV = CustomFormat(
    "Dolby Vision",
    (
        Condition(ConditionKind.PATTERN, r"\b(dv|dovi)\b", required=True, name="DV"),
        Condition(ConditionKind.SOURCE, "web-dl|web", name="Web"),
    ),
    30,
)
NAME = "T.2020.1080p.WEB-DL.DV.x265-GRP"


@pytest.mark.anyio
async def test_the_version_in_force_is_shown_with_its_history(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(least_seeders=2))
    await scene.answer("policy.preview", kind="acquisition", patch='{"least_seeders": 4}')
    shown = await scene.answer("policy.inspect", kind="acquisition")
    assert (shown["version"], shown["body"]["least_seeders"]) == (2, 2)
    versions: list[dict[str, Any]] = shown["versions"]
    assert [(one["version"], one["state"]) for one in versions] == [
        (3, "draft"),
        (2, "published"),
        (1, "retired"),
    ]
    assert versions[0]["plan"].startswith("plan_")
    assert len(versions[0]["payload_hash"]) == 64
    assert "plan" not in versions[1]
    earlier = await scene.answer("policy.inspect", kind="acquisition", version=1)
    assert earlier["body"]["least_seeders"] == 1
    await scene.failure(Code.NOT_FOUND, "policy.inspect", kind="acquisition", version=9)


@pytest.mark.anyio
async def test_a_name_is_tried_condition_by_condition(scene: Scene) -> None:
    other = CustomFormat("Other", (Condition(ConditionKind.GROUP, "OTHER"),), -5)
    await scene.publish(AcquisitionPolicy(formats=(other, DV)))
    shown = await scene.answer("policy.inspect", kind="acquisition", name=NAME)
    trial = shown["trial"]
    assert (trial["accepted"], trial["tier"], trial["score"]) == (True, "Web 1080p", 30)
    assert 'format: it has the format "Dolby Vision", worth +30' in trial["rules"]
    first, second = trial["formats"]
    assert (first["name"], first["matches"], second["matches"]) == ("Dolby Vision", True, False)
    assert [(one["name"], one["holds"], one["hit"]) for one in first["conditions"]] == [
        ("DV", True, "DV"),
        ("Web", True, "web-dl"),
    ]
    only = await scene.answer("policy.inspect", kind="acquisition", name=NAME, format="Other")
    (tried,) = only["trial"]["formats"]
    assert (tried["conditions"][0]["holds"], "hit" in tried["conditions"][0]) == (False, False)


@pytest.mark.anyio
async def test_a_name_is_tried_as_its_owner_has_it_read(scene: Scene) -> None:
    odd = "T.2020.Zelluloid.x265-GRP"
    shown = await scene.answer("policy.inspect", kind="acquisition", name=odd)
    assert shown["trial"]["tier"] == "SD"
    words = words_from(["replace: Zelluloid => 1080p.WEB-DL"])
    await scene.publish(IdentityPolicy(words=words))
    shown = await scene.answer("policy.inspect", kind="acquisition", name=odd)
    assert shown["trial"]["tier"] == "Web 1080p"


@pytest.mark.anyio
async def test_an_answer_stays_small_whatever_the_policy_holds(scene: Scene) -> None:
    conditions = tuple(
        Condition(ConditionKind.GROUP_PATTERN, f"^(group{number}{'x' * 100})$")
        for number in range(120)
    )
    many = tuple(CustomFormat(f"Format {number}", conditions, 1) for number in range(30))
    await scene.publish(AcquisitionPolicy(formats=many))
    asked: list[dict[str, Any]] = [{}, {"name": NAME}, {"name": NAME, "format": "Format 3"}]
    for given in asked:
        answer = await scene.answer("policy.inspect", kind="acquisition", **given)
        assert len(json.dumps(answer).encode()) < ANSWER_BYTES
        assert answer["parts_left_out"]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["identity", "organize"])
async def test_every_kind_is_shown(scene: Scene, kind: str) -> None:
    shown = await scene.answer("policy.inspect", kind=kind, name=NAME)
    assert shown["version"] == 1
    assert "trial" not in shown


@pytest.mark.anyio
async def test_a_name_cannot_be_tried_where_the_policy_that_it_is_read_by_cannot_be_used(
    scene: Scene,
) -> None:
    at = scene.ledger.now()
    await scene.write(lambda tx: policies.publish(tx, "identity", {"accepted": ["Z"]}, at))
    refused = await scene.refusal(
        Code.PRECONDITION, "policy.inspect", kind="acquisition", name=NAME
    )
    assert refused.sentence.startswith("The identity policy in force cannot be used: accepted")
    await scene.answer("policy.inspect", kind="acquisition")
