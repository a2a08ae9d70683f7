"""From the placed file to the satisfied slot, with a media server that has a memory."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.responses import Response
from starlette.types import Receive, Send
from starlette.types import Scope as Asked

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.kernel.owing import IMPORT as IMPORT_TASK
from capabilities.kernel.owing import VERIFY, owe
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.verification import LEFT, CheckKind, Verification, verification_from
from capabilities.rules.works import WorkKind
from ledger.stores import decisions, tasks, works
from ledger.stores.decisions import Decision, DecisionState
from ledger.stores.shelf import RecordRow
from ledger.stores.tasks import TaskRow, TaskState
from ledger.tables import media
from ledger.writer import Transaction
from server.background.importing import Importer
from server.background.results import Done, Result, Wait
from server.background.tasks import TaskRunner
from server.background.verifying import FIRST_PAUSE_S, LONGEST_PAUSE_S, OWNER_S, Verifier
from tests.left_behind import frozen
from tests.scene import IMPORT, OWNER, VIDEO, Scene
from world.jellyfin_double import KEY, JellyfinDouble, Library, serving_jellyfin

pytestmark = pytest.mark.anyio

SETTLED = Done("everything that must be true of it is")
MINUTES = 30


@dataclass
class Rig:
    house: Scene
    double: JellyfinDouble
    clock: list[float]
    download: str = ""
    servers: list[MediaServers | None] = field(default_factory=list[MediaServers | None])

    async def place(self) -> RecordRow:
        """Sintel, placed by the import; its record."""
        plan = await frozen(self.house)
        self.download = plan.payload["download"]
        await self.house.answer("organize.execute", IMPORT, plan=plan.id)
        return await self.record()

    async def record(self) -> RecordRow:
        (record,) = await self.house.records(self.download)
        return record

    async def verification(self) -> Verification:
        return verification_from((await self.record()).verification or {})

    async def task(self) -> TaskRow:
        record = await self.record()
        return (await self.house.tasks(record.id))[VERIFY]

    async def look(self) -> Result:
        servers = self.servers[0] if self.servers else self.house.parts.get(MediaServers)
        return await Verifier(self.house.ledger, servers).attend(await self.task())

    def pass_(self, **span: float) -> None:
        self.house.base.time.ahead += timedelta(**span)
        self.clock[0] += timedelta(**span).total_seconds()

    async def state(self) -> tuple[str, str, list[str]]:
        """Of the record, of the download and of the slots."""
        download = await self.house.download(self.download)
        slots = [slot.state for slot in await self.house.slots()]
        return (await self.record()).state, download.state, slots

    async def decision(self) -> Decision:
        (one,) = await self.house.decisions()
        return one


@asynccontextmanager
async def rig(
    scene: Scene, *, key: str = KEY, kinds: frozenset[WorkKind] = frozenset(WorkKind)
) -> AsyncGenerator[Rig]:
    clock = [0.0]
    library = Library("Films", "movies", scene.folders.films)
    await scene.publish(OrganizePolicy(seen_within_minutes=MINUTES))
    async with serving_jellyfin(library, now=lambda: clock[0]) as double:
        server = jellyfin("den", double.address, key, outbound=scene.base.outbound)
        yield Rig(scene.having(MediaServers((Shown(server, kinds),))), double, clock)


async def test_the_slot_is_satisfied_only_once_the_server_shows_the_file(scene: Scene) -> None:
    async with rig(scene) as at:
        at.double.delay_s = 60
        await at.place()
        placed = await at.state()
        first = await at.look()
        told, waiting = at.double.told, await at.state()
        at.pass_(seconds=60)
        last = await at.look()

        assert scene.on_shelf() != []
        assert placed == waiting == ("verifying", "importing", ["in_flight"])
        assert isinstance(first, Wait)
        assert told == [str(scene.folders.films / VIDEO)]
        assert last == SETTLED
        assert await at.state() == ("succeeded", "imported", ["satisfied"])
        seen = [check for check in (await at.verification()).checks if check.server == "den"]
    assert [(check.kind, check.file, check.title) for check in seen] == [
        (CheckKind.SEEN, VIDEO, "Sintel")
    ]
    assert await scene.decisions() == []


async def test_every_check_of_a_video_is_written_down(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        checks = (await at.verification()).checks

    assert [(check.kind, check.passed) for check in checks] == [
        (CheckKind.PLACED, True),
        (CheckKind.READABLE, True),
        (CheckKind.LENGTH, True),
        (CheckKind.SEEN, False),
    ]


async def test_what_is_never_seen_stays_open_with_the_reason_and_asks_the_owner_once(
    scene: Scene,
) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        soon = await at.look()
        before = await scene.decisions()
        at.pass_(minutes=MINUTES)
        late = [await at.look(), await at.look()]
        record, asked = await at.record(), await at.decision()

    assert isinstance(soon, Wait)
    assert before == []
    assert [result.after_s for result in late if isinstance(result, Wait)] == [OWNER_S, OWNER_S]
    assert (record.state, record.ended_at) == ("verifying", None)
    assert record.last_error is not None
    assert 'on the media server "den": It does not show this file yet.' in record.last_error
    assert record.last_error in asked.title
    assert [option["id"] for option in asked.options] == ["re-evaluate", "accept", "dismiss"]
    assert [slot.state for slot in await scene.slots()] == ["in_flight"]


async def test_what_comes_late_closes_the_record_and_the_decision_by_itself(scene: Scene) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        await at.look()
        at.pass_(minutes=MINUTES)
        await at.look()
        asked = await at.decision()
        at.double.blind_to.clear()
        at.pass_(minutes=MINUTES)  # after which it is told again

        assert await at.look() == SETTLED
        assert await at.state() == ("succeeded", "imported", ["satisfied"])
    assert await scene.decisions() == []
    row = await scene.read(lambda conn: decisions.by_id(conn, asked.id))
    assert row is not None
    assert (row.state, row.resolved_by) == (DecisionState.RESOLVED, "system:verify")


async def test_the_owner_may_take_it_as_it_is(scene: Scene) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        at.pass_(minutes=MINUTES)
        await at.look()
        asked = await at.decision()
        await at.house.answer("decision.resolve", OWNER, decision=asked.id, option="accept")
        requests = len(at.double.requests)

        assert await at.look() == SETTLED
        assert len(at.double.requests) == requests
        assert await at.state() == ("succeeded", "imported", ["satisfied"])
        assert (await at.verification()).accepted == "owner:ada"


async def test_the_owner_may_have_it_looked_at_again(scene: Scene) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        at.pass_(minutes=MINUTES)
        await at.look()
        asked = await at.decision()
        await at.house.answer("decision.resolve", OWNER, decision=asked.id, option="re-evaluate")
        closed = await scene.decisions()
        await at.look()

        assert closed == []
        assert (await at.decision()).dedupe_key == asked.dedupe_key


async def test_a_server_that_is_away_or_refuses_is_the_reason_and_not_a_sight(scene: Scene) -> None:
    async with rig(scene, key="wrong") as at:
        await at.place()
        await at.look()
        refused = (await at.record()).last_error
        at.double.answer_next(*(Response(status_code=500) for _ in range(12)))
        at.pass_(minutes=MINUTES)
        await at.look()
        away = (await at.record()).last_error

    assert refused is not None
    assert "does not accept its key" in refused
    assert away is not None
    assert "an error of its own" in away


async def test_looks_come_further_apart_and_the_server_is_not_told_at_each(scene: Scene) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        pauses: list[float] = []
        for _ in range(7):
            result = await at.look()
            assert isinstance(result, Wait)
            pauses.append(result.after_s)
        told = [request.url.path for request in at.double.requests].count("/Library/Media/Updated")
        at.pass_(minutes=11)
        await at.look()
        again = [request.url.path for request in at.double.requests].count("/Library/Media/Updated")

    assert pauses[:3] == [FIRST_PAUSE_S, 2 * FIRST_PAUSE_S, 4 * FIRST_PAUSE_S]
    assert pauses[-1] == LONGEST_PAUSE_S
    assert (told, again) == (1, 2)


async def test_a_file_that_went_away_meanwhile_is_no_import(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        (scene.folders.films / VIDEO).unlink()
        await at.look()

        assert (await at.state())[2] == ["in_flight"]
        assert "no longer stands at its place" in (await at.decision()).title


async def test_another_file_in_its_place_is_no_import(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        film = scene.folders.films / VIDEO
        other = film.with_name("other.mkv")
        other.write_bytes(film.read_bytes())
        other.replace(film)
        await at.look()

        assert "Another file stands at its place" in (await at.decision()).title


async def test_where_no_server_shows_films_nothing_is_waited_for(scene: Scene) -> None:
    async with rig(scene, kinds=frozenset({WorkKind.SERIES})) as at:
        record = await at.place()

        assert await at.state() == ("succeeded", "imported", ["satisfied"])
        assert at.double.requests == []
        assert await scene.tasks(record.id) == {}


async def test_a_server_that_is_no_longer_configured_has_seen_nothing_and_the_owner_is_asked(
    scene: Scene,
) -> None:
    async with rig(scene) as at:
        await at.place()
        at.servers.append(None)
        result = await at.look()
        asked = await at.decision()

        assert result == Wait(OWNER_S, (await at.record()).last_error)
        assert f'on the media server "den": {LEFT}' in asked.title
        assert [option["id"] for option in asked.options] == ["re-evaluate", "accept", "dismiss"]
        assert await at.state() == ("verifying", "importing", ["in_flight"])
        await at.house.answer("decision.resolve", OWNER, decision=asked.id, option="accept")
        assert await at.look() == SETTLED
        checks = (await at.verification()).checks

    assert [check.passed for check in checks if check.kind is CheckKind.SEEN] == [False]


async def test_a_server_that_is_back_closes_what_waited_for_it(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        at.servers.append(None)
        await at.look()
        at.servers.clear()

        assert await at.look() == SETTLED
        assert await scene.decisions() == []
        assert await at.state() == ("succeeded", "imported", ["satisfied"])


async def test_a_server_under_a_new_name_is_asked_for_what_was_placed_before(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        renamed = jellyfin("salon", at.double.address, KEY, outbound=scene.base.outbound)
        at.servers.append(MediaServers((Shown(renamed),)))

        assert await at.look() == SETTLED
        assert await scene.decisions() == []
        checks = (await at.verification()).checks

    assert [
        (check.server, check.instead_of, check.title)
        for check in checks
        if check.kind is CheckKind.SEEN
    ] == [("salon", "den", "Sintel")]


async def test_a_server_that_came_later_is_not_waited_for(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        both = at.house.parts.get(MediaServers).every
        later = jellyfin("later", "http://127.0.0.1:1", KEY, outbound=scene.base.outbound)
        at.servers.append(MediaServers((Shown(later), *both)))

        assert await at.look() == SETTLED


async def test_a_record_that_is_closed_is_left_as_it_is(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        task = await at.task()
        assert await at.look() == SETTLED
        again = Verifier(scene.ledger, at.house.parts.get(MediaServers))

        assert await again.attend(task) == Done("there is nothing left to verify")


async def test_what_is_being_verified_is_not_imported_again(scene: Scene) -> None:
    async with rig(scene) as at:
        await at.place()
        importer = Importer(scene.ledger, at.house.registry, scene.parts.get(Downloaders))
        await scene.write(lambda tx: owe(tx, scene.ledger, IMPORT_TASK, at.download))
        task = (await scene.tasks(at.download))[IMPORT_TASK]

        assert await importer.attend(task) == Done(
            "it is placed; what must be true of it is being verified"
        )
        assert len(await scene.records(at.download)) == 1


async def test_a_file_of_another_length_waits_for_the_owner_and_for_no_server(
    scene: Scene,
) -> None:
    async with rig(scene, kinds=frozenset({WorkKind.SERIES})) as at:
        plan = await frozen(at.house)
        at.download = plan.payload["download"]
        await scene.write(lambda tx: _last(tx, plan.payload["work"], minutes=240))
        await at.house.answer("organize.execute", IMPORT, plan=plan.id)
        before = await at.state()
        await at.look()
        asked = await at.decision()
        await at.house.answer("decision.resolve", OWNER, decision=asked.id, option="accept")
        await at.look()

        assert before == ("verifying", "importing", ["in_flight"])
        assert "It lasts 82 min where 240 min are expected" in asked.title
        assert await at.state() == ("succeeded", "imported", ["satisfied"])
        assert at.double.requests == []


def _last(tx: Transaction, work: str, *, minutes: int) -> None:
    """Let a work be known to last so long."""
    row = works.by_id(tx.conn, work)
    assert row is not None
    body = {**row.body, "runtime_minutes": minutes}
    tx.conn.execute(media.work.update().where(media.work.c.id == work).values(body=body))


async def test_the_task_begins_with_the_placing_and_closes_the_record_by_itself(
    scene: Scene,
) -> None:
    async with rig(scene) as at:
        verifier = Verifier(scene.ledger, at.house.parts.get(MediaServers))
        scene.base.segments["task"] = TaskRunner(scene.ledger, {VERIFY: verifier.attend}).segment
        record = await at.place()
        await scene.until(
            lambda conn: [one for one in tasks.of_subject(conn, record.id) if one.ended_at]
        )

        assert await at.state() == ("succeeded", "imported", ["satisfied"])
        assert (await at.task()).state is TaskState.SUCCEEDED


class Meanwhile(Response):
    """An answer before which something else happens."""

    def __init__(self, act: Callable[[], Awaitable[object]]) -> None:
        super().__init__(status_code=404)
        self.act = act

    async def __call__(self, scope: Asked, receive: Receive, send: Send) -> None:
        await self.act()
        await super().__call__(scope, receive, send)


async def test_the_owners_word_counts_also_when_it_comes_in_the_middle_of_a_look(
    scene: Scene,
) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        at.pass_(minutes=MINUTES)
        await at.look()
        asked = await at.decision()

        async def accept() -> None:
            await at.house.answer("decision.resolve", OWNER, decision=asked.id, option="accept")

        at.double.answer_next(Meanwhile(accept))

        assert await at.look() == SETTLED
        assert (await at.verification()).accepted == "owner:ada"
        assert (await at.state())[0] == "succeeded"


async def test_what_the_owner_left_as_it_is_stays_open_and_is_not_asked_about_again(
    scene: Scene,
) -> None:
    async with rig(scene) as at:
        at.double.blind_to.add(Path(VIDEO).name)
        await at.place()
        at.pass_(minutes=MINUTES)
        await at.look()
        asked = await at.decision()
        await at.house.answer("decision.resolve", OWNER, decision=asked.id, option="dismiss")
        await at.look()

        assert await scene.decisions() == []
        assert (await at.state())[0] == "verifying"
