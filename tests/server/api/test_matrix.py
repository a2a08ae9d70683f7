"""Who may use what: every route and capability, for every sort of caller, as declared here."""

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import timedelta
from enum import Enum, auto
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

import server.api
from capabilities.kernel.actors import Actor
from capabilities.kernel.actors import client as key_holder
from capabilities.kernel.discovery import discovered
from capabilities.kernel.spec import Audience, Kind, Spec
from server.api.app import PREFIX
from server.guard.origins import KEY_PARAMETERS
from server.guard.scopes import known_scopes
from tests.promises.tally import Tally
from tests.server.api.house import House, served, stored_bytes

pytestmark = pytest.mark.anyio

SPECS = discovered()
SCOPES = tuple(known_scopes(SPECS))


class Who(Enum):
    """For whom a route is there."""

    EVERYBODY = auto()
    KNOWN = auto()
    READER = auto()
    OWNER = auto()
    TERMINAL = auto()


DESCRIPTION = ("GET", "/openapi.json")
DECLARED = {
    DESCRIPTION: Who.EVERYBODY,
    ("POST", "/owner"): Who.EVERYBODY,
    ("POST", "/session"): Who.EVERYBODY,
    ("GET", "/session"): Who.KNOWN,
    ("DELETE", "/session"): Who.OWNER,
    ("GET", "/health"): Who.EVERYBODY,
    ("GET", "/status"): Who.READER,
    ("GET", "/capabilities"): Who.KNOWN,
    ("GET", "/capabilities/{id_}"): Who.KNOWN,
    ("POST", "/capabilities/{id_}/invoke"): Who.KNOWN,
    ("POST", "/agent/runs"): Who.KNOWN,
    ("GET", "/agent/runs"): Who.KNOWN,
    ("GET", "/agent/runs/{run}"): Who.KNOWN,
    ("POST", "/agent/runs/{run}/messages"): Who.KNOWN,
    ("POST", "/agent/runs/{run}/choice"): Who.KNOWN,
    ("POST", "/agent/runs/{run}/abort"): Who.KNOWN,
    ("GET", "/approvals"): Who.READER,
    ("GET", "/approvals/{id_}"): Who.READER,
    ("POST", "/approvals/{id_}/decision"): Who.OWNER,
    ("POST", "/approvals/{id_}/withdraw"): Who.KNOWN,
    ("GET", "/grants"): Who.OWNER,
    ("POST", "/grants"): Who.OWNER,
    ("GET", "/grants/{id_}"): Who.OWNER,
    ("POST", "/grants/{id_}/shorten"): Who.OWNER,
    ("POST", "/grants/{id_}/withdraw"): Who.OWNER,
    ("GET", "/blocklist"): Who.READER,
    ("POST", "/blocklist"): Who.OWNER,
    ("POST", "/blocklist/{id_}/remove"): Who.OWNER,
    ("GET", "/switches"): Who.READER,
    ("PUT", "/switches"): Who.OWNER,
    ("GET", "/decisions"): Who.READER,
    ("GET", "/decisions/{id_}"): Who.READER,
    ("POST", "/decisions/{id_}/resolve"): Who.OWNER,
    ("GET", "/invocations"): Who.READER,
    ("GET", "/invocations/{id_}"): Who.READER,
    ("POST", "/invocations/{id_}/check"): Who.READER,
    ("POST", "/invocations/{id_}/settle"): Who.OWNER,
    ("GET", "/events"): Who.READER,
    ("GET", "/names"): Who.TERMINAL,
    ("GET", "/keys"): Who.OWNER,
    ("POST", "/keys"): Who.OWNER,
    ("DELETE", "/keys/{id_}"): Who.OWNER,
    ("GET", "/settings"): Who.OWNER,
    ("GET", "/secrets"): Who.OWNER,
    ("PUT", "/secrets/{name:path}"): Who.OWNER,
    ("DELETE", "/secrets/{name:path}"): Who.OWNER,
    ("POST", "/secrets/rekey"): Who.OWNER,
    ("GET", "/audit"): Who.OWNER,
    ("GET", "/audit/verify"): Who.READER,
    ("GET", "/diagnostics"): Who.OWNER,
    ("POST", "/stop"): Who.TERMINAL,
}
"""Runs and capabilities are known to whoever has their scope; the registry says to whom."""

