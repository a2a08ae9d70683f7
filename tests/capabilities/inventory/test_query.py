import pytest

from capabilities.inventory.overview import bring_up_to_date
from capabilities.inventory.query import FILES_OF_A_PAGE, FILES_SHOWN
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from ledger.clock import new_id
from ledger.stores import shelf
from ledger.stores.shelf import AssetRow
from tests.scene import IMPORT, KEY, VIDEO, Scene

LANTERN = "tmdb:series:900001"
BUNNY = "tmdb:film:10378"


async def imported(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)


async def on_shelf(
    scene: Scene,
    key: str,
    path: str,
    *,
    season: int | None = None,
    episode: int | None = None,
    quality: str = "WEB-1080p",
) -> None:
    """A file of a work, as an import records it."""
    await scene.work(id_=key)
    work = await scene.work_id(key)
    asset = AssetRow(
        new_id("asset"),
        path,
        work,
        season,
        episode,
        quality,
        2_340_000_000,
        1,
        1,
        {},
        "rec_1",
        scene.ledger.now(),
    )
    await scene.write(lambda tx: shelf.put_asset(tx, asset))


async def wanted(scene: Scene, key: str, season: int, episode: int, state: str) -> None:
    await scene.work(id_=key)
    work = await scene.work_id(key)
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, season, episode, state=state, asset_id=None)
    )


@pytest.mark.anyio
async def test_an_imported_film_is_told_with_its_real_path(scene: Scene) -> None:
    await imported(scene)
    found = await scene.answer("inventory.query")
    (shown,) = found["works"]
    assert (shown["title"], shown["year"], shown["kind"]) == ("Sintel", 2010, "film")
    assert (shown["slots"], shown["gaps"]) == ({"satisfied": 1}, {})
    (file,) = shown["files"]
    assert file["path"] == str(scene.folders.films / VIDEO)
    assert file["quality"] == "Bluray-1080p"
    assert file["seen_at"]
    assert await scene.id_of(shown["work"]) == await scene.work_id()


@pytest.mark.anyio
async def test_works_come_by_title_in_pages(scene: Scene) -> None:
    await imported(scene)
    await on_shelf(scene, BUNNY, "/films/bunny.mkv")
    first = await scene.answer("inventory.query", limit=1)
    second = await scene.answer("inventory.query", limit=1, cursor=first["page"]["next_cursor"])
    titles = [each["title"] for each in (*first["works"], *second["works"])]
    assert titles == ["Big Buck Bunny", "Sintel"]
    assert (second["page"]["total"], second["page"]["left_out"]) == (2, 0)
    await scene.refusal(Code.INVALID_INPUT, "inventory.query", cursor="-1")


@pytest.mark.anyio
async def test_kind_words_quality_and_work_narrow_it(scene: Scene) -> None:
    await imported(scene)
    await on_shelf(scene, LANTERN, "/series/1.mkv", season=1, episode=1)
    reference = await scene.work(id_=LANTERN)
    for found in (
        await scene.answer("inventory.query", kind="series"),
        await scene.answer("inventory.query", text="street LANTERN"),
        await scene.answer("inventory.query", quality="web"),
        await scene.answer("inventory.query", work=reference),
    ):
        assert [each["title"] for each in found["works"]] == ["Lantern Street"]
    assert (await scene.answer("inventory.query", quality="2160p"))["works"] == []
    assert (await scene.answer("inventory.query", text="bunny"))["works"] == []


@pytest.mark.anyio
async def test_a_quality_shows_only_its_files(scene: Scene) -> None:
    await on_shelf(scene, LANTERN, "/series/1.mkv", season=1, episode=1)
    await on_shelf(scene, LANTERN, "/series/2.mkv", season=1, episode=2, quality="WEB-720p")
    (shown,) = (await scene.answer("inventory.query", quality="720p"))["works"]
    assert [file["path"] for file in shown["files"]] == ["/series/2.mkv"]
    assert shown["gaps"] == {"1": [3]}


