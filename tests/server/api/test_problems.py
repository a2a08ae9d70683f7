from pathlib import Path

import httpx2
import pytest
import structlog

from capabilities.kernel.codes import Code
from tests.server.api.house import served

pytestmark = pytest.mark.anyio

STATUSES = {
    Code.INVALID_INPUT: 422,
    Code.NOT_FOUND: 404,
    Code.PRECONDITION: 412,
    Code.CONFLICT: 409,
    Code.DENIED: 403,
    Code.NEEDS_APPROVAL: 403,
    Code.BUDGET_EXCEEDED: 429,
    Code.RATE_LIMITED: 429,
    Code.UNAVAILABLE: 503,
    Code.TIMEOUT: 504,
    Code.UNKNOWN_OUTCOME: 500,
    Code.CANCELLED: 409,
    Code.INTERNAL: 500,
}


async def ended(client: httpx2.AsyncClient, how: str) -> httpx2.Response:
    return await client.post("/capabilities/shelf.end/invoke", json={"how": how})


async def test_every_code_has_its_status_and_is_told_in_full(tmp_path: Path) -> None:
    assert set(STATUSES) == set(Code)
    async with served(tmp_path) as house:
        terminal = await house.terminal()
        for code, status in STATUSES.items():
            failed = await ended(terminal, code)
            assert failed.status_code == status
            assert failed.headers["content-type"] == "application/problem+json"
            told = failed.json()
            assert (told["type"], told["status"], told["code"]) == ("about:blank", status, code)
            assert (told["detail"], told["hint"]) == ("It failed.", "Try otherwise.")
            assert told["retry"] is True
            assert told["title"]
            refused = (await ended(terminal, f"refused:{code}")).json()
            assert (refused["status"], refused["code"]) == (status, code)
            assert refused["needs"]["who"] == "owner"
            assert refused["retry"] is False


async def test_slowing_down_says_for_how_long(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        terminal = await house.terminal()
        assert (await ended(terminal, "paused")).headers["retry-after"] == "42"
        assert (await ended(terminal, "rate_limited")).headers["retry-after"] == "30"
        assert "retry-after" not in (await ended(terminal, "unavailable")).headers


@pytest.mark.parametrize("outcome", ["pending", "unknown"])
async def test_what_is_not_finished_or_not_known_is_accepted_and_says_so(
    tmp_path: Path, outcome: str
) -> None:
    async with served(tmp_path) as house:
        answer = await ended(await house.terminal(), outcome)
        assert answer.status_code == 202
        assert answer.json()["outcome"] == outcome
        assert answer.json()["data"]["status"] == outcome
        assert answer.json()["data"]["check"] == "look again"


async def test_a_crash_inside_a_capability_tells_no_details(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        with structlog.testing.capture_logs():
            answer = await ended(await house.terminal(), "crash")
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert "canary" not in answer.text


async def test_a_crash_of_a_route_is_logged_and_tells_no_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as house:

        async def broken() -> list[object]:
            raise RuntimeError("canary-route")

        browser = await house.new_owner()
        monkeypatch.setattr(house.guard.keys, "all", broken)
        with structlog.testing.capture_logs() as lines:
            answer = await browser.get("/keys")
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert answer.json()["detail"] == "Matinee failed at this request."
        assert "canary" not in answer.text
        [line] = lines
        assert (line["event"], line["operation"]) == ("a request failed", "list_keys")
        assert "canary-route" in line["exception"]
        assert "exc_info" not in line


async def test_a_ledger_that_cannot_be_read_is_unavailable(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("read")
        house.ledger.database.close()
        lose_the_file(tmp_path)
        answer = await client.get("/status")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.json()["retry"] is True
        assert str(tmp_path) not in answer.text


def lose_the_file(home: Path) -> None:
    for path in home.glob("matinee.sqlite*"):
        path.unlink()


async def test_unknown_paths_and_methods_are_problems_too(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        terminal = await house.terminal()
        missing = await terminal.get("/nothing")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
        wrong = await terminal.put("/status")
        assert (wrong.status_code, wrong.json()["code"]) == (405, "invalid_input")
        assert wrong.headers["allow"] == "GET"
        for answer in (missing, wrong):
            assert answer.headers["content-type"] == "application/problem+json"


async def test_a_body_that_is_no_json_is_invalid_input(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        terminal = await house.terminal()
        for content in (b"{", b'{"passphrase": "secret-words', b"\xff"):
            answer = await terminal.post(
                "/session", content=content, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code in {400, 422}
            assert answer.json()["code"] == "invalid_input"
            assert "secret" not in answer.text
