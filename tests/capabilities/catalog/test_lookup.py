from typing import Any

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.tvmaze import Tvmaze
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded, facts
from ledger.stores import works
from tests.scene import IMPORT, KEY, OWNER, Scene, run_of
from tests.stage_set import catalogue_of, tmdb_of
from world.metadata import serving_metadata
from world.metadata_tvmaze import serving_tvmaze


@pytest.mark.anyio
async def test_a_title_finds_its_works_with_years_titles_and_ids(scene: Scene) -> None:
    found = await scene.answer("catalog.lookup", query="Sintel")
    by_year = {each["year"]: each for each in found["works"]}
    assert set(by_year) == {2010, 1994}
    newer = by_year[2010]
    assert (newer["title"], newer["kind"], newer["id"]) == ("Sintel", "film", "tmdb:film:45745")
    assert newer["external_ids"]["imdb"] == "tt1727587"
    assert set(newer["other_titles"]) == {"寻龙记", "Durian"}
    assert newer["in_library"] is False


@pytest.mark.anyio
@pytest.mark.parametrize("query", ["寻龙记", "寻", " 寻龙 "])
async def test_a_chinese_title_or_a_single_sign_of_it_finds_the_work(
    scene: Scene, query: str
) -> None:
    found = await scene.answer("catalog.lookup", query=query)
    assert [each["id"] for each in found["works"]] == ["tmdb:film:45745"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "query", ["a", "Ä", "\uff21", "7", "？", "*", "  ", "%%", "\uff0a\uff0a", "…"]
)
async def test_what_would_find_everything_is_refused(scene: Scene, query: str) -> None:
    refused = await scene.refusal(Code.INVALID_INPUT, "catalog.lookup", query=query)
    assert refused.sentence.startswith("query: ")


@pytest.mark.anyio
async def test_a_year_narrows_what_a_title_finds(scene: Scene) -> None:
    found = await scene.answer("catalog.lookup", query="Sintel", year=1994)
    assert [each["id"] for each in found["works"]] == ["tmdb:film:900002"]


@pytest.mark.anyio
async def test_a_year_that_nothing_has_is_not_held_against_the_title(scene: Scene) -> None:
    found = await scene.answer("catalog.lookup", query="Sintel", year=1950)
    assert len(found["works"]) == 2


@pytest.mark.anyio
async def test_a_kind_and_a_limit_are_kept_to(scene: Scene) -> None:
    series = await scene.answer("catalog.lookup", query="Lantern", kind="series")
    assert [each["kind"] for each in series["works"]] == ["series"]
    assert [season["episodes"] for season in series["works"][0]["seasons"]] == [3, 3]
    assert (await scene.answer("catalog.lookup", query="Lantern", kind="film"))["works"] == []
    assert len((await scene.answer("catalog.lookup", query="Sintel", limit=1))["works"]) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("id_", ["tmdb:film:45745", " tt1727587 "])
async def test_an_id_finds_one_work_with_everything_that_is_known_of_it(
    scene: Scene, id_: str
) -> None:
    (found,) = (await scene.answer("catalog.lookup", id=id_))["works"]
    assert found["id"] == "tmdb:film:45745"
    assert found["other_titles"]
    assert found["external_ids"]["imdb"] == "tt1727587"


@pytest.mark.anyio
async def test_an_imdb_id_does_not_replace_what_is_known_by_less(scene: Scene) -> None:
    await scene.work()
    work = await scene.work_id()
    before = await scene.read(lambda conn: works.by_id(conn, work))
    await scene.work(id_="tt1727587")
    after = await scene.read(lambda conn: works.by_id(conn, work))
    assert before is not None
    assert after is not None
    assert after.body == before.body
    assert after.body["runtime_minutes"] == 82


@pytest.mark.anyio
async def test_a_number_of_another_kind_is_another_work(scene: Scene) -> None:
    (series,) = (await scene.answer("catalog.lookup", id="tmdb:series:900001"))["works"]
    assert series["title"] == "Lantern Street"
    assert (await scene.answer("catalog.lookup", id="tmdb:film:900001"))["works"] == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    "id_", ["45745", "tmdb:45745", "tmdb:movie:45745", "imdb:tt1727587", "tt12", "tmdb:film:4x"]
)
async def test_an_id_of_unknown_form_is_refused_with_one_that_is_known(
    scene: Scene, id_: str
) -> None:
    refused = await scene.refusal(Code.INVALID_INPUT, "catalog.lookup", id=id_)
    assert refused.needs["example"] == {"id": "tmdb:film:45745"}


@pytest.mark.anyio
@pytest.mark.parametrize("given", [{}, {"query": "Sintel", "id": "tt1727587"}])
async def test_it_takes_a_query_or_an_id(scene: Scene, given: dict[str, Any]) -> None:
    await scene.refusal(Code.INVALID_INPUT, "catalog.lookup", **given)


