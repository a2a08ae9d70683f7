from collections.abc import AsyncGenerator

import pytest

from tests.server.protocol.house import SECRET, House
from tests.server.protocol.posting import KEY, PING, post

pytestmark = pytest.mark.anyio


@pytest.fixture
async def address(house: House) -> AsyncGenerator[str]:
    async with house.on_http(allowed_hosts=["films.example"]) as served:
        yield served


@pytest.mark.parametrize(
    "authorization",
    [None, "Bearer", "Bearer wrong", f"Basic {SECRET}", SECRET],
)
async def test_no_key_no_entry(address: str, authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = await post(address, PING, headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="matinee"')
    assert ("invalid_token" in answer.headers["WWW-Authenticate"]) is (authorization is not None)
    assert "Bearer <key>" in answer.json()["error_description"]


async def test_a_revoked_key_is_no_key(house: House, address: str) -> None:
    key = await house.add_key("soon gone")
    headers = {"Authorization": "bearer soon gone"}
    assert (await post(address, PING, headers)).status_code == 200
    await house.revoke(key)
    assert (await post(address, PING, headers)).status_code == 401


@pytest.mark.parametrize("name", ["key", "token", "access_token", "API_KEY"])
async def test_a_key_in_the_address_is_refused_even_beside_a_good_one(
    address: str, name: str
) -> None:
    answer = await post(f"{address}?{name}={SECRET}", PING, KEY)
    assert answer.status_code == 400
    assert "Revoke it" in answer.json()["error_description"]
    assert SECRET not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80"])
@pytest.mark.parametrize("key", [KEY, {}], ids=["key", "no key"])
async def test_another_host_name_is_refused_before_the_key_is_looked_at(
    address: str, host: str, key: dict[str, str]
) -> None:
    answer = await post(address, PING, {**key, "Host": host})
    assert answer.status_code == 421
    assert "allowed_hosts" in answer.json()["error_description"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example"])
async def test_a_foreign_origin_is_refused(address: str, origin: str) -> None:
    assert (await post(address, PING, {**KEY, "Origin": origin})).status_code == 403


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost", "http://localhost"),
        ("127.0.0.1:1234", "http://127.0.0.1:8930"),
        ("[::1]:8930", "http://[::1]:8930"),
        ("films.example", "https://films.example"),
        ("films.example:8443", "https://films.example:8443"),
    ],
)
async def test_loopback_and_the_owners_names_are_let_through(
    address: str, host: str, origin: str
) -> None:
    headers = {**KEY, "Host": host, "Origin": origin}
    assert (await post(address, PING, headers)).status_code == 200


async def test_a_ledger_that_cannot_be_read_is_told(house: House, address: str) -> None:
    await house.lose_the_keys()
    answer = await post(address, PING, KEY)
    assert answer.status_code == 503
    assert "could not be read" in answer.json()["error_description"]
