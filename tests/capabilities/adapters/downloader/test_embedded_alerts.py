import anyio
import libtorrent as lt
import pytest

from capabilities.adapters.downloader.embedded_alerts import AlertPump
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from tests.capabilities.adapters.downloader.rig import LIMIT_S

MANY = 1000


@pytest.mark.anyio
async def test_every_alert_is_handed_on_without_being_asked_for() -> None:
    session = lt.session(LoopbackProfile().pack())
    seen = 0
    turns = 0
    over = anyio.Event()

    def on_states(alert: lt.state_update_alert) -> None:
        nonlocal seen
        assert alert.status == []
        seen += 1
        if seen == MANY:
            over.set()

    async def others() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            await anyio.lowlevel.checkpoint()

    pump = AlertPump(session, {lt.state_update_alert: on_states})
    for _ in range(MANY):
        session.post_torrent_updates(0)
    with anyio.fail_after(LIMIT_S):
        async with anyio.create_task_group() as group:
            group.start_soon(others)
            await over.wait()
    pump.close()

    assert seen == MANY
    assert turns > 1


@pytest.mark.anyio
async def test_a_pump_that_is_closed_by_a_handler_hands_on_nothing_more() -> None:
    session = lt.session(LoopbackProfile().pack())
    seen = 0
    closed = anyio.Event()

    def on_states(_: lt.state_update_alert) -> None:
        nonlocal seen
        seen += 1
        pump.close()
        closed.set()

    pump = AlertPump(session, {lt.state_update_alert: on_states})
    for _ in range(MANY):
        session.post_torrent_updates(0)
    with anyio.fail_after(LIMIT_S):
        await closed.wait()
        await anyio.lowlevel.checkpoint()

    assert seen == 1
