from datetime import timedelta
from pathlib import Path

import pytest

from tests.server.api.house import served, stored_bytes

pytestmark = pytest.mark.anyio


async def test_a_key_is_shown_once_and_stored_as_a_hash(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        body = {"name": "desk", "scopes": ["read", "plan", "read"], "expires_in_days": 7}
        made = await browser.post("/keys", json=body)
        assert made.status_code == 201
        secret = made.json()["secret"]
        assert made.json()["scopes"] == ["read", "plan"]
        listed = await browser.get("/keys")
        assert secret not in listed.text
        assert secret.encode() not in stored_bytes(tmp_path)
        client = await house.tcp(Authorization=f"Bearer {secret}")
        assert (await client.get("/status")).status_code == 200
        shown = (await browser.get("/keys")).json()["keys"]
        assert [each["name"] for each in shown] == ["desk", "this computer"]
        assert shown[0]["last_used_at"] is not None


async def test_a_revoked_key_opens_nothing_any_more(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        made = (await browser.post("/keys", json={"name": "desk", "scopes": ["read"]})).json()
        client = await house.tcp(Authorization=f"bearer {made['secret']}")
        assert (await client.get("/status")).status_code == 200
        assert (await browser.delete(f"/keys/{made['id']}")).status_code == 204
        refused = await client.get("/status")
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert (await browser.delete(f"/keys/{made['id']}")).status_code == 404


async def test_the_local_key_can_be_revoked_and_stays_so(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        assert (await browser.delete("/keys/local")).status_code == 204
    async with served(tmp_path) as house:
        terminal = await house.terminal()
        answer = await terminal.get("/status")
        assert answer.status_code == 401
        assert "revoked" in answer.json()["detail"]
        assert (await terminal.get("/health")).status_code == 200


async def test_an_expired_key_opens_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("read", lasts=timedelta(days=1))
        house.watch.ahead = timedelta(hours=23)
        assert (await client.get("/status")).status_code == 200
        house.watch.ahead = timedelta(days=1)
        assert (await client.get("/status")).status_code == 401


async def test_keys_are_for_the_owner_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for nobody in (await house.terminal(), await house.client("read", "plan", "run.ask")):
            assert (await nobody.get("/keys")).status_code == 403
            body = {"name": "mine", "scopes": ["read"]}
            assert (await nobody.post("/keys", json=body)).status_code == 403
            assert (await nobody.delete("/keys/local")).status_code == 403


async def test_only_scopes_that_exist_can_be_given(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        scopes = (await browser.get("/keys")).json()["scopes"]
        assert list(scopes) == ["read", "plan", "run", "run.ask", "shelf.put"]
        answer = await browser.post("/keys", json={"name": "x", "scopes": ["shelf.putt"]})
        assert answer.status_code == 422
        assert answer.json()["detail"] == (
            "There is no scope 'shelf.putt'. Did you mean 'shelf.put'?"
        )


@pytest.mark.parametrize(
    "wrong",
    [{"scopes": []}, {"name": ""}, {"expires_in_days": 0}, {"expires_in_days": 3651}, {"x": 1}],
)
async def test_a_key_needs_a_name_scopes_and_an_end(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        answer = await browser.post("/keys", json={"name": "x", "scopes": ["read"], **wrong})
        assert answer.status_code == 422
        assert len(await house.guard.keys.all()) == 1
