from datetime import timedelta

import pytest

from capabilities.kernel.codes import Code
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from tests.scene import KEY, OWNER, Scene


async def ask(
    scene: Scene,
    title: str,
    *,
    kind: DecisionKind = DecisionKind.OTHER,
    severity: Severity = Severity.MEDIUM,
) -> str:
    scene.base.time.ahead += timedelta(seconds=1)
    new = NewDecision(
        kind, f"cause:{title}", title, severity, {"why": title}, [{"id": "yes", "title": "Yes"}]
    )
    return await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))


@pytest.mark.anyio
async def test_what_waits_is_told_the_most_urgent_first(scene: Scene) -> None:
    for title, severity in (("b", Severity.LOW), ("a", Severity.HIGH), ("c", Severity.MEDIUM)):
        await ask(scene, title, severity=severity)
    listed = await scene.answer("decision.list")
    assert [each["title"] for each in listed["decisions"]] == ["a", "c", "b"]
    first = listed["decisions"][0]
    assert (first["severity"], first["state"]) == ("high", "awaiting_user")
    assert first["evidence"] == {"why": "a"}
    assert first["options"] == [{"id": "yes", "title": "Yes"}]
    assert await scene.id_of(first["decision"]) == first["id"]


@pytest.mark.anyio
async def test_what_is_settled_is_told_only_when_asked_for(scene: Scene) -> None:
    id_ = await ask(scene, "old")
    await ask(scene, "new")
    at = scene.ledger.now()
    await scene.write(lambda tx: decisions.close(tx, id_, by="owner:ada", resolution="done", at=at))
    assert [e["title"] for e in (await scene.answer("decision.list"))["decisions"]] == ["new"]
    (settled,) = (await scene.answer("decision.list", status="resolved"))["decisions"]
    assert (settled["resolved_by"], settled["resolution"]) == ("owner:ada", "done")


@pytest.mark.anyio
async def test_one_kind_and_pages(scene: Scene) -> None:
    for number in range(3):
        await ask(scene, f"{number}", kind=DecisionKind.DOWNLOAD_STALLED)
    await ask(scene, "other")
    first = await scene.answer("decision.list", kind="download_stalled", limit=2)
    assert (first["page"]["total"], first["page"]["left_out"]) == (3, 1)
    cursor = first["page"]["next_cursor"]
    second = await scene.answer("decision.list", kind="download_stalled", limit=2, cursor=cursor)
    titles = {each["title"] for each in (*first["decisions"], *second["decisions"])}
    assert titles == {"0", "1", "2"}


@pytest.mark.anyio
async def test_a_request_for_approval_is_a_decision_that_every_key_sees(scene: Scene) -> None:
    plan = (await scene.drafted())["plan"]
    await scene.refusal(Code.NEEDS_APPROVAL, "download.submit", plan=plan)
    for by in (KEY, OWNER):
        (asked,) = (await scene.answer("decision.list", by))["decisions"]
        assert asked["kind"] == "approval_required"
        assert [option["id"] for option in asked["options"]] == ["approve", "decline"]


@pytest.mark.anyio
async def test_what_is_no_state_is_refused_and_nothing_is_an_answer(scene: Scene) -> None:
    await scene.refusal(Code.INVALID_INPUT, "decision.list", status="maybe")
    assert (await scene.answer("decision.list"))["decisions"] == []
