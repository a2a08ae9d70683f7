from pathlib import Path

import pytest

from tests.server.api.house import served

pytestmark = pytest.mark.anyio


async def test_the_terminal_learns_every_name_without_a_passphrase_and_nobody_else_does(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        terminal, browser = await house.terminal(), await house.new_owner()
        names = (await terminal.get("/names")).json()
        assert names["scopes"] == house.guard.keys.scopes
        assert "shelf.put" in names["acts"]
        assert (await browser.get("/names")).status_code == 403
