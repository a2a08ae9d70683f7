from pathlib import Path

import pytest

from capabilities.kernel.discovery import discovered
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from tests.server.api.house import House, served
from tests.server.api.shelf import SHELF

pytestmark = pytest.mark.anyio


async def raised(house: House, key: str, kind: DecisionKind, severity: Severity) -> str:
    new = NewDecision(kind, key, f"About {key}", severity, options=[{"id": "retry"}])
    return await house.ledger.write(lambda tx: decisions.raise_(tx, new, house.ledger.now()))


async def test_what_waits_comes_by_urgency_in_pages(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        mild = await raised(house, "a", DecisionKind.OTHER, Severity.LOW)
        grave = await raised(house, "b", DecisionKind.NO_SPACE, Severity.HIGH)
        client = await house.client("read")
        first = (await client.get("/decisions", params={"limit": 1})).json()
        assert [each["id"] for each in first["decisions"]] == [grave]
        assert first["page"] == {"total": 2, "left_out": 1, "next_cursor": "1"}
        rest = (await client.get("/decisions", params={"cursor": "1"})).json()
        assert [each["id"] for each in rest["decisions"]] == [mild]
        kinds = (await client.get("/decisions", params={"kind": "no_space"})).json()
        assert [each["kind"] for each in kinds["decisions"]] == ["no_space"]


async def test_what_was_settled_says_by_what(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        id_ = await raised(house, "a", DecisionKind.OTHER, Severity.LOW)
        await house.ledger.write(
            lambda tx: decisions.close(
                tx, id_, by="system:track", resolution="came back", at=house.ledger.now()
            )
        )
        client = await house.client("read")
        assert (await client.get("/decisions")).json()["decisions"] == []
        settled = (await client.get("/decisions", params={"status": "resolved"})).json()
        assert settled["decisions"][0]["resolved_by"] == "system:track"
        shown = (await client.get(f"/decisions/{id_}")).json()
        assert (shown["resolution"], shown["options"]) == ("came back", [{"id": "retry"}])


async def test_a_decision_that_is_not_there(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        answer = await (await house.client("read")).get("/decisions/dec_0")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_only_the_signed_in_owner_settles_one(tmp_path: Path) -> None:
    specs = [*SHELF, *(spec for spec in discovered() if spec.id == "decision.resolve")]
    async with served(tmp_path, specs=specs) as house:
        browser = await house.new_owner()
        new = NewDecision(DecisionKind.OTHER, "cause", "About it", options=offered(Option.DISMISS))
        id_ = await house.ledger.write(lambda tx: decisions.raise_(tx, new, house.ledger.now()))
        choice = {"option": "dismiss", "reason": "old"}
        for client in (await house.client("read", "plan", "run"), await house.terminal()):
            refused = await client.post(f"/decisions/{id_}/resolve", json=choice)
            assert refused.status_code == 403
            called = await client.post(
                "/capabilities/decision.resolve/invoke", json={"decision": id_, **choice}
            )
            assert called.status_code == 404
            shown = (await client.get("/capabilities")).json()["capabilities"]
            assert "decision.resolve" not in {each["id"] for each in shown}
        wrong = await browser.post(f"/decisions/{id_}/resolve", json={"option": "fly"})
        assert wrong.status_code == 422
        settled = await browser.post(f"/decisions/{id_}/resolve", json=choice)
        assert settled.status_code == 200
        assert settled.json()["data"]["state"] == "dismissed"
        assert (await browser.get(f"/decisions/{id_}")).json()["resolution"] == "dismiss: old"
        again = await browser.post(f"/decisions/{id_}/resolve", json=choice)
        assert again.status_code == 409
