from pathlib import Path

import pytest

from tests.server.api.house import served

pytestmark = pytest.mark.anyio


async def test_health_is_open_and_tells_nothing_about_the_home(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for anybody in (await house.tcp(), await house.terminal()):
            answer = await anybody.get("/health")
            assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
