from typing import Any

import pytest

from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from ledger.stores import audit, grants, plans, policies
from ledger.stores.grants import NewGrant, Scope, Terms
from ledger.stores.plans import PlanState
from tests.scene import OWNER, SCOPES, Scene

KEY = client("laptop", SCOPES | {"policy.apply"})


async def drafted(scene: Scene, kind: str = "acquisition", **patch: object) -> str:
    answer = await scene.answer("policy.preview", KEY, kind=kind, patch=patch)
    return str(answer["plan"])


async def published(scene: Scene, kind: str = "acquisition") -> tuple[int, dict[str, Any]]:
    row = await scene.read(lambda conn: policies.published(conn, kind))
    assert row is not None
    return row.version, row.body


@pytest.mark.anyio
async def test_a_draft_is_published_once_its_owner_approved_exactly_it(scene: Scene) -> None:
    plan = await drafted(scene, least_seeders=3)
    asked = await scene.refusal(Code.NEEDS_APPROVAL, "policy.apply", KEY, plan=plan)
    card: Any = asked.needs["summary"]
    assert "least_seeders: 1 → 3" in card["changes"]
    assert (await published(scene))[0] == 1
    await scene.decided(asked)
    done = await scene.answer("policy.apply", KEY, plan=plan)
    assert (done["version"], done["retired"]) == (2, 1)
    version, body = await published(scene)
    assert (version, body["least_seeders"]) == (2, 3)
    stored = await scene.read(lambda conn: plans.by_id(conn, str(asked.needs["plan"])))
    assert stored is not None
    assert stored.state is PlanState.DONE
    again = await scene.answer("policy.apply", KEY, plan=plan)
    assert again["replayed"]
    assert (await published(scene))[0] == 2


@pytest.mark.anyio
async def test_no_grant_ever_publishes(scene: Scene) -> None:
    await scene.grant("*", Scope())
    plan = await drafted(scene, least_seeders=3)
    await scene.refusal(Code.NEEDS_APPROVAL, "policy.apply", KEY, plan=plan)


@pytest.mark.anyio
async def test_a_draft_that_another_one_replaced_is_not_published(scene: Scene) -> None:
    first = await drafted(scene, least_seeders=3)
    await drafted(scene, least_seeders=4)
    refused = await scene.call("policy.apply", OWNER, plan=await scene.id_of(first, KEY))
    assert getattr(refused, "code", None) in {Code.CONFLICT, Code.PRECONDITION}
    assert (await published(scene))[0] == 1


@pytest.mark.anyio
async def test_a_draft_made_before_another_publication_is_not_published(scene: Scene) -> None:
    plan = await drafted(scene, least_seeders=3)
    await scene.publish(AcquisitionPolicy(least_seeders=5))
    refused = await scene.refusal(Code.CONFLICT, "policy.apply", KEY, plan=plan)
    assert "published anew" in refused.sentence


@pytest.mark.anyio
async def test_another_hash_than_the_drafts_is_a_conflict(scene: Scene) -> None:
    plan = await drafted(scene, least_seeders=3)
    await scene.refusal(Code.CONFLICT, "policy.apply", KEY, plan=plan, payload_hash="0" * 64)


@pytest.mark.anyio
async def test_an_automation_policy_makes_its_grants_and_the_next_one_ends_them(
    scene: Scene,
) -> None:
    plan = await drafted(scene, "automation", acquire=True, organize=True, downloads_per_day=3)
    await scene.approved("policy.apply", KEY, plan=plan)
    done = await scene.answer("policy.apply", KEY, plan=plan)
    at = scene.ledger.now()
    made = await scene.read(lambda conn: grants.standing(conn, at))
    assert {(one.action, one.calls_per_day, one.policy_version) for one in made} == {
        ("download.submit", 3, 2),
        ("organize.execute", None, 2),
    }
    assert {one.id for one in made} == set(done["grants_made"])
    assert {one.made_by for one in made} == {str(OWNER)}

    plan = await drafted(scene, "automation", organize=False, downloads_per_day=1)
    second = await scene.answer("policy.apply", OWNER, plan=await scene.id_of(plan, KEY))
    assert set(second["grants_lapsed"]) == set(done["grants_made"])
    (left,) = await scene.read(lambda conn: grants.standing(conn, at))
    assert (left.action, left.calls_per_day, left.policy_version) == ("download.submit", 1, 3)
    ended = await scene.read(lambda conn: grants.by_id(conn, done["grants_made"][0]))
    assert ended is not None
    assert "version 2 of the automation policy is retired" in str(ended.reason)


