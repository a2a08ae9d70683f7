from pathlib import Path
from urllib.parse import quote

import pytest

from tests.server.api.house import served, stored_bytes

pytestmark = pytest.mark.anyio

CANARY = "canary-of-an-indexer"
TMDB = "metadata.tmdb.key"


async def test_a_secret_is_set_listed_and_removed_and_never_shown(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        answers = [
            await browser.put(f"/secrets/{TMDB}", json={"value": CANARY}),
            await browser.put("/secrets/indexers.one.key", json={"value": f"{CANARY}-2"}),
            await browser.get("/secrets"),
        ]
        assert [each.status_code for each in answers] == [200, 200, 200]
        assert answers[0].json() == {"name": TMDB, "configured": True}
        assert answers[1].json()["configured"] is False
        listed = answers[2].json()
        assert listed["names"] == [TMDB]
        one, two = listed["secrets"]
        assert (one["name"], one["opens"], one["configured"]) == ("indexers.one.key", True, False)
        assert (two["name"], two["trouble"]) == (TMDB, None)
        assert (await browser.delete(f"/secrets/{TMDB}")).status_code == 204
        assert (await browser.delete(f"/secrets/{TMDB}")).status_code == 404
        assert not any(CANARY in each.text for each in answers)
        assert CANARY.encode() not in stored_bytes(tmp_path)


async def test_a_name_may_hold_whatever_an_entry_is_called(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        name = "indexers.a/b ?c#ä.key"
        assert (
            await browser.put(f"/secrets/{quote(name)}", json={"value": CANARY})
        ).status_code == 200
        (shown,) = (await browser.get("/secrets")).json()["secrets"]
        assert shown["name"] == name


async def test_a_name_that_no_setting_has_is_led_to_a_right_one(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        answer = await browser.put("/secrets/metadata.tmbd.key", json={"value": CANARY})
        assert answer.status_code == 422
        assert f"Did you mean `{TMDB}`?" in answer.json()["detail"]
        assert CANARY not in answer.text


@pytest.mark.parametrize("value", ["", "two\nlines", "…", "x" * 4097])
async def test_a_value_that_cannot_travel_is_refused_and_not_repeated(
    tmp_path: Path, value: str
) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        answer = await browser.put(f"/secrets/{TMDB}", json={"value": value})
        assert answer.status_code == 422
        assert not value or value not in answer.text


async def test_secrets_are_for_the_owner_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        for nobody in (await house.terminal(), await house.client("read", "plan")):
            answers = [
                await nobody.get("/secrets"),
                await nobody.put(f"/secrets/{TMDB}", json={"value": CANARY}),
                await nobody.delete(f"/secrets/{TMDB}"),
                await nobody.post("/secrets/rekey"),
            ]
            assert [each.status_code for each in answers] == [403] * 4


async def test_all_are_sealed_anew(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        refused = await browser.post("/secrets/rekey")
        assert (refused.status_code, refused.json()["code"]) == (412, "precondition")
        await browser.put(f"/secrets/{TMDB}", json={"value": CANARY})
        key = (tmp_path / "secret.key").read_text()
        assert (await browser.post("/secrets/rekey")).json() == {"secrets": [TMDB]}
        assert (tmp_path / "secret.key").read_text() != key
        assert (await browser.get("/secrets")).json()["secrets"][0]["opens"]


async def test_a_key_that_cannot_be_used_is_a_precondition(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        await browser.put(f"/secrets/{TMDB}", json={"value": CANARY})
        (tmp_path / "secret.key").chmod(0o644)
        answer = await browser.put(f"/secrets/{TMDB}", json={"value": CANARY})
        assert answer.status_code == 412
        assert "0600" in answer.json()["detail"]
        (shown,) = (await browser.get("/secrets")).json()["secrets"]
        assert not shown["opens"]
