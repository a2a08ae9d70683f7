from pathlib import Path

import pytest

from capabilities.kernel.codes import Code
from ledger.stores import access, audit
from server.guard.faults import DoorError, LockedError, NotSignedInError
from server.guard.tries import Door
from tests.server.guard.gate import PASSPHRASE, Gate, gate

pytestmark = pytest.mark.anyio


async def fresh(here: Gate) -> str:
    code = await here.guard().owner.setup_code()
    assert code is not None
    return code


async def test_the_owner_is_made_once_and_kept(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        assert not await here.guard().owner.exists()
        await here.guard().owner.create(await fresh(here), "anna", PASSPHRASE, Door.TERMINAL)
        assert await here.guard().owner.exists()
    async with gate(tmp_path) as here:
        session = await here.guard().owner.sign_in(PASSPHRASE, Door.CONSOLE)
        assert session.name == "anna"
        assert session.token not in repr(session)


async def test_a_code_is_good_for_one_use(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        code = await fresh(here)
        await here.ledger.write(
            lambda tx: access.use_setup_code(tx, code.replace("-", ""), here.at)
        )
        with pytest.raises(NotSignedInError, match="wrong, used or older than a day"):
            await here.guard().owner.create(code, "anna", PASSPHRASE, Door.CONSOLE)


async def test_a_second_owner_is_refused_with_a_good_code_too(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        code = await fresh(here)
        await here.ledger.write(lambda tx: access.create_owner(tx, "eve", "x", here.at))
        with pytest.raises(DoorError) as refused:
            await here.guard().owner.create(code, "anna", PASSPHRASE, Door.CONSOLE)
        assert refused.value.code is Code.CONFLICT


async def test_wrong_codes_and_wrong_passphrases_share_one_count(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        for _ in range(5):
            with pytest.raises(NotSignedInError):
                await here.guard().owner.create("guess", "eve", PASSPHRASE, Door.CONSOLE)
        with pytest.raises(LockedError):
            await here.guard().owner.create(await fresh(here), "eve", PASSPHRASE, Door.CONSOLE)
        assert not await here.guard().owner.exists()


async def test_a_session_ends_when_told_and_by_time(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        owner = here.guard().owner
        one = await owner.create(await fresh(here), "anna", PASSPHRASE, Door.CONSOLE)
        two = await owner.sign_in(PASSPHRASE, Door.CONSOLE)
        assert one.token != two.token
        await owner.sign_out(one.token)
        assert await owner.session(one.token) is None
        living = await owner.session(two.token)
        assert living is not None
        assert living.decides
        here.later(days=30)
        assert await owner.session(two.token) is None


async def test_every_knock_leaves_a_row_and_no_secret(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        owner = here.guard().owner
        await owner.create(await fresh(here), "anna", PASSPHRASE, Door.CONSOLE)
        with pytest.raises(NotSignedInError):
            await owner.sign_in("a wrong guess", Door.CONSOLE)
        await owner.sign_in(PASSPHRASE, Door.TERMINAL)
        rows = await here.ledger.read(audit.newest)
        assert [(row.actor, row.action) for row in reversed(rows)] == [
            ("owner:anna", "owner created"),
            ("door:console", "sign-in refused"),
            ("owner:anna", "signed in"),
        ]
