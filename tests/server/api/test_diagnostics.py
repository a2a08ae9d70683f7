import io
import zipfile
from pathlib import Path

import pytest

from tests.server.api.house import served

pytestmark = pytest.mark.anyio


async def test_the_owner_takes_a_zip_without_secrets(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        answer = await browser.get("/diagnostics")
        assert answer.headers["content-type"] == "application/zip"
        assert "matinee-diagnostics.zip" in answer.headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            whole = b"".join(archive.read(name) for name in archive.namelist())
        assert b"Titles are not in it" in whole
        assert b"canary-tmdb" not in whole
        again = await browser.get("/diagnostics", params={"titles": True})
        with zipfile.ZipFile(io.BytesIO(again.content)) as archive:
            assert b"Titles are in it" in archive.read("README.txt")


async def test_nobody_else_takes_it(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for nobody in (await house.terminal(), await house.client("read", "plan")):
            assert (await nobody.get("/diagnostics")).status_code == 403
