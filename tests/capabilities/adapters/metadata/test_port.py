"""What every source promises, whatever it is: the same tests for each, before its double."""

import pytest
from starlette.responses import HTMLResponse, Response

from capabilities.kernel.faults import ThrottledError, UnreachableError
from capabilities.rules.works import CollectionRef, WorkKey, WorkKind
from tests.capabilities.adapters.metadata.sources import EVERY, Meet

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("meet", EVERY, ids=[each.__name__ for each in EVERY]),
]


async def test_a_title_finds_its_series_under_the_sources_own_key(meet: Meet) -> None:
    async with meet() as met:
        found = await met.source.search(met.title)
        of_kind = await met.source.search(met.title, kind=WorkKind.SERIES)

    assert (met.key, met.title, met.year) in [(w.key, w.title, w.year) for w in found]
    assert met.key in [work.key for work in of_kind]
    assert met.key.source == met.source.name


async def test_a_film_is_not_found_where_a_series_is_meant(meet: Meet) -> None:
    async with meet() as met:
        films = await met.source.search(met.title, kind=WorkKind.FILM)

    assert met.key not in [work.key for work in films]
    assert all(work.key.kind is WorkKind.FILM for work in films)


async def test_a_year_that_nothing_has_hides_nothing(meet: Meet) -> None:
    async with meet() as met:
        found = await met.source.search(met.title, kind=WorkKind.SERIES, year=1950)

    assert met.key in [work.key for work in found]


async def test_no_more_works_come_than_are_wanted(meet: Meet) -> None:
    async with meet() as met:
        assert len(await met.source.search(met.title, limit=1)) == 1


async def test_a_series_in_full_has_a_main_title_first_and_its_first_season(meet: Meet) -> None:
    async with meet() as met:
        work = await met.source.work(met.key)

    assert work is not None
    assert (work.key, work.year) == (met.key, met.year)
    assert work.titles[0].text == work.title
    assert [t.kind.value for t in work.titles].count("main") == 1
    assert 1 in [season.number for season in work.seasons]


async def test_a_season_lists_its_episodes_once_each(meet: Meet) -> None:
    async with meet() as met:
        season = await met.source.season(met.key, 1)
        missing = await met.source.season(met.key, 77)

    assert season is not None
    assert [episode.number for episode in season.episodes] == [1, 2, 3]
    assert season.episode_count == 3
    assert missing is None


async def test_a_number_elsewhere_leads_to_the_series(meet: Meet) -> None:
    async with meet() as met:
        assert [work.key for work in await met.source.find(met.elsewhere)] == [met.key]
        assert await met.source.find(met.elsewhere, WorkKind.FILM) == []


async def test_a_number_of_unknown_form_or_source_is_not_asked_for(meet: Meet) -> None:
    odd = {"imdb": "tt1/../x", "tvdb": "-1", "mal": "1 OR 1", "elsewhere": "5"}
    async with meet() as met:
        assert await met.source.find(odd) == []
        assert await met.source.find({}) == []

    assert met.double.requests == []


async def test_a_key_that_cannot_be_the_sources_is_unknown_and_not_asked_for(meet: Meet) -> None:
    async with meet() as met:
        for key in (
            WorkKey("elsewhere", WorkKind.SERIES, met.key.id),
            WorkKey(met.source.name, WorkKind.SERIES, f"{met.key.id}/../x"),
            WorkKey(met.source.name, WorkKind.SERIES, ""),
        ):
            assert await met.source.work(key) is None
            assert await met.source.season(key, 1) is None
            assert await met.source.orders(key) == []
        assert await met.source.collection(CollectionRef("elsewhere", "1", "")) is None

    assert met.double.requests == []


async def test_what_is_unknown_is_nothing_and_that_stands_for_a_short_time(meet: Meet) -> None:
    key = None
    async with meet() as met:
        key = WorkKey(met.source.name, WorkKind.SERIES, "999")
        for met.clock.now in (0, 9, 10):
            assert await met.source.work(key) is None
            assert await met.source.search("nothing has this title") == []

    assert len(met.double.requests) == 4


async def test_an_answer_stands_for_its_time_and_each_question_has_its_own(meet: Meet) -> None:
    async with meet() as met:
        first = await met.source.search(met.title)
        other = await met.source.search("nothing has this title")
        met.clock.now = 99
        assert await met.source.search(met.title) == first
        assert other == []
        before = len(met.double.requests)
        met.clock.now = 100
        assert await met.source.search(met.title) == first

    assert (before, len(met.double.requests)) == (2, 3)


@pytest.mark.parametrize(
    "answer",
    [HTMLResponse("<html>Sign in</html>"), Response(b'{"cut": ['), HTMLResponse("no", 404)],
    ids=["sign-in page", "cut", "404 of somebody else"],
)
async def test_what_is_no_answer_of_the_source_is_unreachable_and_not_kept(
    meet: Meet, answer: Response
) -> None:
    async with meet() as met:
        met.double.answer_next(answer)
        with pytest.raises(UnreachableError, match=f"no answer of {met.source.label}"):
            await met.source.search(met.title)

        assert await met.source.search(met.title)


async def test_a_server_error_is_tried_again_then_unreachable_and_not_kept(meet: Meet) -> None:
    async with meet() as met:
        met.double.answer_next(*(Response(status_code=500) for _ in range(3)))
        with pytest.raises(UnreachableError):
            await met.source.search(met.title)

        assert len(met.double.requests) == 3
        assert await met.source.search(met.title)


async def test_a_source_that_asks_for_a_minute_is_left_alone_for_it(meet: Meet) -> None:
    async with meet() as met:
        met.double.answer_next(met.too_many("60"))
        for met.clock.now in (0, 59):
            with pytest.raises(ThrottledError):
                await met.source.search(met.title)
        met.clock.now = 60
        assert await met.source.search(met.title)

    assert len(met.double.requests) == 2