LAST = (("DELETE", "/session"),)
"""What ends the very session that is being tried."""

IN = (200, 202, 204, 404, 409, 412, 422)
"""What a route answers to whoever is let in with nothing sensible to say."""


def written() -> Iterator[tuple[str, str]]:
    """Every route that any module of the API declares."""
    for module in pkgutil.iter_modules(server.api.__path__, "server.api."):
        router = getattr(importlib.import_module(module.name), "router", None)
        for route in router.routes if isinstance(router, APIRouter) else ():
            assert isinstance(route, APIRoute)
            yield from ((method, route.path) for method in route.methods or ())


def published(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every route that the served description names."""
    for path, methods in document["paths"].items():
        for method in methods:
            yield method.upper(), path.removeprefix(PREFIX)


async def knock(client: httpx2.AsyncClient, method: str, path: str, query: str = "") -> int:
    """The status that a request without any meaning is answered with."""
    place = path.split("{", 1)
    named = place[0] if len(place) == 1 else f"{place[0]}x{place[1].partition('}')[2]}"
    body: dict[str, object] | None = {} if method in {"POST", "PUT"} else None
    answer = await client.request(method, f"{named}{query}", json=body)
    if answer.status_code == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
    return answer.status_code


async def test_no_route_is_forgotten(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        document = (await (await house.tcp()).get("/openapi.json")).json()
    own = set(DECLARED) - {DESCRIPTION}
    assert set(written()) == own
    plain = {(method, path.replace(":path", "")) for method, path in own}
    assert set(published(document)) == plain


@pytest.mark.promise("D3")
@pytest.mark.parametrize("scope", SCOPES)
async def test_a_key_opens_what_its_scope_opens_and_never_what_is_the_owners(
    tmp_path: Path, scope: str
) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        client = await house.client(scope)
        for (method, path), who in DECLARED.items():
            allowed = who in {Who.EVERYBODY, Who.KNOWN}
            allowed |= who is Who.READER and scope == "read"
            status = await knock(client, method, path)
            assert status in (IN if allowed else (403,)), (method, path)


@pytest.mark.promise("D3", control=True)
async def test_a_build_that_asks_for_no_scope_opens_what_the_matrix_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Tally
) -> None:
    def always(*_: object) -> bool:
        return True

    monkeypatch.setattr(Actor, "may", always)
    async with served(tmp_path, specs=SPECS) as house:
        client = await house.client("read")
        listed = (await client.get("/capabilities")).json()["capabilities"]
        opened = {each["id"] for each in listed}
        closed = {each.id for each in SPECS if not opens(each, "read")}
        tally.add(len(SPECS), len(opened & closed))
    assert tally.violations > 0


async def strangers(house: House) -> dict[str, httpx2.AsyncClient]:
    """Everybody who is nobody: without a key, and with one that is good no more or never was."""
    gone = await house.key(*SCOPES)
    held = {"expired": await house.key(*SCOPES, lasts=timedelta(hours=1)), "revoked": gone}
    revoked = await house.guard.keys.bearer(f"Bearer {gone}")
    await house.guard.keys.revoke(revoked, revoked.id)
    house.watch.ahead = timedelta(hours=1)
    held["unknown"] = f"matinee_{'x' * 43}"
    found = {name: await house.tcp(Authorization=f"Bearer {key}") for name, key in held.items()}
    found["without"] = await house.tcp()
    found["another scheme"] = await house.tcp(Authorization=f"Basic {held['unknown']}")
    found["an ended session"] = await house.tcp(
        Cookie="matinee_session=x", **{"Sec-Fetch-Site": "same-origin"}
    )
    return found


@pytest.mark.promise("D3")
async def test_nobody_known_gets_in_anywhere(tmp_path: Path) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        for name, client in (await strangers(house)).items():
            for (method, path), who in DECLARED.items():
                status = await knock(client, method, path)
                expected = {Who.EVERYBODY: IN, Who.TERMINAL: (403,)}.get(who, (401,))
                assert status in expected, (name, method, path)


async def test_the_owner_gets_in_everywhere_but_where_only_the_terminal_does(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        browser = await house.new_owner()
        ordered = [*(each for each in DECLARED if each not in LAST), *LAST]
        for method, path in ordered:
            status = await knock(browser, method, path)
            allowed = DECLARED[method, path] is not Who.TERMINAL
            assert status in (IN if allowed else (403,)), (method, path)


async def test_the_terminal_is_a_key_like_any_other_and_may_stop_the_server(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        terminal = await house.terminal()
        for (method, path), who in DECLARED.items():
            status = await knock(terminal, method, path)
            assert status in ((403,) if who is Who.OWNER else IN), (method, path)
        assert house.stopped.is_set()


@pytest.mark.promise("D3")
async def test_a_key_in_an_address_opens_nothing_and_is_refused_by_name(tmp_path: Path) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        secret = await house.key(*SCOPES)
        nobody, known = await house.tcp(), await house.tcp(Authorization=f"Bearer {secret}")
        for method, path in DECLARED:
            for client in (nobody, known):
                assert await knock(client, method, path, f"?token={secret}") == 403
        for name in sorted(KEY_PARAMETERS):
            assert await knock(known, "GET", "/status", f"?{name}=1") == 403
        assert await knock(known, "GET", f"/approvals/{secret}") == 403
        assert await knock(known, "GET", "/status", f"?also={secret}") == 403


@pytest.mark.promise("D3")
async def test_no_credential_is_stored_as_it_is(tmp_path: Path) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        code = await house.guard.owner.setup_code()
        browser = await house.new_owner()
        assert code is not None
        held = [await house.key(scope) for scope in SCOPES]
        held += [browser.cookies["matinee_session"], code, code.replace("-", "")]
        stored = stored_bytes(tmp_path)
        assert [secret for secret in held if secret.encode() in stored] == []


def opens(spec: Spec, scope: str) -> bool:
    return spec.audience is Audience.PUBLIC and spec.scope == scope


@pytest.mark.promise("D3")
@pytest.mark.parametrize("scope", SCOPES)
async def test_a_scope_opens_its_capabilities_and_the_others_do_not_exist_for_it(
    tmp_path: Path, scope: str
) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        client = await house.client(scope)
        listed = (await client.get("/capabilities")).json()["capabilities"]
        assert {each["id"] for each in listed} == {each.id for each in SPECS if opens(each, scope)}
        for spec in SPECS:
            # An argument that does not exist is refused before anything is looked at or done.
            path = f"/capabilities/{spec.id}/invoke"
            answer = await client.post(path, json={"no such argument": 1})
            code = "invalid_input" if opens(spec, scope) else "not_found"
            assert answer.json()["code"] == code, spec.id
            shown = await client.get(f"/capabilities/{spec.id}")
            assert (shown.status_code == 200) is opens(spec, scope)


@pytest.mark.promise("D3")
async def test_nobody_known_calls_any_capability(tmp_path: Path) -> None:
    async with served(tmp_path, specs=SPECS) as house:
        for name, client in (await strangers(house)).items():
            for spec in SPECS:
                answer = await client.post(f"/capabilities/{spec.id}/invoke", json={})
                assert answer.status_code == 401, (name, spec.id)


def test_no_scope_decides_and_no_act_is_opened_by_another_ones_scope() -> None:
    everything = key_holder("k", frozenset(SCOPES))
    assert not everything.decides
    for spec in SPECS:
        if spec.kind is Kind.EXECUTE:
            assert spec.scope == spec.id
    assert not {spec.scope for spec in SPECS if spec.audience is Audience.OWNER} & set(SCOPES)
