import pytest
from starlette.responses import JSONResponse, Response

from capabilities.adapters.metadata.anilist import Anilist
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, UnreachableError
from capabilities.rules.works import (
    Relation,
    RelationKind,
    Season,
    Title,
    TitleKind,
    WorkKey,
    WorkKind,
)
from tests.capabilities.adapters.metadata.sources import anilist
from world.metadata_anilist import LoopbackAnilist, serving_anilist

pytestmark = pytest.mark.anyio

COMETS = WorkKey("anilist", WorkKind.SERIES, "920001")
SECOND = WorkKey("anilist", WorkKind.SERIES, "920002")
LAST_NIGHT = WorkKey("anilist", WorkKind.FILM, "920003")


async def test_a_first_season_comes_with_all_forms_of_its_title_and_its_sequel() -> None:
    async with anilist() as met:
        work = await met.source.work(COMETS)

    assert work is not None
    assert work.titles == (
        Title("Paper Comets", TitleKind.MAIN, "en"),
        Title("Kami no Suisei", TitleKind.TRANSLATION),
        Title("紙の彗星", TitleKind.ORIGINAL, "ja"),
        Title("PaperCom", TitleKind.ALTERNATIVE),
    )
    assert work.seasons == (Season(1, 2020, 12),)
    assert work.external_ids == {"mal": "930001"}
    assert (work.runtime_minutes, work.overview) == (24, "Invented: comets folded from paper.")
    assert work.relations == (Relation(RelationKind.SEQUEL, SECOND),)


async def test_a_later_season_is_not_given_a_number_that_nobody_said() -> None:
    async with anilist() as met:
        work = await met.source.work(SECOND)
        season = await met.source.season(SECOND, 1)

    assert work is not None
    assert work.relations == (Relation(RelationKind.PREQUEL, COMETS),)
    assert (work.seasons, season) == ((), None)


async def test_films_are_films_and_music_is_no_work() -> None:
    async with anilist() as met:
        films = await met.source.search("Paper Comets", kind=WorkKind.FILM)
        both = await met.source.search("Paper Comets")
        music = await met.source.work(WorkKey("anilist", WorkKind.SERIES, "920005"))

    assert [(work.key, work.year, work.seasons) for work in films] == [(LAST_NIGHT, 2023, ())]
    assert [work.key for work in both] == [COMETS, SECOND, LAST_NIGHT]
    assert music is None


@pytest.mark.parametrize(
    ("languages", "title"),
    [
        (("en-US",), "Paper Comets"),
        (("ja-JP", "en"), "紙の彗星"),
        (("de-DE",), "Kami no Suisei"),
    ],
)
async def test_the_title_is_shown_in_the_first_wanted_language(
    languages: tuple[str, ...], title: str
) -> None:
    async with serving_anilist() as double, Outbound(version="0") as out:
        source = Anilist(out, languages=languages, address=double.address)
        work = await source.work(COMETS)

    assert work is not None
    assert work.title == title


async def test_what_a_search_told_in_full_is_not_asked_for_again() -> None:
    async with anilist() as met:
        (film,) = await met.source.search("Last Night")
        assert await met.source.work(film.key) == film

    assert len(met.double.requests) == 1


async def test_a_number_of_myanimelist_is_asked_for_as_that() -> None:
    async with anilist() as met:
        assert [w.key for w in await met.source.find({"mal": "930002"})] == [SECOND]
        assert [w.key for w in await met.source.find({"anilist": "920003"})] == [LAST_NIGHT]

    assert isinstance(met.double, LoopbackAnilist)
    by_mal, by_id = (question["query"] for question in met.double.questions)
    assert "idMal: $id" in by_mal
    assert "media(id: $id" in by_id
    assert all(question.count("{") == question.count("}") for question in (by_mal, by_id))


async def test_errors_with_or_without_an_answer_are_no_answer_and_are_not_kept() -> None:
    half = b'{"data": {"Page": {"media": []}}, "errors": [{"message": "lost"}]}'
    async with anilist() as met:
        met.double.answer_next(Response(half))
        with pytest.raises(UnreachableError, match="in part only"):
            await met.source.search("Paper Comets")
        assert isinstance(met.double, LoopbackAnilist)
        met.double.complain_next(400, "Cannot query field")
        with pytest.raises(DeclinedError, match="HTTP 400"):
            await met.source.search("Paper Comets")

        assert len(await met.source.search("Paper Comets")) == 3


async def test_null_is_as_good_as_left_out() -> None:
    bare = {"id": 5, "format": "TV", "title": {"romaji": "Bare"}, "synonyms": None}
    bare |= {"relations": None, "startDate": None, "episodes": None}
    async with anilist() as met:
        met.double.answer_next(JSONResponse({"data": {"Page": {"media": [bare]}}}))
        (work,) = await met.source.search("Bare")

    assert (work.title, work.year, work.seasons) == ("Bare", None, (Season(1),))