@pytest.mark.anyio
async def test_a_work_keeps_its_reference(scene: Scene) -> None:
    first = await scene.work()
    await scene.work(id_="tmdb:film:10378")
    assert await scene.work(id_="tt1727587") == first
    by_title = await scene.answer("catalog.lookup", query="Sintel", year=2010)
    assert by_title["works"][0]["work"] == first


@pytest.mark.anyio
async def test_everybody_has_references_of_their_own(scene: Scene) -> None:
    await scene.work(KEY, id_="tmdb:film:10378")
    theirs = await scene.work(KEY)
    mine = await scene.work(OWNER)
    in_run = await scene.work(run_of("run_1"))
    assert (theirs, mine, in_run) == ("work:2", "work:1", "work:1")
    assert await scene.id_of(theirs) == await scene.id_of(mine, OWNER)


@pytest.mark.anyio
async def test_what_was_imported_is_in_the_library(scene: Scene) -> None:
    row = await scene.arrived()
    plan = await scene.answer("organize.plan", IMPORT, download=row.id)
    await scene.answer("organize.execute", IMPORT, plan=plan["plan"])
    found = await scene.answer("catalog.lookup", query="Sintel")
    assert {each["year"]: each["in_library"] for each in found["works"]} == {
        2010: True,
        1994: False,
    }


@pytest.mark.anyio
async def test_a_metadata_source_that_is_down_is_unavailable_and_may_be_asked_again(
    scene: Scene,
) -> None:
    async with serving_metadata() as metadata:
        address = metadata.address
    away = scene.having(catalogue_of(scene.base, address=address))
    failed = await away.failure(Code.UNAVAILABLE, "catalog.lookup", query="Sintel")
    assert failed.retry
    assert "127.0.0.1" not in failed.sentence


@pytest.mark.anyio
async def test_a_source_that_is_down_is_named_beside_what_the_others_found(scene: Scene) -> None:
    async with serving_tvmaze() as gone:
        address = gone.address
    sources = [tmdb_of(scene.base), Tvmaze(scene.base.outbound, address=address)]
    house = scene.having(Catalogue(sources))
    outcome = await house.call("catalog.lookup", query="Lantern Street")
    assert isinstance(outcome, Succeeded)
    found = facts(outcome)
    assert [each["id"] for each in found["works"]] == ["tmdb:series:900001"]
    assert [each["source"] for each in found["missing"]] == ["TVmaze"]
    assert outcome.sentence == "1 found, without TVmaze, which may know more."


@pytest.mark.anyio
async def test_sources_that_contradict_each_other_are_quoted(scene: Scene) -> None:
    async with serving_tvmaze() as tvmaze:
        sources = [tmdb_of(scene.base), Tvmaze(scene.base.outbound, address=tvmaze.address)]
        house = scene.having(Catalogue(sources))
        (found,) = (await house.answer("catalog.lookup", query="Lantern Street"))["works"]
    assert found["external_ids"]["tvmaze"] == "910001"
    assert found["disagreements"] == [
        "season 2 has 3 episodes by tmdb and 4 by tvmaze; tmdb counts"
    ]


@pytest.mark.anyio
async def test_without_tmdb_series_are_found_and_films_are_said_to_need_it(scene: Scene) -> None:
    async with serving_tvmaze() as tvmaze:
        house = scene.having(Catalogue([Tvmaze(scene.base.outbound, address=tvmaze.address)]))
        series = await house.answer("catalog.lookup", query="Harbour Nine", kind="series")
        film = await house.answer("catalog.lookup", query="Sintel", kind="film")
        by_tvdb = await house.answer("catalog.lookup", id="tvdb:series:990001")
        refused = await house.failure(Code.PRECONDITION, "catalog.lookup", id="tmdb:film:45745")
    assert [each["id"] for each in series["works"]] == ["tvmaze:series:910002"]
    assert series["missing"] == []
    assert film["works"] == []
    assert "matinee secret set metadata.tmdb.key" in film["missing"][0]["sentence"]
    assert [each["id"] for each in by_tvdb["works"]] == ["tvmaze:series:910001"]
    assert "TMDB needs a key" in refused.sentence


@pytest.mark.anyio
async def test_a_key_that_is_refused_is_said(scene: Scene) -> None:
    stranger = scene.having(catalogue_of(scene.base, credential="wrong.token.here"))
    failed = await stranger.failure(Code.PRECONDITION, "catalog.lookup", query="Sintel")
    assert "wrong" not in failed.sentence


@pytest.mark.anyio
async def test_without_a_metadata_source_it_says_what_to_configure(scene: Scene) -> None:
    bare = scene.having(without=[Catalogue])
    refused = await bare.refusal(Code.PRECONDITION, "catalog.lookup", query="Sintel")
    assert "metadata source" in refused.sentence
    assert "settings.toml" in str(refused.needs["settings"])


@pytest.mark.anyio
async def test_nothing_found_is_an_answer(scene: Scene) -> None:
    found = await scene.answer("catalog.lookup", query="No such film anywhere")
    assert found["works"] == []
