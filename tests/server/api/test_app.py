from pathlib import Path

import pytest

from tests.server.api.house import served

pytestmark = pytest.mark.anyio


async def test_the_description_is_served_and_the_documentation_pages_are_not(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        stranger = await house.tcp()
        described = (await stranger.get("/openapi.json")).json()
        assert described["info"] == {"title": "Matinee", "version": "1.2.3"}
        for path in (f"{house.address}/docs", f"{house.address}/redoc", "/docs"):
            assert (await stranger.get(path)).status_code == 404


async def test_every_operation_describes_its_problems_and_has_a_name_of_its_own(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        paths = (await (await house.tcp()).get("/openapi.json")).json()["paths"]
        operations = [each for methods in paths.values() for each in methods.values()]
        for operation in operations:
            assert {"4XX", "5XX"} <= set(operation["responses"])
            assert "application/problem+json" in operation["responses"]["4XX"]["content"]
            assert operation["summary"]
        names = [operation["operationId"] for operation in operations]
        assert len(names) == len(set(names))
