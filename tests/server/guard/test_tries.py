from pathlib import Path

import anyio
import pytest

from server.guard.faults import LockedError, NotSignedInError
from server.guard.tries import Door, Limits
from tests.server.guard.gate import PASSPHRASE, Gate, gate

pytestmark = pytest.mark.anyio


async def with_owner(here: Gate) -> None:
    guard = here.guard()
    code = await guard.owner.setup_code()
    assert code is not None
    await guard.owner.create(code, "anna", PASSPHRASE, Door.TERMINAL)


async def heard(here: Gate, tries: int, door: Door = Door.CONSOLE) -> int:
    """How many of so many wrong tries were looked at."""
    looked_at = 0
    for _ in range(tries):
        try:
            await here.guard().owner.sign_in("a wrong guess", door)
        except NotSignedInError:
            looked_at += 1
        except LockedError:
            pass
    return looked_at


async def test_a_door_hears_five_tries_in_five_minutes(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        assert await heard(here, 30) == 5
        here.later(minutes=4, seconds=59)
        assert await heard(here, 1) == 0
        here.later(seconds=1)
        assert await heard(here, 30) == 5


async def test_the_right_passphrase_is_not_heard_either_while_locked(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        await heard(here, 5)
        with pytest.raises(LockedError) as locked:
            await here.guard().owner.sign_in(PASSPHRASE, Door.CONSOLE)
        assert locked.value.retry_after_s == 300
        assert "Wait 5 minutes" in locked.value.sentence


async def test_a_success_forgives_its_own_door(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        assert await heard(here, 4) == 4
        assert await heard(here, 2, Door.TERMINAL) == 2
        await here.guard().owner.sign_in(PASSPHRASE, Door.CONSOLE)
        assert await heard(here, 30) == 5


async def test_a_success_at_the_terminal_opens_every_door_again(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        await heard(here, 5)
        await here.guard().owner.sign_in(PASSPHRASE, Door.TERMINAL)
        await here.guard().owner.sign_in(PASSPHRASE, Door.CONSOLE)


async def test_tries_side_by_side_cannot_outrun_the_count(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        looked_at = list[int]()

        async def guess() -> None:
            looked_at.append(await heard(here, 1))

        async with anyio.create_task_group() as group:
            for _ in range(40):
                group.start_soon(guess)
        assert sum(looked_at) == 5


async def test_the_terminal_is_never_locked_whatever_was_guessed_there_or_at_the_console(
    tmp_path: Path,
) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        await heard(here, 30)
        assert await heard(here, 30, Door.TERMINAL) == 30
        await here.guard().owner.sign_in(PASSPHRASE, Door.TERMINAL)


async def test_wrong_tries_at_the_terminal_slow_the_next_one_down_by_seconds_at_most() -> None:
    pauses = [Limits().pause_after(wrong, Door.TERMINAL) for wrong in range(9)]
    assert pauses == [0, 0, 0, 1, 2, 4, 8, 8, 8]
    assert Limits().pause_after(1_000_000, Door.TERMINAL) == 8
    assert Limits().pause_after(9, Door.CONSOLE) == 0


async def test_the_right_passphrase_waits_as_long_as_a_wrong_one_and_the_pause_is_told(
    tmp_path: Path,
) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        slow = here.guard(Limits(at_once=1, pause_s=0.2, longest_pause_s=0.2)).owner
        with pytest.raises(NotSignedInError, match=r"not the passphrase\. The next .* 0\.2 s long"):
            await slow.sign_in("a wrong guess", Door.TERMINAL)
        since = anyio.current_time()
        await slow.sign_in(PASSPHRASE, Door.TERMINAL)
        assert anyio.current_time() - since >= 0.2


async def test_the_console_grows_weary_of_hours_of_guessing_and_the_terminal_does_not(
    tmp_path: Path,
) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        windows = list[int]()
        for _ in range(24):
            windows.append(await heard(here, 10))
            here.later(minutes=5)
        assert windows[:4] == [5, 5, 5, 5]
        assert windows[4:11] == [1] * 7
        assert sum(windows[-12:]) <= 24
        assert await heard(here, 10, Door.TERMINAL) == 10
        await here.guard().owner.sign_in(PASSPHRASE, Door.TERMINAL)


async def test_guessing_at_both_doors_wearies_the_console(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await with_owner(here)
        assert await heard(here, 20, Door.TERMINAL) == 20
        here.later(minutes=5)
        assert await heard(here, 10, Door.CONSOLE) == 1