@pytest.mark.anyio
async def test_with_a_grant_of_the_policy_a_download_needs_no_approval(scene: Scene) -> None:
    plan = await drafted(scene, "automation", acquire=True)
    await scene.answer("policy.apply", OWNER, plan=await scene.id_of(plan, KEY))
    draft = await scene.drafted()
    assert not draft["requires_approval"]
    await scene.answer("download.submit", plan=draft["plan"])


@pytest.mark.anyio
async def test_grants_bound_to_the_version_before_lapse_with_it(scene: Scene) -> None:
    terms = Terms(Scope(), None, None, may_replace=False, expires_at=None)
    bound = NewGrant("download.submit", terms, "", "acquisition", 1)
    at = scene.ledger.now()
    id_ = await scene.write(lambda tx: grants.add(tx, bound, str(OWNER), at))
    free = await scene.write(lambda tx: grants.add(tx, NewGrant("task.*", terms), str(OWNER), at))
    plan = await drafted(scene, least_seeders=3)
    done = await scene.answer("policy.apply", OWNER, plan=await scene.id_of(plan, KEY))
    assert done["grants_lapsed"] == [id_]
    standing = await scene.read(lambda conn: grants.standing(conn, at))
    assert [one.id for one in standing] == [free]


@pytest.mark.anyio
async def test_going_back_is_a_new_version_that_says_so(scene: Scene) -> None:
    plan = await drafted(scene, least_seeders=3)
    await scene.answer("policy.apply", OWNER, plan=await scene.id_of(plan, KEY))
    back = await scene.answer("policy.preview", OWNER, kind="acquisition", from_version=1)
    done = await scene.answer("policy.apply", OWNER, plan=back["plan"])
    assert done["version"] == 3
    version, body = await published(scene)
    assert (version, body["least_seeders"]) == (3, 1)
    shown = await scene.answer("policy.inspect", kind="acquisition")
    assert [
        (one["version"], one["state"], one.get("from_version")) for one in shown["versions"]
    ] == [
        (3, "published", 1),
        (2, "retired", None),
        (1, "retired", None),
    ]


@pytest.mark.anyio
async def test_what_was_published_is_in_the_audit_with_its_owner(scene: Scene) -> None:
    plan = await drafted(scene, "automation", acquire=True)
    await scene.approved("policy.apply", KEY, plan=plan)
    await scene.answer("policy.apply", KEY, plan=plan)
    rows = await scene.read(lambda conn: audit.newest(conn, limit=50))
    told = {row.action: row for row in rows if row.capability == "policy.apply"}
    assert told["policy published"].actor == str(OWNER)
    assert told["policy published"].summary["version"] == 2
    assert told["grant made"].summary["action"] == "download.submit"


@pytest.mark.anyio
async def test_what_is_no_draft_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, "policy.apply", OWNER, plan="plan_none")


@pytest.mark.anyio
async def test_grants_that_begin_and_end_are_told_in_their_number(scene: Scene) -> None:
    told: list[str] = []
    for patch in ({"organize": True}, {"acquire": True}, {"organize": False, "acquire": False}):
        draft = await scene.answer("policy.preview", OWNER, kind="automation", patch=patch)
        done = await scene.call("policy.apply", OWNER, plan=draft["plan"])
        assert isinstance(done, Succeeded)
        told.append(done.sentence.partition(" is in force. ")[2])
    assert told == [
        "1 grant was made with it.",
        "2 grants were made with it. 1 grant of the version before has ended.",
        "2 grants of the version before have ended.",
    ]
