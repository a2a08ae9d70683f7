import anyio
import pytest

from ledger.feed import Feed


@pytest.mark.anyio
async def test_a_listener_hears_a_ring_from_before_it_waited() -> None:
    feed = Feed()
    async with feed.listening() as bell:
        feed.ring()
        with anyio.fail_after(1):
            await bell.receive()


@pytest.mark.anyio
async def test_everyone_who_listens_is_rung() -> None:
    feed, heard = Feed(), list[str]()

    async def listen(name: str) -> None:
        async with feed.listening() as bell:
            await bell.receive()
            heard.append(name)

    with anyio.fail_after(1):
        async with anyio.create_task_group() as listeners:
            listeners.start_soon(listen, "one")
            listeners.start_soon(listen, "two")
            await anyio.wait_all_tasks_blocked()
            feed.ring()
    assert sorted(heard) == ["one", "two"]


@pytest.mark.anyio
async def test_a_slow_listener_is_rung_once_for_many_rings() -> None:
    feed = Feed()
    async with feed.listening() as bell:
        for _ in range(1000):
            feed.ring()
        bell.receive_nowait()
        with pytest.raises(anyio.WouldBlock):
            bell.receive_nowait()


@pytest.mark.anyio
async def test_nobody_is_rung_after_they_stopped_listening() -> None:
    feed = Feed()
    async with feed.listening() as bell:
        pass
    feed.ring()
    with pytest.raises(anyio.ClosedResourceError):
        bell.receive_nowait()


@pytest.mark.anyio
async def test_a_listener_that_closed_its_bell_does_not_disturb_the_others() -> None:
    feed = Feed()
    async with feed.listening() as gone, feed.listening() as bell:
        gone.close()
        feed.ring()
        bell.receive_nowait()
