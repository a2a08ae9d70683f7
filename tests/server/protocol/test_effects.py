import anyio
import pytest

from server.protocol.effects import Effects

pytestmark = pytest.mark.anyio
LONG_S = 60


async def test_an_act_goes_on_when_nobody_waits() -> None:
    effects: Effects[str] = Effects(LONG_S)
    begun, may_end = anyio.Event(), anyio.Event()
    done: list[str] = []

    async def act() -> str:
        begun.set()
        await may_end.wait()
        done.append("done")
        return "done"

    with anyio.fail_after(5):
        async with effects.open():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(effects.carried_out, act)
                await begun.wait()
                tasks.cancel_scope.cancel()
            assert (effects.running, done) == (1, [])
            may_end.set()
    assert (effects.running, done) == (0, ["done"])


async def test_the_answer_reaches_whoever_waits() -> None:
    effects: Effects[int] = Effects(LONG_S)

    async def act() -> int:
        return 7

    async with effects.open():
        assert await effects.carried_out(act) == 7


async def test_what_does_not_end_in_time_is_cut_off_and_says_so() -> None:
    effects: Effects[str] = Effects(0)
    begun = anyio.Event()
    answers: list[str | None] = []

    async def act() -> str:
        begun.set()
        await anyio.sleep_forever()
        return "never"

    async def wait() -> None:
        answers.append(await effects.carried_out(act))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks, effects.open():
            tasks.start_soon(wait)
            await begun.wait()
    assert answers == [None]


async def test_nothing_is_begun_outside_the_block() -> None:
    effects: Effects[str] = Effects(LONG_S)

    async def act() -> str:
        raise AssertionError

    assert await effects.carried_out(act) is None
    async with effects.open():
        pass
    assert await effects.carried_out(act) is None
