import anyio
import pytest

from capabilities.adapters.downloader.changes import ChangeFeed
from tests.capabilities.adapters.downloader.rig import LIMIT_S


@pytest.mark.anyio
async def test_a_slow_reader_gets_every_key_once() -> None:
    feed = ChangeFeed()
    async with feed.reading() as changes:
        for turn in range(10_000):
            feed.publish(f"torrent {turn % 3}")
        feed.close()

        assert [key async for key in changes] == ["torrent 0", "torrent 1", "torrent 2"]


@pytest.mark.anyio
async def test_a_waiting_reader_is_woken_by_each_change() -> None:
    feed = ChangeFeed()
    seen: list[str] = []
    read = anyio.Event()

    async def reader(ready: anyio.Event) -> None:
        nonlocal read
        async with feed.reading() as changes:
            ready.set()
            async for key in changes:
                seen.append(key)
                read.set()

    with anyio.fail_after(LIMIT_S):
        async with anyio.create_task_group() as group:
            ready = anyio.Event()
            group.start_soon(reader, ready)
            await ready.wait()
            for key in ("one", "one", "two"):
                read = anyio.Event()
                feed.publish(key)
                await read.wait()
            feed.close()

    assert seen == ["one", "one", "two"]


@pytest.mark.anyio
async def test_a_reader_hears_nothing_of_before_and_nothing_after_its_block() -> None:
    feed = ChangeFeed()
    feed.publish("before")
    async with feed.reading() as first:
        feed.publish("during")
    feed.publish("after")
    feed.close()
    async with feed.reading() as late:
        heard = [key async for key in late]

    assert await anext(first) == "during"
    assert heard == []
