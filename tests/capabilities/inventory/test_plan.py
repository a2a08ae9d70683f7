from pathlib import Path

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.kernel.codes import Code
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from ledger.stores import assets, libraries, shelf
from tests.capabilities.inventory.library import LANTERN, adopted, episode, put
from tests.scene import KEY, OWNER, Scene
from tests.stage_set import catalogue_of


@pytest.mark.anyio
async def test_files_are_told_by_work_and_nothing_is_moved_or_recorded(scene: Scene) -> None:
    films, series = scene.folders.films, scene.folders.series
    put(films, "Sintel (2010)/Sintel (2010) [Bluray-1080p].mkv", "Sintel (2010)/poster.jpg")
    put(series, episode(1, "S01E01"), episode(2, "S02E01-E02"), f"{LANTERN}/tvshow.nfo")
    told = await scene.answer("inventory.plan", library="film")
    (film,) = told["works"]
    assert (film["title"], film["year"], film["grade"], film["files"]) == ("Sintel", 2010, "B", 1)
    assert (told["state"], told["others"]) == ("frozen", {"artwork": 1})
    told = await scene.answer("inventory.plan", library="series")
    (show,) = told["works"]
    assert (show["title"], show["files"], told["adopts"]) == ("Lantern Street", 2, 2)
    assert await scene.read(lambda conn: assets.below(conn, str(series))) == {}
    assert (series / episode(1, "S01E01")).is_file()


@pytest.mark.anyio
async def test_what_is_not_certain_is_named_and_not_taken(scene: Scene) -> None:
    put(
        scene.folders.series,
        episode(1, "S01E01"),
        episode(1, "S01E09"),
        "Nobody Knows This (1991)/Nobody Knows This (1991) - S01E01.mkv",
    )
    told = await scene.answer("inventory.plan", library="series")
    assert told["adopts"] == 1
    unclear = {one["example"]: one for one in told["unclear"]}
    beyond = unclear[episode(1, "S01E09")]
    assert (beyond["grade"], beyond["files"]) == ("B", 1)
    assert "episode 9" in beyond["why"]
    nobody = unclear["Nobody Knows This (1991)/Nobody Knows This (1991) - S01E01.mkv"]
    assert (nobody["grade"], nobody["why"]) == ("E", "no work of this title is known")


@pytest.mark.anyio
async def test_a_number_in_an_nfo_file_settles_a_title_that_says_too_little(scene: Scene) -> None:
    films = scene.folders.films
    put(films, "Sintel/Sintel.mkv")
    told = await scene.answer("inventory.plan", library="film")
    assert (told["state"], told["unclear"][0]["title"]) == ("nothing_new", "Sintel")
    (films / "Sintel/movie.nfo").write_text('<movie><uniqueid type="tmdb">45745</uniqueid></movie>')
    told = await scene.answer("inventory.plan", library="film")
    (film,) = told["works"]
    assert (film["title"], film["year"], film["grade"]) == ("Sintel", 2010, "A")


@pytest.mark.anyio
async def test_the_owners_words_are_heeded_file_by_file(scene: Scene) -> None:
    lines = ["force: Street Pilot => tmdb:series:900001 season 1 episode 2"]
    await scene.publish(IdentityPolicy(words=words_from(lines)))
    put(scene.folders.series, "Odds/Street Pilot.mkv")
    told = await scene.answer("inventory.plan", library="series")
    (show,) = told["works"]
    assert (show["title"], show["grade"], told["unclear"]) == ("Lantern Street", "A", [])


@pytest.mark.anyio
async def test_a_source_that_is_silent_leaves_titles_to_be_asked_again(scene: Scene) -> None:
    put(scene.folders.films, "Sintel (2010)/Sintel (2010).mkv")
    silent = scene.having(catalogue_of(scene.base, address="http://127.0.0.1:9"))
    told = await silent.answer("inventory.plan", library="film")
    assert (told["state"], told["titles_told"], told["titles"]) == ("asking", 0, 1)
    assert told["silent"]
    told = await scene.answer("inventory.plan", library="film")
    assert (told["state"], told["titles_told"], told["adopts"]) == ("frozen", 1, 1)


@pytest.mark.anyio
async def test_without_a_metadata_source_it_says_so(scene: Scene) -> None:
    put(scene.folders.films, "Sintel (2010)/Sintel (2010).mkv")
    bare = scene.having(without=[Catalogue])
    refused = await bare.refusal(Code.PRECONDITION, "inventory.plan", library="film")
    assert "metadata source" in refused.sentence


@pytest.mark.anyio
async def test_only_the_owner_names_a_folder_of_his_own(scene: Scene, tmp_path: Path) -> None:
    put(tmp_path, "Sintel (2010)/Sintel (2010).mkv")
    await scene.refusal(Code.DENIED, "inventory.plan", KEY, path=str(tmp_path))
    told = await scene.answer("inventory.plan", OWNER, path=str(tmp_path))
    assert (told["state"], told["adopts"]) == ("frozen", 1)
    await scene.refusal(Code.INVALID_INPUT, "inventory.plan", OWNER, path="films")
    await scene.refusal(Code.INVALID_INPUT, "inventory.plan", OWNER)


@pytest.mark.anyio
async def test_a_plan_leaves_the_inventory_of_an_adopted_library_as_it_is(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    before = await scene.read(lambda conn: (shelf.assets(conn), shelf.slots(conn)))
    (series / episode(1, "S01E01")).unlink()
    (series / episode(1, "S01E02")).rename(series / episode(1, "S01E02", "Rain"))
    told = await scene.answer("inventory.plan", OWNER, library="series")
    assert told["videos"] == 1
    assert await scene.read(lambda conn: (shelf.assets(conn), shelf.slots(conn))) == before


@pytest.mark.anyio
async def test_a_folder_of_an_adopted_library_is_planned_as_a_part_of_it(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), f"{LANTERN}/tvshow.nfo")
    await adopted(scene, series)
    put(series, episode(2, "S02E01"), episode(1, "S01E02"), f"{LANTERN}/Season 02/notes.txt")
    part = (series / episode(2, "S02E01")).parent
    told = await scene.answer("inventory.plan", OWNER, path=str(part))
    assert (told["state"], told["adopts"], told["videos"], told["files"]) == ("frozen", 1, 1, 2)
    assert await scene.read(lambda conn: libraries.digests(conn, str(part))) == {}
    await scene.answer("inventory.adopt", OWNER, plan=told["plan"])
    held = await scene.read(lambda conn: assets.below(conn, str(series)))
    assert sorted(held) == [str(series / episode(1, "S01E01")), str(series / episode(2, "S02E01"))]
    assert [row.path for row in await scene.read(libraries.adopted)] == [str(series)]
