"""Who may use which route: the declared matrix against the real doors."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from capabilities.kernel.actors import owner
from tests.server.api.house import SAME_ORIGIN, House, served

pytestmark = pytest.mark.anyio

OPEN, KNOWN, READERS, OWNER, LOCAL = "open", "known", "readers", "owner", "local"

ROUTES: Mapping[tuple[str, str], str] = {
    ("GET", "/health"): OPEN,
    ("POST", "/owner"): OPEN,
    ("POST", "/session"): OPEN,
    ("GET", "/session"): KNOWN,
    ("DELETE", "/session"): OWNER,
    ("GET", "/status"): READERS,
    ("GET", "/capabilities"): KNOWN,
    ("GET", "/capabilities/{id_}"): KNOWN,
    ("POST", "/capabilities/{id_}/invoke"): KNOWN,
    ("POST", "/agent/runs"): KNOWN,
    ("GET", "/agent/runs"): KNOWN,
    ("GET", "/agent/runs/{run}"): KNOWN,
    ("POST", "/agent/runs/{run}/messages"): KNOWN,
    ("POST", "/agent/runs/{run}/choice"): KNOWN,
    ("POST", "/agent/runs/{run}/abort"): KNOWN,
    ("GET", "/approvals"): READERS,
    ("GET", "/approvals/{id_}"): READERS,
    ("POST", "/approvals/{id_}/decision"): OWNER,
    ("GET", "/decisions"): READERS,
    ("GET", "/decisions/{id_}"): READERS,
    ("GET", "/invocations"): READERS,
    ("GET", "/events"): READERS,
    ("GET", "/keys"): OWNER,
    ("POST", "/keys"): OWNER,
    ("DELETE", "/keys/{id_}"): OWNER,
    ("GET", "/settings"): OWNER,
    ("POST", "/stop"): LOCAL,
}


async def refusals(somebody: httpx2.AsyncClient) -> dict[tuple[str, str], int]:
    """The routes that are shut for them, and with which status."""
    shut: dict[tuple[str, str], int] = {}
    for method, path in ROUTES:
        if (method, path) == ("DELETE", "/session"):
            continue
        named = path.replace("{id_}", "none").replace("{run}", "none")
        answer = await somebody.request(method, named, json={})
        if answer.status_code in {401, 403}:
            shut[method, path] = answer.status_code
    return shut


def shut(*kinds: str, status: int) -> dict[tuple[str, str], int]:
    return {
        route: status
        for route, kind in ROUTES.items()
        if kind in kinds and route != ("DELETE", "/session")
    }


async def test_the_matrix_names_every_route(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        paths = (await (await house.tcp()).get("/openapi.json")).json()["paths"]
        real = {
            (method.upper(), path.removeprefix("/api/v1"))
            for path, methods in paths.items()
            for method in methods
        }
        assert real == set(ROUTES)


@pytest.mark.parametrize(
    "authorization", [None, "Bearer nonsense", "Basic YTpi", "Bearer", "revoked", "expired"]
)
async def test_without_a_good_key_only_the_open_routes_answer(
    tmp_path: Path, authorization: str | None
) -> None:
    async with served(tmp_path) as house:
        if authorization in {"revoked", "expired"}:
            authorization = f"Bearer {await spoiled(house, authorization)}"
        headers = {} if authorization is None else {"Authorization": authorization}
        stranger = await house.tcp(**headers, **SAME_ORIGIN)
        assert await refusals(stranger) == {
            **shut(KNOWN, READERS, OWNER, status=401),
            **shut(LOCAL, status=403),
        }


async def spoiled(house: House, how: str) -> str:
    if how == "expired":
        return await house.key("read", lasts=-timedelta(seconds=1))
    secret = await house.key("read")
    newest = (await house.guard.keys.all())[0]
    await house.guard.keys.revoke(owner("anna"), newest.id)
    return secret


@pytest.mark.parametrize("scope", ["plan", "run", "run.ask", "shelf.put"])
async def test_a_key_without_read_reads_nothing(tmp_path: Path, scope: str) -> None:
    async with served(tmp_path) as house:
        assert await refusals(await house.client(scope)) == shut(READERS, OWNER, LOCAL, status=403)


async def test_a_reader_reads_and_decides_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        assert await refusals(await house.client("read")) == shut(OWNER, LOCAL, status=403)


async def test_the_local_socket_is_a_key_that_may_also_stop(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        assert await refusals(await house.terminal()) == shut(OWNER, status=403)


async def test_a_bad_key_on_the_local_socket_is_not_the_local_key(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        terminal = await house.terminal(Authorization="Bearer nonsense")
        assert (await terminal.get("/status")).status_code == 401
        terminal = await house.terminal(Cookie="matinee_session=nonsense")
        assert (await terminal.get("/status")).status_code == 401


async def test_the_owner_may_everything_but_stop_from_afar(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        assert await refusals(await house.new_owner()) == shut(LOCAL, status=403)


async def test_every_capability_answers_exactly_the_keys_with_its_scope(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for scope in ("read", "plan", "run", "run.ask", "shelf.put"):
            client = await house.client(scope)
            listed = (await client.get("/capabilities")).json()["capabilities"]
            assert {each["scope"] for each in listed} <= {scope}
            for name in ("shelf.look", "shelf.put", "shelf.note", "runs.start_run"):
                answer = await client.post(f"/capabilities/{name}/invoke", json={})
                allowed = name in {each["id"] for each in listed}
                assert answer.status_code == (422 if allowed else 404)
