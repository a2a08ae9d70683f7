"""What is written down of who answers."""

import itertools
from collections.abc import AsyncGenerator, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.responses import Response
from structlog.testing import capture_logs

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.adapters.outbound import Outbound
from ledger.clock import Clock
from ledger.ledger import Ledger
from ledger.location import SqliteFile, database_file
from ledger.stores import contacts
from ledger.stores.contacts import Contact, Part
from server.background.contacts import EVERY_S, KEPT_S, LONGEST_S, Contacts
from tests.capabilities.adapters.outbound_bench import listening, outbound
from tests.capabilities.watch import Watch
from tests.ledger.homes import furnish
from tests.ledger.segments import ledger_at
from tests.stage_set import QUICK
from world.jellyfin_double import KEY, VERSION, JellyfinDouble, serving_jellyfin

pytestmark = pytest.mark.anyio

Logged = list[MutableMapping[str, Any]]


@dataclass
class Rig:
    ledger: Ledger
    watch: Watch
    out: Outbound
    double: JellyfinDouble
    logged: Logged = field(default_factory=list[MutableMapping[str, Any]])

    def servers(self, key: str = KEY) -> MediaServers:
        server = jellyfin("den", self.double.address, key, outbound=self.out)
        return MediaServers((Shown(server),))

    def contacts(self, servers: MediaServers | None = None) -> Contacts:
        return Contacts(self.ledger, None, servers or self.servers())

    async def row(self, part: Part = Part.MEDIA_SERVER) -> Contact | None:
        rows = await self.ledger.read(lambda conn: contacts.every(conn, part))
        return next(iter(rows.values()), None)

    async def look(self, of: Contacts) -> int:
        """Look once; how many requests came of it."""
        before = len(self.double.requests)
        with capture_logs() as logs:
            await of.look()
        self.logged += logs
        return len(self.double.requests) - before

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(entry["log_level"], entry["event"]) for entry in self.logged]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncGenerator[Rig]:
    furnish(tmp_path)
    watch = Watch()
    clock = Clock(now=watch.now, monotonic=watch.monotonic)
    async with (
        ledger_at(SqliteFile(database_file(tmp_path)), clock) as ledger,
        serving_jellyfin() as double,
        outbound() as out,
    ):
        yield Rig(ledger, watch, out, double)


def trouble(many: int = 3) -> list[Response]:
    return [Response(status_code=500) for _ in range(many)]


async def test_one_that_answers_is_written_down_with_version_and_time(rig: Rig) -> None:
    await rig.look(rig.contacts())

    row = await rig.row()
    assert row == Contact(
        Part.MEDIA_SERVER, "den", "jellyfin", True, VERSION, None, rig.watch.at, rig.watch.at
    )
    assert rig.said == []


async def test_one_that_went_and_came_back_is_told_of_once_each(rig: Rig) -> None:
    looking = rig.contacts()
    began = rig.watch.at
    await rig.look(looking)
    for _ in range(3):
        rig.double.answer_next(*trouble())
        rig.watch.advance(seconds=LONGEST_S)
        await rig.look(looking)
    away = await rig.row()
    for _ in range(2):
        rig.watch.advance(seconds=LONGEST_S)
        await rig.look(looking)

    assert away is not None
    assert (away.reachable, away.version, away.answered_at) == (False, VERSION, began)
    assert away.note is not None
    assert "an error of its own" in away.note
    assert rig.said == [
        ("warning", "it does not answer"),
        ("info", "it answers again"),
    ]
    back = await rig.row()
    assert back is not None
    assert (back.reachable, back.note, back.answered_at) == (True, None, rig.watch.at)


async def test_one_that_does_not_answer_is_asked_less_and_less_often(rig: Rig) -> None:
    looking = rig.contacts(rig.servers(key="wrong"))
    minutes: list[int] = []
    for minute in range(80):
        if await rig.look(looking):
            minutes.append(minute)
        rig.watch.advance(seconds=EVERY_S)

    pauses = [after - before for before, after in itertools.pairwise(minutes)]
    assert pauses[:4] == [2, 4, 8, 15]
    assert set(pauses[3:]) == {LONGEST_S // EVERY_S}


async def test_one_that_answers_is_asked_once_a_minute(rig: Rig) -> None:
    looking = rig.contacts()
    asked: list[int] = []
    for _ in range(3):
        asked += [await rig.look(looking), await rig.look(looking)]
        rig.watch.advance(seconds=EVERY_S)

    assert asked == [1, 0] * 3


async def test_what_goes_on_as_it_was_is_written_every_quarter_of_an_hour(rig: Rig) -> None:
    looking = rig.contacts()
    began = rig.watch.at
    written = {began}
    for _ in range(30):
        await rig.look(looking)
        row = await rig.row()
        assert row is not None
        written.add(row.looked_at)
        rig.watch.advance(seconds=EVERY_S)
    assert sorted(written) == [began, began + timedelta(seconds=KEPT_S)]

    rig.double.answer_next(*trouble())
    turned = rig.watch.at
    await rig.look(looking)
    row = await rig.row()
    assert row is not None
    assert (row.reachable, row.looked_at) == (False, turned)


async def test_what_another_process_saw_just_now_is_not_asked_again(rig: Rig) -> None:
    one, other = rig.contacts(), rig.contacts()
    first = [await rig.look(one), await rig.look(other)]  # each process looks once for itself
    rig.watch.advance(seconds=KEPT_S)
    later = [await rig.look(one), await rig.look(other)]

    assert (first, later) == ([1, 1], [1, 0])


async def test_one_that_says_nothing_is_waited_for_no_longer_than_it_takes(rig: Rig) -> None:
    async with listening() as (address, _):
        silent = jellyfin("den", address, KEY, outbound=rig.out)
        looking = Contacts(rig.ledger, None, MediaServers((Shown(silent),)), patience_s=0.05)
        await rig.look(looking)

    row = await rig.row()
    assert row is not None
    assert (row.reachable, row.note) == (False, "It did not answer within 0.05 s.")


@asynccontextmanager
async def clients(folder: Path) -> AsyncGenerator[tuple[InOnePlace, Downloaders]]:
    one = InOnePlace(
        "embedded",
        "embedded",
        lambda: open_embedded(folder / "state", folder, LoopbackProfile(), timing=QUICK),
    )
    yield one, Downloaders((one,), "embedded")


async def test_a_client_is_looked_at_by_the_process_that_runs_it(rig: Rig, tmp_path: Path) -> None:
    async with clients(tmp_path) as (one, both):
        looking = Contacts(rig.ledger, both, None)
        await rig.look(looking)
        elsewhere = await rig.row(Part.CLIENT)
        async with one.here():
            await rig.look(looking)
        here = await rig.row(Part.CLIENT)

    assert elsewhere is None
    assert here is not None
    assert (here.name, here.kind, here.reachable) == ("embedded", "embedded", True)
    assert here.version.startswith("libtorrent 2")


async def test_with_nothing_to_look_at_it_ends(rig: Rig) -> None:
    with anyio.fail_after(5):
        await Contacts(rig.ledger, None, None).run()


async def test_it_looks_by_itself_from_the_start(rig: Rig) -> None:
    with anyio.fail_after(5):
        async with rig.ledger.feed.listening() as bell, anyio.create_task_group() as tasks:
            tasks.start_soon(rig.contacts().run)
            while await rig.row() is None:
                await bell.receive()
            tasks.cancel_scope.cancel()
