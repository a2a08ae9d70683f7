from datetime import timedelta
from pathlib import Path

import pytest

from tests.server.api.house import PASSPHRASE, SAME_ORIGIN, served, stored_bytes

pytestmark = pytest.mark.anyio


async def test_the_owner_signs_in_acts_and_signs_out(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        browser = await house.tcp(**SAME_ORIGIN)
        assert (await browser.get("/session")).status_code == 401
        opened = await browser.post("/session", json={"passphrase": PASSPHRASE})
        assert opened.status_code == 201
        assert opened.json()["name"] == "anna"
        known = (await browser.get("/session")).json()
        assert known == {"actor": "owner:anna", "kind": "owner", "scopes": []}
        token = browser.cookies["matinee_session"]
        assert (await browser.delete("/session")).status_code == 204
        assert "matinee_session" not in browser.cookies
        browser.cookies.set("matinee_session", token)
        ended = await browser.get("/session")
        assert ended.status_code == 401
        assert ended.json()["detail"] == "That session has ended. Sign in again."


async def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        browser = await house.tcp()
        answer = await browser.post("/session", json={"passphrase": PASSPHRASE})
        name, *flags = answer.headers["set-cookie"].split("; ")
        assert name.startswith("matinee_session=")
        assert sorted(flags) == ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=strict"]
        token = browser.cookies["matinee_session"]
        assert token not in answer.text
        database = stored_bytes(tmp_path)
        assert token.encode() not in database
        assert PASSPHRASE.encode() not in database


async def test_behind_https_the_cookie_is_secure(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        proxied = await house.tcp(**{"X-Forwarded-Proto": "https"})
        answer = await proxied.post("/session", json={"passphrase": PASSPHRASE})
        assert "Secure" in answer.headers["set-cookie"].split("; ")


async def test_a_session_survives_a_restart_and_ends_after_thirty_days(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        token = browser.cookies["matinee_session"]
    async with served(tmp_path) as house:
        browser = await house.tcp(Cookie=f"matinee_session={token}")
        assert (await browser.get("/session")).json()["actor"] == "owner:anna"
        house.watch.ahead = timedelta(days=29, hours=23)
        assert (await browser.get("/session")).status_code == 200
        house.watch.ahead = timedelta(days=30)
        assert (await browser.get("/session")).status_code == 401


async def test_guessing_is_locked_out_at_the_console_but_not_at_the_terminal(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        stranger, terminal = await house.tcp(), await house.terminal()
        for _ in range(5):
            answer = await stranger.post("/session", json={"passphrase": "guess number one"})
            assert answer.status_code == 401
        locked = await stranger.post("/session", json={"passphrase": PASSPHRASE})
        assert locked.status_code == 429
        assert locked.headers["retry-after"] == "300"
        assert (locked.json()["code"], locked.json()["retry"]) == ("rate_limited", True)
        let_in = await terminal.post("/session", json={"passphrase": PASSPHRASE})
        assert let_in.status_code == 201
        assert (await terminal.get("/session")).json()["kind"] == "owner"
        again = await stranger.post("/session", json={"passphrase": PASSPHRASE})
        assert again.status_code == 201


async def test_before_there_is_an_owner_nobody_signs_in(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        stranger = await house.tcp()
        answer = await stranger.post("/session", json={"passphrase": PASSPHRASE})
        assert (answer.status_code, answer.json()["code"]) == (412, "precondition")


async def test_half_a_character_is_no_passphrase(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        stranger = await house.tcp()
        answer = await stranger.post(
            "/session",
            content=b'{"passphrase": "\\ud800 and ten more"}',
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 422
        assert answer.json()["detail"].startswith("passphrase: it holds a NUL or half")


async def test_a_key_and_the_local_socket_know_who_they_are(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client, terminal = await house.client("plan", "read"), await house.terminal()
        known = (await client.get("/session")).json()
        assert (known["kind"], known["scopes"]) == ("key", ["plan", "read"])
        local = (await terminal.get("/session")).json()
        assert local["actor"] == "key:local"
        assert {"read", "plan", "run", "run.ask", "download.submit"} <= set(local["scopes"])
        assert (await client.delete("/session")).status_code == 403
