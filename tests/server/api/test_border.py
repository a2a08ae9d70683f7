from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest
from starlette.types import Message, Receive, Scope, Send

from server.api.border import MOST_BODY_BYTES, Border
from tests.server.api.house import SAME_ORIGIN, House, served

pytestmark = pytest.mark.anyio

FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "{own}"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {},
]
UNSAFE = [
    ("POST", "/keys"),
    ("DELETE", "/keys/local"),
    ("DELETE", "/session"),
    ("POST", "/session"),
    ("POST", "/owner"),
    ("POST", "/capabilities/shelf.note/invoke"),
    ("POST", "/agent/runs"),
    ("POST", "/agent/runs/run_1/messages"),
    ("POST", "/agent/runs/run_1/choice"),
    ("POST", "/agent/runs/run_1/abort"),
    ("POST", "/approvals/apr_1/decision"),
    ("POST", "/stop"),
]


async def cookie_of(house: House) -> str:
    browser = await house.new_owner()
    return f"matinee_session={browser.cookies['matinee_session']}"


async def test_a_page_of_another_site_changes_nothing_with_the_owners_cookie(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        cookie = await cookie_of(house)
        for headers in FOREIGN:
            named = {name: held.format(own=house.address) for name, held in headers.items()}
            page = await house.tcp(Cookie=cookie, **named)
            for method, path in UNSAFE:
                answer = await page.request(method, path, json={"words": "x"})
                assert answer.status_code == 403, (headers, path, answer.text)
                assert answer.json()["code"] == "denied"
        page = await house.tcp(Cookie=cookie)
        assert (await page.get("/session")).json()["actor"] == "owner:anna"
        local = next(key for key in await house.guard.keys.all() if key.id == "local")
        assert local.revoked_at is None


@pytest.mark.parametrize(
    "own", [SAME_ORIGIN, {"Sec-Fetch-Site": "none"}, {"Origin": "{own}"}], ids=str
)
async def test_the_console_itself_may_act(tmp_path: Path, own: dict[str, str]) -> None:
    async with served(tmp_path) as house:
        named = {name: held.format(own=house.address) for name, held in own.items()}
        page = await house.tcp(Cookie=await cookie_of(house), **named)
        answer = await page.post("/capabilities/shelf.note/invoke", json={"words": "x"})
        assert answer.status_code == 200


async def test_signing_in_for_somebody_from_another_site_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        page = await house.tcp(**{"Sec-Fetch-Site": "cross-site"})
        assert (await page.post("/session", json={"passphrase": "x"})).status_code == 403


async def test_a_client_with_a_key_needs_no_origin(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("plan")
        answer = await client.post("/capabilities/shelf.note/invoke", json={"words": "x"})
        assert answer.status_code == 200


async def test_a_form_of_another_site_cannot_pass_for_json(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        page = await house.tcp(Cookie=await cookie_of(house), **SAME_ORIGIN)
        answer = await page.post(
            "/capabilities/shelf.note/invoke",
            content=b'{"words": "x"}',
            headers={"Content-Type": "text/plain"},
        )
        assert answer.status_code == 422


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8930",
        "127.0.0.1.evil.example",
        "localhost.",
        "localhost@evil.example",
        "0.0.0.0",  # noqa: S104  # a name nobody may ask for
        "2130706433",
        "",
    ],
)
async def test_a_name_that_is_not_ours_gets_no_answer(tmp_path: Path, host: str) -> None:
    async with served(tmp_path) as house:
        rebound = await house.tcp(Host=host, Cookie=await cookie_of(house))
        for path in ("/health", "/status", "/openapi.json"):
            answer = await rebound.get(path)
            assert answer.status_code == 421
            assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:8930", "matinee.lan"]
)
async def test_our_own_names_are_answered_whatever_the_port(tmp_path: Path, host: str) -> None:
    async with served(tmp_path, allowed_hosts=["matinee.lan"]) as house:
        assert (await (await house.tcp(Host=host)).get("/health")).status_code == 200


async def test_two_host_headers_are_refused(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        port = int(house.address.rpartition(":")[2])
        async with await anyio.connect_tcp("127.0.0.1", port) as stream:
            await stream.send(
                b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
            )
            assert (await stream.receive()).split(b" ")[1] in {b"400", b"421"}


async def test_a_forwarded_host_counts_for_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        rebound = await house.tcp(**{"Host": "evil.example", "X-Forwarded-Host": "localhost"})
        assert (await rebound.get("/health")).status_code == 421


async def test_a_key_in_an_address_is_refused_even_if_it_is_good(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        secret = await house.key("read")
        stranger = await house.tcp()
        for path in (
            f"/status?access_token={secret}",
            f"/status?api_key={secret}",
            f"/status?KEY=x&q={secret}",
            f"/status?q={secret}",
            f"/decisions/{secret}",
            f"/decisions/%6datinee_{secret.removeprefix('matinee_')}",
        ):
            answer = await stranger.get(path)
            assert answer.status_code == 403, path
            assert secret not in answer.text


async def test_a_body_over_the_cap_is_refused_by_its_declared_length(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("plan")
        answer = await client.post(
            "/capabilities/shelf.note/invoke", json={"words": "x" * MOST_BODY_BYTES}
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "invalid_input")


async def test_a_body_over_the_cap_is_refused_while_it_comes(tmp_path: Path) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        for _ in range(MOST_BODY_BYTES // 65536 + 2):
            yield b" " * 65536

    async with served(tmp_path) as house:
        client = await house.client("plan")
        answer = await client.post(
            "/capabilities/shelf.note/invoke",
            content=endless(),
            headers={"Content-Type": "application/json"},
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "invalid_input")


async def test_answers_are_never_stored_or_sniffed(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        stranger = await house.tcp()
        for path in ("/health", "/status"):
            answer = await stranger.get(path)
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"


async def test_an_answer_that_breaks_off_is_not_mended(tmp_path: Path) -> None:
    sent = list[Message]()

    async def breaking(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("in the middle")

    async def empty() -> Message:
        return {"type": "http.request"}

    async def keep(message: Message) -> None:
        sent.append(message)

    async with served(tmp_path) as house:
        scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "headers": [],
            "server": None,
        }
        with pytest.raises(RuntimeError, match="in the middle"):
            await Border(breaking, house.guard)(scope, empty, keep)
    assert [message["type"] for message in sent] == ["http.response.start"]


BODIES = [b'{"words": "a\\u0000b"}', b'{"words": "\\ud800"}', b'{"words": "x", "\\udfff": 1}']


@pytest.mark.parametrize("body", BODIES, ids=repr)
async def test_text_that_no_database_holds_is_refused_wherever_it_comes_in(
    tmp_path: Path, body: bytes
) -> None:
    async with served(tmp_path) as house:
        client = await house.client("plan")
        for path in ("/capabilities/shelf.note/invoke", "/keys", "/session", "/agent/runs"):
            headers = {"Content-Type": "application/json"}
            answer = await client.post(path, content=body, headers=headers)
            assert answer.status_code == 422, answer.text
            assert answer.json()["code"] == "invalid_input"
            assert "holds a NUL or half of a surrogate pair" in answer.json()["detail"]
        for path in ("/invocations/a%00b", "/invocations?before=a%00b"):
            assert (await client.get(path)).json()["code"] == "invalid_input"
        pair = b'{"words": "\\ud83d\\ude00"}'
        answer = await client.post("/capabilities/shelf.note/invoke", content=pair, headers=headers)
        assert answer.status_code == 200
