import pytest

from capabilities.adapters.metadata.candidates import candidates_for
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.kernel.faults import DeclinedError, UnreachableError
from capabilities.rules.evidence import Grade
from capabilities.rules.identity import grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.metadata.test_catalogue import BROKEN, LANTERN, shelf
from world.metadata_works import KnownFilm

pytestmark = pytest.mark.anyio
FILM = WorkKind.FILM


def homes(*years: int) -> list[KnownFilm]:
    """Films of one title, each less popular than the one before it."""
    return [
        KnownFilm(
            id=800_000 + place,
            imdb_id=f"tt8800{place:04}",
            title="Home",
            original_title="Home",
            original_language="en",
            date=f"{year}-05-01",
            popularity=100.0 - place,
            overview="",
            alternative_titles=(),
            translations=(),
            runtime=90,
        )
        for place, year in enumerate(years)
    ]


async def test_every_title_is_searched_and_each_work_comes_once() -> None:
    async with shelf() as on:
        found = await candidates_for(on.catalogue, ["Sintel", "Durian", "Sintel", " "], None)

    assert [str(work.key) for work in found.works] == ["tmdb:film:45745", "tmdb:film:900002"]


async def test_where_there_is_no_title_no_source_is_asked_or_missed() -> None:
    found = await candidates_for(Catalogue([]), [" "], None)
    assert found.works == []


async def test_a_known_work_stays_as_it_is_known() -> None:
    async with shelf() as on:
        (known,) = (await on.of("tmdb").work(LANTERN)).works
        found = await candidates_for(on.catalogue, ["Lantern Street"], WorkKind.SERIES, [known])

    assert found.works == [known]


async def test_nothing_is_concluded_while_the_leading_source_is_silent() -> None:
    async with shelf() as on:
        on.tmdb.answer_next(*BROKEN)
        with pytest.raises(UnreachableError, match="TMDB"):
            await candidates_for(on.catalogue, ["Lantern Street"], WorkKind.SERIES)


async def test_another_source_may_be_silent() -> None:
    async with shelf() as on:
        on.anilist.answer_next(*BROKEN)
        on.tvmaze.answer_next(*BROKEN)
        found = await candidates_for(on.catalogue, ["Lantern Street"], WorkKind.SERIES)

    assert [work.key for work in found.works] == [LANTERN]


@pytest.mark.parametrize("kind", [WorkKind.FILM, None])
async def test_without_a_source_of_films_no_film_is_concluded(kind: WorkKind | None) -> None:
    async with shelf() as on:
        with pytest.raises(DeclinedError, match="Films need TMDB"):
            await candidates_for(on.of("tvmaze", "anilist"), ["Sintel"], kind)


async def test_without_tmdb_series_are_concluded() -> None:
    async with shelf() as on:
        found = await candidates_for(
            on.of("tvmaze", "anilist"), ["Lantern Street"], WorkKind.SERIES
        )

    assert [str(work.key) for work in found.works] == ["tvmaze:series:910001"]
    assert found.works[0].external_ids["anilist"] == "920004"


async def test_the_film_of_the_names_year_is_found_behind_any_number_of_others() -> None:
    name = parse("Home.2016.1080p")
    async with shelf() as on:
        on.tmdb.know(*homes(2015, *range(1970, 2010), 2016, 2017))
        found = await candidates_for(on.catalogue, name.titles, FILM, year=2016)

    assert not found.crowded
    assert {2015, 2016, 2017} <= {work.year for work in found.works}
    assert all(work.external_ids for work in found.works if work.year in {2015, 2016, 2017})
    identity = grade(name, {}, found.works, crowded=found.crowded)
    assert (identity.grade, identity.work) == (Grade.D, None)


async def test_the_only_film_of_the_names_year_is_told_from_many_others() -> None:
    name = parse("Home.2016.1080p")
    async with shelf() as on:
        on.tmdb.know(*homes(*range(1970, 2010), 2016))
        found = await candidates_for(on.catalogue, name.titles, FILM, year=2016)

    identity = grade(name, {}, found.works, crowded=found.crowded)
    assert identity.grade is Grade.B
    assert identity.work is not None
    assert (identity.work.year, identity.work.runtime_minutes) == (2016, 90)


async def test_more_of_one_title_and_year_than_are_read_are_said_to_be_more() -> None:
    async with shelf() as on:
        on.tmdb.know(*homes(*[2016] * 25))
        dated = await candidates_for(on.catalogue, ["Home"], FILM, year=2016)
        later = await candidates_for(on.catalogue, ["Home"], FILM, year=2030)
        other = await candidates_for(on.catalogue, ["Sintel"], FILM, year=2010)

    assert dated.crowded
    assert not later.crowded  # that there are more of another year leaves nothing open
    assert not other.crowded


async def test_without_a_year_the_long_list_itself_is_said_to_go_on() -> None:
    async with shelf() as on:
        on.tmdb.know(*homes(*range(1970, 1995)))
        assert (await candidates_for(on.catalogue, ["Home"], FILM)).crowded
        assert not (await candidates_for(on.catalogue, ["Sintel"], FILM)).crowded


async def test_only_the_leading_source_is_asked_for_the_years_around() -> None:
    async with shelf() as on:
        await candidates_for(on.catalogue, ["Sintel"], FILM, year=2010)

    asked = [request.query_params.get("year") for request in on.tmdb.requests]
    assert {"2009", "2010", "2011"} <= set(asked)
    assert len(on.anilist.requests) == 1
