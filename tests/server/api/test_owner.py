from pathlib import Path

import anyio
import pytest

from tests.server.api.house import PASSPHRASE, SAME_ORIGIN, House, served, stored_bytes

pytestmark = pytest.mark.anyio


async def code_of(house: House) -> str:
    code = await house.guard.owner.setup_code()
    assert code is not None
    return code


def owner(code: str, **changed: str) -> dict[str, str]:
    return {"code": code, "name": "anna", "passphrase": PASSPHRASE, **changed}


async def test_the_code_makes_the_owner_and_signs_in(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.tcp(**SAME_ORIGIN)
        code = await code_of(house)
        assert code.encode() not in stored_bytes(tmp_path)
        answer = await browser.post("/owner", json=owner(code))
        assert answer.status_code == 201
        assert (await browser.get("/session")).json()["actor"] == "owner:anna"


async def test_a_code_may_be_typed_carelessly(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        typed = (await code_of(house)).lower().replace("-", " ").replace("0", "o")
        stranger = await house.tcp()
        assert (await stranger.post("/owner", json=owner(typed))).status_code == 201


async def test_a_wrong_code_makes_nobody(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await code_of(house)
        stranger = await house.tcp()
        answer = await stranger.post("/owner", json=owner("0000-0000-0000-0000"))
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        assert not await house.guard.owner.exists()


async def test_a_newer_code_ends_the_older_one(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        older = await code_of(house)
    async with served(tmp_path) as house:
        newer = await code_of(house)
        stranger = await house.tcp()
        assert (await stranger.post("/owner", json=owner(older))).status_code == 401
        assert (await stranger.post("/owner", json=owner(newer))).status_code == 201


async def test_guessing_the_code_is_locked_and_a_restart_does_not_reset_it(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        stranger = await house.tcp()
        for _ in range(5):
            assert (await stranger.post("/owner", json=owner("guess"))).status_code == 401
    async with served(tmp_path) as house:
        code, stranger, terminal = await code_of(house), await house.tcp(), await house.terminal()
        assert (await stranger.post("/owner", json=owner(code))).status_code == 429
        assert (await terminal.post("/owner", json=owner(code))).status_code == 201


async def test_there_is_one_owner_and_no_second_code(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        stranger = await house.tcp()
        answer = await stranger.post("/owner", json=owner("guess", name="eve"))
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        assert await house.guard.owner.setup_code() is None


async def test_of_two_who_have_the_code_one_becomes_the_owner(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        code = await code_of(house)
        statuses: list[int] = []

        async def claim(name: str) -> None:
            stranger = await house.tcp()
            answer = await stranger.post("/owner", json=owner(code, name=name))
            statuses.append(answer.status_code)

        async with anyio.create_task_group() as group:
            for name in ("anna", "eve", "mallory"):
                group.start_soon(claim, name)
        assert statuses.count(201) == 1
        assert set(statuses) <= {201, 409}


async def test_a_short_passphrase_is_refused_before_the_code_is_used(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        code, stranger = await code_of(house), await house.tcp()
        answer = await stranger.post("/owner", json=owner(code, passphrase="short"))
        assert answer.status_code == 422
        assert answer.json()["detail"] == (
            "The passphrase has 5 characters; it needs at least 10. "
            "Several words are easy to remember and hard to guess."
        )
        assert (await stranger.post("/owner", json=owner(code))).status_code == 201


@pytest.mark.parametrize("name", ["", " anna", "a" * 41, "anna\n", "<b>"])
async def test_a_name_is_a_name(tmp_path: Path, name: str) -> None:
    async with served(tmp_path) as house:
        code, stranger = await code_of(house), await house.tcp()
        assert (await stranger.post("/owner", json=owner(code, name=name))).status_code == 422
        assert not await house.guard.owner.exists()


async def test_an_unknown_field_is_refused_without_repeating_the_passphrase(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        stranger = await house.tcp()
        answer = await stranger.post("/owner", json=owner("x", admin="yes"))
        assert answer.status_code == 422
        assert "body.admin" in answer.json()["detail"]
        assert PASSPHRASE not in answer.text
