from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.contents import Contents
from capabilities.download.drafting import Known, wanted
from capabilities.download.submission import Submission, record_submission
from capabilities.download.wanted_slots import (
    Slots,
    counting_for,
    dated,
    free_slots,
    named_targets,
)
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import work_from
from capabilities.rules.works import WorkKind
from ledger.stores import plans, policies, releases, shelf, works
from ledger.writer import Transaction
from tests.capabilities.download.packs import identified, offered, written
from tests.ledger.rows import new_plan
from tests.scene import IMPORT, KEY, OWNER, Scene

LANTERN = "tmdb:series:900001"
AIRED = "2019.02.11"
NO_WORDS = IdentityPolicy()


def context(scene: Scene, by: Actor = KEY) -> Context:
    return Context(by, scene.ledger, scene.parts, "request", "call")


async def known(scene: Scene, title: str, key: str, identity: IdentityPolicy = NO_WORDS) -> Known:
    """A release of this title for that work."""
    row_id = await scene.id_of(await scene.release())
    await scene.work(id_=key)
    work_id = await scene.work_id(key)
    row = await scene.read(lambda conn: releases.by_id(conn, row_id))
    work = await scene.read(lambda conn: works.by_id(conn, work_id))
    policy = await scene.read(lambda conn: policies.published(conn, "acquisition"))
    organize = await scene.read(lambda conn: policies.published(conn, "organize"))
    assert row is not None
    assert work is not None
    assert policy is not None
    assert organize is not None
    row = replace(row, title=title)
    return Known(row, work_id, work_from(work.body), policy, organize, identity)


async def slots_of(scene: Scene, release: Known, by: Actor = KEY) -> Slots:
    asking = context(scene, by)
    release = await dated(release, asking)
    named = named_targets(release, await counting_for(release, asking))
    return await free_slots(release, named, asking)


def numbers(slots: Slots) -> list[tuple[int, int]]:
    return [(slot.season, slot.episode) for slot in slots.free]


async def fill(scene: Scene, key: str, season: int, episode: int, state: str) -> None:
    work = await scene.work_id(key)
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, season, episode, state=state, asset_id=None)
    )


async def under_way(scene: Scene, release: Known) -> None:
    """A plan for the release, and its download, as a submission writes them down."""
    slots = await slots_of(scene, release)
    inside = Contents(InfoHashes("ab" * 20), 1_000, ())
    acquired = wanted(release, inside, slots.free, [], context(scene))
    plan = new_plan("plan_1", acquired.payload(), scene.ledger.now())
    made = Submission("dl_1", plan, acquired, "embedded", inside.hashes, adopted=False)

    def write(tx: Transaction) -> None:
        plans.add(tx, plan)
        record_submission(tx, scene.ledger, made)

    await scene.write(write)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("title", "slots"),
    [
        ("Lantern.Street.S01E02.1080p.WEB-DL", [(1, 2)]),
        ("Lantern.Street.S02E01E02.1080p.WEB-DL", [(2, 1), (2, 2)]),
        ("Lantern.Street.S01.1080p.WEB-DL", [(1, 1), (1, 2), (1, 3)]),
        ("[OPEN] Lantern Street - 04 [1080p]", [(2, 1)]),
        ("Lantern.Street.S01E09.1080p.WEB-DL", [(1, 9)]),
    ],
)
async def test_a_series_release_is_for_the_episodes_it_names(
    scene: Scene, title: str, slots: list[tuple[int, int]]
) -> None:
    found = await slots_of(scene, await known(scene, title, LANTERN))
    assert numbers(found) == slots
    assert {slot.revision for slot in found.free} == {0}
    assert found.left_out is None


@pytest.mark.anyio
async def test_a_film_is_one_slot_at_its_revision(scene: Scene) -> None:
    film = await known(scene, "Sintel.2010.1080p", "tmdb:film:45745")
    assert film.work.key.kind is WorkKind.FILM
    await fill(scene, "tmdb:film:45745", 0, 0, "wanted")
    (slot,) = (await slots_of(scene, film)).free
    assert (slot.season, slot.episode, slot.revision) == (0, 0, 1)


