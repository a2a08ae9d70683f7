"""The next release in place of one that failed, with the real registry, rules and client."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.download.failing import Block, Failure, record_failure
from capabilities.kernel.actors import Actor
from capabilities.rules.fakes import Suspicion
from capabilities.rules.under_way import ACTIVE
from ledger.database import Snapshot
from ledger.stores import blocklist, downloads
from ledger.stores.decisions import Decision, DecisionKind
from ledger.stores.downloads import DownloadRow
from ledger.stores.grants import Scope
from ledger.stores.plans import PlanState
from server.background.importing import Importer
from server.background.replacing import BY_HAND, ENOUGH, NOT_GRANTED, NOTHING_ELSE, Replacer
from server.background.results import Done, Wait
from server.background.suspects import stop
from server.background.tasks import TaskRunner
from server.background.tracking import Tracker
from server.background.watching import Watcher
from tests.ledger.rows import add_run
from tests.scene import KEY, OWNER, VIDEO, Scene, run_of
from tests.server.background.torrents import (
    FIRST,
    MIB,
    SECOND,
    SINTEL,
    offer_of,
    offering,
)
from world.indexer_feed import Offer
from world.stage import RELEASE

pytestmark = pytest.mark.anyio

FAILED = Failure("The torrent is broken.", "failed", block=Block.WORK)
SUBMIT = "download.submit"


@asynccontextmanager
async def failed(
    scene: Scene, folder: Path, titles: Sequence[str] = (FIRST, SECOND), by: Actor = KEY
) -> AsyncGenerator[tuple[Scene, DownloadRow]]:
    """A download of the first of these, which has failed for good."""
    async with offering(scene, folder, titles) as house:
        row = await house.submitted(titles[0], by)
        await fails(house, row)
        yield house, row


async def fails(house: Scene, row: DownloadRow) -> None:
    await house.write(lambda tx: record_failure(tx, house.ledger, row, FAILED))


async def attended(house: Scene, row: DownloadRow) -> Done:
    task = (await house.tasks(row.id))["next"]
    result = await Replacer(house.ledger, house.registry).attend(task)
    assert isinstance(result, Done)
    return result


async def about(house: Scene, row: DownloadRow) -> Decision:
    """The one question about a download that failed."""
    (asked,) = [one for one in await house.decisions() if one.subject == row.id]
    assert asked.kind is DecisionKind.DOWNLOAD_FAILED
    return asked


async def test_with_a_grant_the_next_one_is_taken_by_itself(scene: Scene, tmp_path: Path) -> None:
    async with failed(scene, tmp_path) as (house, row):
        grant = await house.grant(SUBMIT, Scope())
        await attended(house, row)
        (taken,) = [one for one in await house.downloads() if one.id != row.id]
        assert taken.name == SECOND
        asked = await about(house, row)
    assert grant in {claim.authority for claim in await house.claims(SUBMIT)}
    assert f"{SECOND} is fetched in its place." in asked.title
    assert [slot.state for slot in await house.slots()] == ["in_flight"]


async def test_without_a_grant_the_next_one_is_offered_and_nothing_is_asked_of_the_world(
    scene: Scene, tmp_path: Path
) -> None:
    async with failed(scene, tmp_path) as (house, row):
        await attended(house, row)
        asked = await about(house, row)
        assert asked.evidence["next"] == NOT_GRANTED
        first = asked.options[0]
        assert first["capability"] == SUBMIT
        assert first["title"].startswith(f"Take {SECOND} instead (")
        assert len(await house.downloads()) == 1
        assert len(await house.claims(SUBMIT)) == 1
        assert all(one.approval is None for one in await house.decisions())
        await house.answer("decision.resolve", OWNER, decision=asked.id, option="next")
        names = {one.name: one.state for one in await house.downloads()}
    assert names == {FIRST: "failed", SECOND: "submitted"}
    assert await house.decisions() == []


async def test_what_the_owner_picked_by_hand_is_not_replaced_by_itself(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST, SECOND)) as house:
        await house.grant(SUBMIT, Scope())
        plan = (await house.drafted(FIRST, OWNER))["plan"]
        answer = await house.answer(SUBMIT, OWNER, plan=plan)
        row = await house.download(await house.id_of(answer["download"], OWNER))
        await fails(house, row)
        await attended(house, row)
        asked = await about(house, row)
    assert asked.evidence["next"] == BY_HAND
    assert asked.options[0]["id"] == "next"
    assert len(await house.downloads()) == 1


async def test_where_there_is_nothing_else_that_is_said(scene: Scene, tmp_path: Path) -> None:
    async with failed(scene, tmp_path, (FIRST,)) as (house, row):
        await house.grant(SUBMIT, Scope())
        await attended(house, row)
        asked = await about(house, row)
    assert asked.evidence["next"] == NOTHING_ELSE
    assert [one["id"] for one in asked.options] == ["remove", "dismiss"]


async def test_after_three_in_its_place_it_is_left_to_the_owner(
    scene: Scene, tmp_path: Path
) -> None:
    titles = [f"Sintel.2010.1080p.BluRay.x264-G{number}" for number in range(6)]
    async with failed(scene, tmp_path, titles) as (house, row):
        await house.grant(SUBMIT, Scope())
        taken, last = [row.name], row
        while (new := await in_place(house, last)) is not None:
            taken.append(new.name)
            last = new
            await fails(house, last)
        asked = await about(house, last)
    assert taken == titles[:4]
    assert asked.evidence["next"] == ENOUGH
    assert asked.options[0]["title"].startswith(f"Take {titles[4]} instead")


async def in_place(house: Scene, row: DownloadRow) -> DownloadRow | None:
    """What was taken in its place, if anything was."""
    known = {one.id for one in await house.downloads()}
    await attended(house, row)
    new = [one for one in await house.downloads() if one.id not in known]
    return new[0] if new else None


async def test_what_failed_is_never_taken_again(scene: Scene, tmp_path: Path) -> None:
    async with failed(scene, tmp_path) as (house, row):
        await house.grant(SUBMIT, Scope())
        second = await in_place(house, row)
        assert second is not None
        await fails(house, second)
        assert await in_place(house, second) is None
        blocked = await house.read(lambda conn: blocklist.standing(conn, row.work))
    assert {one.info_hash for one in blocked} == {row.info_hash, second.info_hash}


async def test_one_that_turns_out_to_be_a_fake_when_it_is_opened_is_passed_over(
    scene: Scene, tmp_path: Path
) -> None:
    third = "Sintel.2010.1080p.BluRay.x264-THREE"
    offers = [
        offer_of(tmp_path, FIRST, seeders=50),
        offer_of(tmp_path, SECOND, "codec.exe", seeders=40),
        offer_of(tmp_path, third, seeders=30),
    ]
    async with scene.offering(*offers) as house:
        row = await house.submitted(FIRST)
        await fails(house, row)
        await house.grant(SUBMIT, Scope())
        new = await in_place(house, row)
    assert new is not None
    assert new.name == third


async def test_arr_23_a_fake_says_what_is_fetched_in_its_place(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST, SECOND)) as house:
        row = await house.submitted(FIRST)
        found = Suspicion({f"{FIRST}.exe": "it is a program"})
        await house.write(lambda tx: stop(tx, house.ledger, row, found, house.ledger.now()))
        await attended(house, row)
        (asked,) = await house.decisions()
        assert [one["id"] for one in asked.options] == ["next", "remove", "accept", "dismiss"]
        await house.grant(SUBMIT, Scope())
        new = await in_place(house, row)
        (asked,) = await house.decisions()
    assert new is not None
    assert asked.kind is DecisionKind.DANGEROUS_CONTENT
    assert asked.evidence["next"] == f"{SECOND} is fetched in its place."
    assert [one["id"] for one in asked.options] == ["remove", "accept", "dismiss"]


async def test_a_run_that_waits_for_it_waits_for_what_takes_its_place(
    scene: Scene, tmp_path: Path
) -> None:
    await scene.write(lambda tx: add_run(tx, "run_1", scene.ledger.now()))
    async with failed(scene, tmp_path, by=run_of("run_1")) as (house, row):
        await house.grant(SUBMIT, Scope())
        new = await in_place(house, row)
        assert new is not None
        assert new.run == "run_1"


async def test_what_is_there_already_by_another_download_is_not_fetched_again(
    scene: Scene, tmp_path: Path
) -> None:
    async with failed(scene, tmp_path) as (house, row):
        await house.submitted(SECOND)
        await house.grant(SUBMIT, Scope())
        result = await attended(house, row)
    assert "on its way" in result.step
    assert len(await house.downloads()) == 2


async def test_one_that_goes_on_is_not_replaced(scene: Scene, tmp_path: Path) -> None:
    async with failed(scene, tmp_path) as (house, row):
        await house.turn(row.id, "downloading")
        result = await attended(house, row)
    assert result == Done("nothing has to take its place")


async def test_one_that_was_cut_short_is_gone_on_with_and_submitted_once(
    scene: Scene, tmp_path: Path
) -> None:
    async with failed(scene, tmp_path) as (house, row):
        await attended(house, row)
        asked = await about(house, row)
        plan = asked.options[0]["arguments"]["plan"]
        await house.grant(SUBMIT, Scope())
        kept = await house.download(row.id)
        facts = {**kept.facts, "next_taken": True}
        await house.write(lambda tx: downloads.change(tx, row.id, facts=facts))
        await attended(house, row)
        await attended(house, row)
        assert len(await house.claims(SUBMIT)) == 2
        assert (await house.plan(plan)).state is PlanState.SUBMITTED


async def test_one_whose_grant_went_meanwhile_is_left_to_the_owner(
    scene: Scene, tmp_path: Path
) -> None:
    async with failed(scene, tmp_path) as (house, row):
        await attended(house, row)
        kept = await house.download(row.id)
        facts = {**kept.facts, "next_taken": True}
        await house.write(lambda tx: downloads.change(tx, row.id, facts=facts))
        result = await attended(house, row)
        assert result == Done("the next release was not taken")
        assert len(await house.downloads()) == 1


def has_one(name: str, *states: str) -> Callable[[Snapshot], bool]:
    """Whether a download of this name is in one of these states."""
    return lambda conn: any(row.name == name for row in downloads.listing(conn, states=states))


async def test_arr_24_what_is_given_up_comes_home_by_the_next_one(
    scene: Scene, tmp_path: Path
) -> None:
    real = Offer(RELEASE, MIB, seeders=5, torrent=scene.stage.seed.torrent_bytes, tmdb_id=SINTEL)
    async with scene.offering(offer_of(tmp_path, FIRST, seeders=50), real) as house:
        row = await house.submitted(FIRST)
        await house.grant(SUBMIT, Scope())
        clients = house.parts.get(Downloaders)
        follower = Tracker(house.ledger, clients)
        kinds = {
            "track": follower.attend,
            "import": Importer(house.ledger, house.registry, clients).attend,
            "next": Replacer(house.ledger, house.registry).attend,
        }
        house.base.segments["task"] = TaskRunner(house.ledger, kinds).segment
        async with anyio.create_task_group() as group:
            group.start_soon(Watcher(clients, follower).run)
            await house.answer("download.give_up", OWNER, download=row.id)
            await house.until(has_one(RELEASE, *ACTIVE, "imported"))
            await house.until(has_one(RELEASE, "imported"))
            group.cancel_scope.cancel()
        states = {one.name: one.state for one in await house.downloads()}
    assert states == {FIRST: "failed", RELEASE: "imported"}
    assert VIDEO in scene.on_shelf()


async def test_while_an_indexer_does_not_answer_it_is_tried_again(
    scene: Scene, tmp_path: Path
) -> None:
    async with failed(scene, tmp_path) as (house, row):
        task = (await house.tasks(row.id))["next"]
    result = await Replacer(house.ledger, house.registry).attend(task)
    assert isinstance(result, Wait)
    assert await house.decisions() == []
