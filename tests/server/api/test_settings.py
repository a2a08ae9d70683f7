from pathlib import Path

import pytest

from tests.server.api.house import served

pytestmark = pytest.mark.anyio


async def test_the_owner_sees_the_settings_without_their_secrets(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        answer = await (await house.new_owner()).get("/settings")
        assert answer.json()["server"]["port"] == 8930
        assert answer.json()["metadata"]["tmdb"]["key"] == "**********"
        assert "canary" not in answer.text


async def test_nobody_else_sees_them(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for nobody in (await house.terminal(), await house.client("read")):
            assert (await nobody.get("/settings")).status_code == 403