@pytest.mark.anyio
async def test_of_a_season_only_what_the_library_lacks_is_free(scene: Scene) -> None:
    pack = await known(scene, "Lantern.Street.S01.1080p.WEB-DL", LANTERN)
    for episode in (1, 3):
        await fill(scene, LANTERN, 1, episode, "satisfied")
    found = await slots_of(scene, pack)
    assert numbers(found) == [(1, 2)]
    assert found.left_out == "2 of 3 episodes are in the library already, and stay as they are"
    await fill(scene, LANTERN, 1, 2, "satisfied")
    with pytest.raises(HaltError, match=r"^Lantern Street \(2019\) is in the library already"):
        await slots_of(scene, pack)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("on_its_way", "said"),
    [
        ("Lantern.Street.S01E02.1080p.WEB-DL", "A part of Lantern Street (2019) is being"),
        ("Lantern.Street.S01.1080p.WEB-DL", "Lantern Street (2019) is being"),
    ],
)
async def test_nothing_is_downloaded_twice_where_a_part_is_on_its_way(
    scene: Scene, on_its_way: str, said: str
) -> None:
    await under_way(scene, await known(scene, on_its_way, LANTERN))
    pack = await known(scene, "Lantern.Street.S01.720p.WEB-DL", LANTERN)
    with pytest.raises(HaltError) as refused:
        await slots_of(scene, pack)
    assert refused.value.outcome.sentence == f"{said} downloaded already: {on_its_way}."
    other = await known(scene, "Lantern.Street.S02E01.720p.WEB-DL", LANTERN)
    assert numbers(await slots_of(scene, other)) == [(2, 1)]


@pytest.mark.anyio
async def test_what_is_marked_on_its_way_and_is_not_is_free(scene: Scene) -> None:
    film = await known(scene, "Sintel.2010.1080p", "tmdb:film:45745")
    await fill(scene, "tmdb:film:45745", 0, 0, "in_flight")
    assert numbers(await slots_of(scene, film)) == [(0, 0)]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "title",
    [
        "[OPEN] Lantern Street - 99 [1080p]",
        "Lantern.Street.S01E02.S02E03.1080p.WEB-DL",
        "Lantern.Street.1999.12.31.1080p.WEB-DL",
    ],
)
async def test_nobody_guesses_which_episodes_it_is_and_only_the_owner_plans_it(
    scene: Scene, title: str
) -> None:
    odd = await known(scene, title, LANTERN)
    assert await slots_of(scene, odd, OWNER) == Slots([])
    with pytest.raises(HaltError, match=r"^It is not known which episodes of Lantern Street"):
        await slots_of(scene, odd)


@pytest.mark.anyio
async def test_a_release_of_a_day_is_for_the_episode_that_was_aired_then(scene: Scene) -> None:
    daily = await known(scene, f"Lantern.Street.{AIRED}.1080p.WEB-DL", LANTERN)
    assert numbers(await slots_of(scene, daily)) == [(1, 2)]
    await under_way(scene, daily)
    single = await known(scene, "Lantern.Street.S01E02.720p.WEB-DL", LANTERN)
    for again in (daily, single):
        with pytest.raises(HaltError, match="is being downloaded already"):
            await slots_of(scene, again)
    await fill(scene, LANTERN, 1, 2, "satisfied")
    with pytest.raises(HaltError, match="is in the library already"):
        await slots_of(scene, daily)


@pytest.mark.anyio
async def test_a_name_without_numbers_is_for_the_first_season(scene: Scene) -> None:
    bare = await known(scene, "Lantern.Street.1080p.WEB-DL", LANTERN)
    assert numbers(await slots_of(scene, bare)) == [(1, 1), (1, 2), (1, 3)]


@pytest.mark.anyio
async def test_the_owners_words_say_which_episodes_it_is_for(scene: Scene) -> None:
    words = words_from([f"force: Laternenweg => {LANTERN} season 2 episode 1"])
    title = "Laternenweg.Folge.7.1080p.WEB-DL"
    forced = await known(scene, title, LANTERN, IdentityPolicy(words=words))
    assert numbers(await slots_of(scene, forced)) == [(2, 1)]


@pytest.mark.anyio
async def test_a_release_of_a_day_is_planned_once_and_comes_onto_the_shelf_as_its_episode(
    scene: Scene, tmp_path: Path
) -> None:
    title = f"Lantern.Street.{AIRED}.1080p.WEB-DL.x264-OPEN"
    async with offered(scene, written(tmp_path, title, (title,))) as (house, _):
        release = await identified(house)
        plan = (await house.answer("download.plan", release=release))["plan"]
        await house.approved("download.submit", plan=plan)
        answer = await house.answer("download.submit", plan=plan)
        refused = await house.refusal(Code.CONFLICT, "download.plan", release=release)
        row = await house.download(await house.id_of(answer["download"]))
        await house.until_complete(row.info_hash)
    assert refused.sentence.endswith(f"is being downloaded already: {title}.")
    (slot,) = await scene.slots()
    assert (slot.season, slot.episode, slot.state) == (1, 2, "in_flight")
    made = await scene.answer("organize.plan", IMPORT, download=row.id)
    await scene.answer("organize.execute", IMPORT, plan=made["plan"])
    assert [(one.episode, one.state) for one in await scene.slots()] == [(2, "satisfied")]
