from dataclasses import replace

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.contents import Contents
from capabilities.download.drafting import Known, draft, wanted
from capabilities.download.submission import Submission, record_submission
from capabilities.download.wanted_slots import Slots, counting_for, free_slots
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import work_from
from capabilities.rules.works import WorkKind
from ledger.stores import plans, policies, releases, shelf, works
from ledger.writer import Transaction
from tests.scene import KEY, Scene

LANTERN = "tmdb:series:900001"
NO_WORDS = IdentityPolicy()


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


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


async def slots_of(scene: Scene, release: Known) -> Slots:
    return await free_slots(release, await counting_for(release, context(scene)), context(scene))


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
    acquired = wanted(release, inside, slots.free, context(scene))
    plan = draft(acquired, release, 0, None, context(scene))
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
async def test_nobody_guesses_which_episode_a_number_that_counts_through_is(
    scene: Scene,
) -> None:
    odd = await known(scene, "[OPEN] Lantern Street - 99 [1080p]", LANTERN)
    assert await slots_of(scene, odd) == Slots([])


@pytest.mark.anyio
async def test_nobody_guesses_which_of_two_seasons_an_episode_is_of(scene: Scene) -> None:
    both = await known(scene, "Lantern.Street.S01E02.S02E03.1080p.WEB-DL", LANTERN)
    assert await slots_of(scene, both) == Slots([])


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
