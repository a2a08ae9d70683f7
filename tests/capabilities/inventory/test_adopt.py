from typing import Any

import pytest

from capabilities.kernel.codes import Code
from ledger.stores import assets, libraries
from ledger.stores.decisions import DecisionKind
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import KEY, OWNER, Scene

SINTEL = "Sintel (2010)/Sintel (2010) [Bluray-1080p].mkv"


async def lantern(scene: Scene) -> dict[str, Any]:
    (shown,) = (await scene.answer("inventory.query", kind="series"))["works"]
    return shown


@pytest.mark.anyio
async def test_adopted_files_are_in_the_inventory_where_they_stand(scene: Scene) -> None:
    films = scene.folders.films
    put(films, SINTEL)
    done = await adopted(scene, films)
    assert (done["files"], done["works"], done["slots"], done["unclear"]) == (1, 1, 1, 0)
    (shown,) = (await scene.answer("inventory.query"))["works"]
    assert (shown["title"], shown["slots"], shown["gaps"]) == ("Sintel", {"satisfied": 1}, {})
    assert [file["path"] for file in shown["files"]] == [str(films / SINTEL)]
    assert shown["files"][0]["quality"] == "Bluray-1080p"


@pytest.mark.anyio
async def test_gaps_count_every_episode_of_a_file_and_no_special(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01-E02"), episode(0, "S00E04", "Behind the Lamp"))
    await adopted(scene, series)
    shown = await lantern(scene)
    assert shown["gaps"] == {"1": [3]}
    assert shown["slots"] == {"satisfied": 3}


@pytest.mark.anyio
async def test_a_key_needs_the_owners_word_for_exactly_this_plan(scene: Scene) -> None:
    put(scene.folders.films, SINTEL)
    key = KEY.__class__(KEY.kind, KEY.id, KEY.principal, KEY.scopes | {"inventory.adopt"})
    plan = (await scene.answer("inventory.plan", key, library="film"))["plan"]
    await scene.approved("inventory.adopt", key, plan=plan)
    assert (await scene.answer("inventory.adopt", key, plan=plan))["files"] == 1


@pytest.mark.anyio
async def test_a_library_that_changed_meanwhile_is_a_conflict(scene: Scene) -> None:
    films = scene.folders.films
    put(films, SINTEL)
    plan = (await scene.answer("inventory.plan", OWNER, library="film"))["plan"]
    put(films, SINTEL, size=901)
    await scene.failure(Code.CONFLICT, "inventory.adopt", OWNER, plan=plan)
    assert await scene.read(lambda conn: assets.below(conn, str(films))) == {}


@pytest.mark.anyio
async def test_adopting_again_takes_only_what_is_new(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    before = await scene.read(lambda conn: assets.below(conn, str(series)))
    told = await scene.answer("inventory.plan", OWNER, library="series")
    assert (told["state"], told["standing"]) == ("nothing_new", 1)
    put(series, episode(1, "S01E02"))
    assert (await adopted(scene, series))["files"] == 1
    after = await scene.read(lambda conn: assets.below(conn, str(series)))
    assert {path: after[path].id for path in before} == {path: before[path].id for path in before}
    assert len(after) == 2
    assert len(await scene.read(libraries.adopted)) == 1


@pytest.mark.anyio
async def test_of_two_copies_the_bigger_fills_the_slot_and_both_are_known(scene: Scene) -> None:
    series = scene.folders.series
    small, big = episode(1, "S01E01"), episode(1, "S01E01").replace("1080p", "2160p")
    put(series, small)
    put(series, big, size=2_000)
    await adopted(scene, series)
    shown = await lantern(scene)
    assert (len(shown["files"]), shown["slots"]) == (2, {"satisfied": 1})


@pytest.mark.anyio
async def test_what_is_unclear_is_one_question_that_closes_by_itself(scene: Scene) -> None:
    series = scene.folders.series
    odd = "Nobody Knows This (1991)/Nobody Knows This (1991) - S01E01.mkv"
    put(series, episode(1, "S01E01"), odd)
    assert (await adopted(scene, series))["unclear"] == 1
    (asked,) = await scene.decisions()
    assert asked.kind is DecisionKind.IMPORT_UNIDENTIFIED
    assert asked.evidence["titles"][0]["example"] == odd
    (series / odd).unlink()
    put(series, episode(1, "S01E02"))
    await adopted(scene, series)
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_a_plan_is_carried_out_once(scene: Scene) -> None:
    put(scene.folders.films, SINTEL)
    plan = (await scene.answer("inventory.plan", OWNER, library="film"))["plan"]
    first = await scene.answer("inventory.adopt", OWNER, plan=plan)
    assert (await scene.answer("inventory.adopt", OWNER, plan=plan)) == {**first, "replayed": True}
