from pathlib import Path
from typing import Any

import pytest

from ledger.stores import audit
from tests.server.api.house import served

pytestmark = pytest.mark.anyio

FAKE: dict[str, Any] = {"info_hash": "AB" * 20, "reason": "a fake"}


async def test_the_owner_blocks_and_unblocks_and_readers_see_it(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, client = await house.new_owner(), await house.client("read")
        made = (await browser.post("/blocklist", json=FAKE)).json()
        assert made["sentence"].startswith("It is on the blocklist")
        (shown,) = (await client.get("/blocklist")).json()["entries"]
        assert (shown["info_hash"], shown["reason"]) == ("ab" * 20, "a fake")
        assert (shown["by"], shown["removed_at"]) == ("owner:anna", None)
        again = (await browser.post("/blocklist", json=FAKE)).json()
        assert again["data"]["id"] == shown["id"]
        removed = await browser.post(
            f"/blocklist/{shown['id']}/remove", json={"reason": "it was none"}
        )
        assert removed.json()["sentence"] == "It may be taken again."
        assert (await client.get("/blocklist")).json()["entries"] == []
        page = (await client.get("/blocklist", params={"removed": True})).json()
        assert (page["entries"][0]["removed_by"], page["page"]["total"]) == ("owner:anna", 1)
        actions = [row.action for row in await house.ledger.read(audit.newest)]
        assert {"release blocked", "release unblocked"} <= set(actions)


async def test_pages_are_turned(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        for number in range(3):
            body = {"title": f"T{number}", "indexer": "one", "reason": "dead"}
            assert (await browser.post("/blocklist", json=body)).status_code == 200
        first = (await browser.get("/blocklist", params={"limit": 2})).json()
        cursor = first["page"]["next_cursor"]
        rest = (await browser.get("/blocklist", params={"cursor": cursor})).json()
        titles = [each["title"] for each in (*first["entries"], *rest["entries"])]
        assert titles == ["T2", "T1", "T0"]


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"info_hash": "abc", "reason": "x"}, 422),
        ({"title": "T"}, 422),
        ({"title": "T", "reason": ""}, 422),
        ({"reason": "x"}, 422),
        ({"title": "T", "reason": "x", "work": "tmdb:film:9"}, 404),
        ({"title": "T", "reason": "x", "more": 1}, 422),
    ],
)
async def test_what_names_nothing_is_refused(
    tmp_path: Path, wrong: dict[str, Any], status: int
) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        assert (await browser.post("/blocklist", json=wrong)).status_code == status
        assert (await browser.get("/blocklist")).json()["entries"] == []


async def test_a_key_sees_the_list_and_changes_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        client = await house.client("read", "plan")
        assert (await client.post("/blocklist", json=FAKE)).status_code == 403
        gone = await client.post("/blocklist/block_x/remove", json={"reason": "x"})
        assert gone.status_code == 403
