from datetime import timedelta

import pytest

from capabilities.inventory.library_titles import ASK_AGAIN
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import OWNER, Scene
from tests.stage_set import catalogue_of

pytestmark = pytest.mark.anyio
NOBODY = "Nobody Knows This (1991)/Nobody Knows This (1991) - S01E01.mkv"


async def told(scene: Scene, *, silent: bool = False) -> tuple[int, int]:
    """How many titles of the series are told, of how many."""
    source = catalogue_of(scene.base, address="http://127.0.0.1:9")
    asked = scene.having(source) if silent else scene
    plan = await asked.answer("inventory.plan", OWNER, library="series")
    return plan["titles_told"], plan["titles"]


async def test_a_title_is_asked_for_once(scene: Scene) -> None:
    put(scene.folders.series, episode(1, "S01E01"), episode(2, "S02E01"))
    assert await told(scene) == (1, 1)
    put(scene.folders.series, episode(2, "S02E02"))
    assert await told(scene, silent=True) == (1, 1)


async def test_other_words_of_the_owner_ask_anew(scene: Scene) -> None:
    put(scene.folders.series, episode(1, "S01E01"))
    assert await told(scene) == (1, 1)
    await scene.publish(IdentityPolicy(words=words_from(["block: CENSORED"])))
    assert await told(scene, silent=True) == (0, 1)
    assert await told(scene) == (1, 1)


async def test_what_was_not_found_is_asked_for_again_after_a_day(scene: Scene) -> None:
    put(scene.folders.series, NOBODY)
    assert await told(scene) == (1, 1)
    assert await told(scene, silent=True) == (1, 1)
    scene.base.time.ahead += ASK_AGAIN + timedelta(seconds=1)
    assert await told(scene, silent=True) == (0, 1)


async def test_numbers_through_all_seasons_stand_where_their_source_has_them(
    scene: Scene,
) -> None:
    put(scene.folders.series, "Lantern Street (2019)/Lantern Street - 05.mkv")
    await adopted(scene, scene.folders.series)
    (shown,) = (await scene.answer("inventory.query"))["works"]
    assert [(one["season"], one["episode"]) for one in shown["files"]] == [(2, 2)]


async def test_a_number_that_no_source_places_is_left_open(scene: Scene) -> None:
    put(scene.folders.series, "Lantern Street (2019)/Lantern Street - 99.mkv")
    plan = await scene.answer("inventory.plan", OWNER, library="series")
    assert (plan["adopts"], plan["unclear"][0]["files"]) == (0, 1)


async def test_two_libraries_with_folders_of_one_name_share_no_answer(scene: Scene) -> None:
    films, series = scene.folders.films, scene.folders.series
    loose = "Lantern Street (2019)/Lantern Street - 05.mkv"
    for folder in (films, series):
        put(folder, loose)
    assert await told(scene) == (1, 1)
    elsewhere = scene.having(catalogue_of(scene.base, address="http://127.0.0.1:9"))
    other = await elsewhere.answer("inventory.plan", OWNER, library="film")
    assert (other["titles_told"], other["titles"]) == (0, 1)
