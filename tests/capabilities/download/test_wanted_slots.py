from dataclasses import replace

import pytest

from capabilities.download.drafting import Known
from capabilities.download.wanted_slots import free_slots
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import work_from
from capabilities.rules.works import WorkKind
from ledger.stores import policies, releases, shelf, works
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
    assert row is not None
    assert work is not None
    assert policy is not None
    return Known(replace(row, title=title), work_id, work_from(work.body), policy, policy, identity)


async def fill(scene: Scene, key: str, season: int, episode: int, state: str) -> None:
    work = await scene.work_id(key)
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, season, episode, state=state, asset_id=None)
    )


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
    found = await free_slots(await known(scene, title, LANTERN), context(scene))
    assert [(slot.season, slot.episode) for slot in found] == slots
    assert {slot.revision for slot in found} == {0}


@pytest.mark.anyio
async def test_a_film_is_one_slot_at_its_revision(scene: Scene) -> None:
    film = await known(scene, "Sintel.2010.1080p", "tmdb:film:45745")
    assert film.work.key.kind is WorkKind.FILM
    await fill(scene, "tmdb:film:45745", 0, 0, "wanted")
    (slot,) = await free_slots(film, context(scene))
    assert (slot.season, slot.episode, slot.revision) == (0, 0, 1)


@pytest.mark.anyio
async def test_a_season_of_which_a_part_is_there_is_free_and_all_of_it_is_not(
    scene: Scene,
) -> None:
    pack = await known(scene, "Lantern.Street.S01.1080p.WEB-DL", LANTERN)
    for episode in (1, 2):
        await fill(scene, LANTERN, 1, episode, "satisfied")
    assert len(await free_slots(pack, context(scene))) == 3
    await fill(scene, LANTERN, 1, 3, "satisfied")
    with pytest.raises(HaltError, match="Lantern Street \\(2019\\) is in the library already"):
        await free_slots(pack, context(scene))


@pytest.mark.anyio
async def test_what_is_marked_on_its_way_and_is_not_is_free(scene: Scene) -> None:
    film = await known(scene, "Sintel.2010.1080p", "tmdb:film:45745")
    await fill(scene, "tmdb:film:45745", 0, 0, "in_flight")
    assert await free_slots(film, context(scene))


@pytest.mark.anyio
async def test_nobody_guesses_which_episode_a_number_that_counts_through_is(
    scene: Scene,
) -> None:
    odd = await known(scene, "[OPEN] Lantern Street - 99 [1080p]", LANTERN)
    assert await free_slots(odd, context(scene)) == []


@pytest.mark.anyio
async def test_nobody_guesses_which_of_two_seasons_an_episode_is_of(scene: Scene) -> None:
    both = await known(scene, "Lantern.Street.S01E02.S02E03.1080p.WEB-DL", LANTERN)
    assert await free_slots(both, context(scene)) == []


@pytest.mark.anyio
async def test_a_name_without_numbers_is_for_the_first_season(scene: Scene) -> None:
    bare = await known(scene, "Lantern.Street.1080p.WEB-DL", LANTERN)
    found = await free_slots(bare, context(scene))
    assert [(slot.season, slot.episode) for slot in found] == [(1, 1), (1, 2), (1, 3)]


@pytest.mark.anyio
async def test_the_owners_words_say_which_episodes_it_is_for(scene: Scene) -> None:
    words = words_from([f"force: Laternenweg => {LANTERN} season 2 episode 1"])
    title = "Laternenweg.Folge.7.1080p.WEB-DL"
    forced = await known(scene, title, LANTERN, IdentityPolicy(words=words))
    (slot,) = await free_slots(forced, context(scene))
    assert (slot.season, slot.episode) == (2, 1)