@pytest.mark.anyio
async def test_gaps_are_told_by_season_of_seasons_that_were_begun(scene: Scene) -> None:
    await on_shelf(scene, LANTERN, "/series/2.mkv", season=1, episode=2)
    (shown,) = (await scene.answer("inventory.query"))["works"]
    assert shown["gaps"] == {"1": [1, 3]}
    await wanted(scene, LANTERN, 2, 1, "in_flight")
    (shown,) = (await scene.answer("inventory.query", missing=True))["works"]
    assert shown["gaps"] == {"1": [1, 3], "2": [1, 2, 3]}
    assert shown["slots"] == {"in_flight": 1}


@pytest.mark.anyio
async def test_a_film_that_is_wanted_and_not_there_is_missing(scene: Scene) -> None:
    await imported(scene)
    await wanted(scene, BUNNY, 0, 0, "wanted")
    (shown,) = (await scene.answer("inventory.query", missing=True))["works"]
    assert (shown["title"], shown["gaps"], shown["files"]) == ("Big Buck Bunny", {"0": [0]}, [])


@pytest.mark.anyio
async def test_an_empty_library_is_an_answer_and_a_work_of_nobody_is_none(scene: Scene) -> None:
    assert (await scene.answer("inventory.query"))["works"] == []
    await scene.failure(Code.NOT_FOUND, "inventory.query", KEY, work="work:5")


@pytest.mark.anyio
async def test_the_works_are_told_in_their_number(scene: Scene) -> None:
    told: list[str] = []
    for key in (BUNNY, LANTERN):
        await scene.work(id_=key)
        await on_shelf(scene, key, f"{key[-3:]}.mkv")
        found = await scene.call("inventory.query")
        assert isinstance(found, Succeeded)
        told.append(found.sentence)
    assert told == ["1 work.", "2 works."]


@pytest.mark.anyio
async def test_a_list_is_narrowed_alike_by_what_is_kept_and_by_what_just_changed(
    scene: Scene,
) -> None:
    await on_shelf(scene, LANTERN, "/series/1.mkv", season=1, episode=1)
    await wanted(scene, BUNNY, 0, 0, "wanted")
    fresh: list[list[str]] = []
    for kept in (False, True):
        if kept:
            assert await bring_up_to_date(scene.ledger) == 2
            assert await bring_up_to_date(scene.ledger) == 0
        narrowed: list[dict[str, object]] = [
            {"missing": True},
            {"quality": "WEB"},
            {"quality": "2160p"},
        ]
        for arguments in narrowed:
            found = await scene.answer("inventory.query", KEY, **arguments)
            assert found["page"]["total"] == len(found["works"])
            fresh.append([each["title"] for each in found["works"]])
    assert fresh[:3] == [["Big Buck Bunny", "Lantern Street"], ["Lantern Street"], []]
    assert fresh[3:] == fresh[:3]
    await on_shelf(scene, BUNNY, "/films/bunny.mkv", quality="WEB-2160p")
    assert [
        each["title"] for each in (await scene.answer("inventory.query", quality="2160p"))["works"]
    ] == ["Big Buck Bunny"]
    assert [
        each["title"] for each in (await scene.answer("inventory.query", missing=True))["works"]
    ] == ["Lantern Street"]


@pytest.mark.anyio
async def test_a_page_tells_some_files_of_each_work_and_a_work_by_itself_all(
    scene: Scene,
) -> None:
    many = FILES_SHOWN + 3
    for number in range(many):
        await on_shelf(scene, LANTERN, f"/series/{number:02}.mkv", season=1, episode=1)
    (shown,) = (await scene.answer("inventory.query"))["works"]
    assert (len(shown["files"]), shown["files_left_out"]) == (FILES_SHOWN, 3)
    (shown,) = (await scene.answer("inventory.query", work=shown["work"]))["works"]
    assert (len(shown["files"]), shown["files_left_out"]) == (many, 0)


@pytest.mark.anyio
async def test_a_larger_page_tells_fewer_files_of_each_work(scene: Scene) -> None:
    for number in range(FILES_SHOWN):
        await on_shelf(scene, LANTERN, f"/series/{number:02}.mkv", season=1, episode=1)
    (shown,) = (await scene.answer("inventory.query", limit=50))["works"]
    each = FILES_OF_A_PAGE // 50
    assert (len(shown["files"]), shown["files_left_out"]) == (each, FILES_SHOWN - each)
    assert shown["files"][0]["path"] == "/series/00.mkv"
