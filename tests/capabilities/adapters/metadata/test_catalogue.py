from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import pytest
from starlette.responses import JSONResponse, Response

from capabilities.adapters.metadata.anilist import Anilist
from capabilities.adapters.metadata.catalogue import Answers, Catalogue
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.metadata.tvmaze import Tvmaze
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, UnreachableError
from capabilities.rules.episode_orders import OrderKind
from capabilities.rules.works import CollectionRef, Fact, Season, WorkKey, WorkKind
from tests.capabilities.adapters.metadata.sources import at_once
from world.metadata import LoopbackMetadata, serving_metadata
from world.metadata_anilist import LoopbackAnilist, serving_anilist
from world.metadata_tvmaze import LoopbackTvmaze, serving_tvmaze

pytestmark = pytest.mark.anyio

LANTERN = WorkKey("tmdb", WorkKind.SERIES, "900001")
BROKEN = [Response(status_code=500) for _ in range(3)]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Three sources before their doubles, and the catalogue of them all."""

    catalogue: Catalogue
    tmdb: LoopbackMetadata
    tvmaze: LoopbackTvmaze
    anilist: LoopbackAnilist
    sources: dict[str, Tmdb | Tvmaze | Anilist]

    def of(self, *names: str) -> Catalogue:
        return Catalogue([self.sources[name] for name in names])


@asynccontextmanager
async def shelf() -> AsyncGenerator[Shelf]:
    async with (
        serving_metadata() as tmdb,
        serving_tvmaze() as tvmaze,
        serving_anilist() as anilist,
        Outbound(version="0", wait=at_once) as out,
    ):
        sources: dict[str, Tmdb | Tvmaze | Anilist] = {
            "tmdb": Tmdb(out, tmdb.token, address=tmdb.address),
            "tvmaze": Tvmaze(out, address=tvmaze.address),
            "anilist": Anilist(out, address=anilist.address),
        }
        yield Shelf(Catalogue(list(sources.values())), tmdb, tvmaze, anilist, sources)


def keys(answers: Answers) -> list[str]:
    return [str(work.key) for work in answers.works]


async def test_what_all_sources_know_is_one_work_under_the_first_ones_key() -> None:
    async with shelf() as on:
        answers = await on.catalogue.search("Lantern Street")

    (work,) = answers.works
    assert (work.key, work.title, work.year) == (LANTERN, "Lantern Street", 2019)
    assert work.external_ids == {
        "imdb": "tt99000001",
        "tvdb": "990001",
        "tvmaze": "910001",
        "anilist": "920004",
        "mal": "930004",
    }
    texts = {title.text for title in work.titles}
    assert {"Laternengasse", "Tourou no Machi", "灯籠の町", "灯笼街"} <= texts
    assert [title.kind.value for title in work.titles].count("main") == 1
    assert answers.silent == ()


async def test_what_two_sources_contradict_each_other_in_is_named_and_the_first_counts() -> None:
    async with shelf() as on:
        (work,) = (await on.of("tmdb", "tvmaze").search("Lantern Street")).works
        (turned,) = (await on.of("tvmaze", "tmdb").search("Lantern Street")).works

    assert [each.fact for each in work.disagreements] == [Fact.EPISODES]
    assert work.disagreements[0].sentence.startswith(
        "season 2 has 3 episodes by tmdb and 4 by tvmaze"
    )
    assert work.seasons[1].episode_count == 3
    assert turned.seasons[1].episode_count == 4
    assert turned.key == WorkKey("tvmaze", WorkKind.SERIES, "910001")


async def test_what_one_source_alone_knows_is_found_too() -> None:
    async with shelf() as on:
        assert keys(await on.catalogue.search("Harbour Nine")) == ["tvmaze:series:910002"]
        assert keys(await on.catalogue.search("Sintel")) == ["tmdb:film:45745", "tmdb:film:900002"]
        assert keys(await on.catalogue.search("Paper Comets")) == [
            "anilist:series:920001",
            "anilist:series:920002",
            "anilist:film:920003",
        ]


async def test_only_sources_that_know_the_kind_are_asked() -> None:
    async with shelf() as on:
        await on.catalogue.search("Sintel", kind=WorkKind.FILM)

    assert on.tvmaze.requests == []
    assert len(on.anilist.requests) == 1


async def test_a_source_that_fails_is_named_and_the_others_answer() -> None:
    async with shelf() as on:
        on.tvmaze.answer_next(*BROKEN)
        answers = await on.catalogue.search("Lantern Street")

    assert keys(answers) == [str(LANTERN)]
    assert [(each.name, each.label) for each in answers.silent] == [("tvmaze", "TVmaze")]
    assert "HTTP 500" in answers.silent[0].fault.sentence


async def test_a_source_that_fails_at_the_details_has_not_answered() -> None:
    async with shelf() as on:
        await on.sources["tvmaze"].search("Lantern Street")
        on.tvmaze.answer_next(*BROKEN)
        answers = await on.catalogue.search("Lantern Street")

    assert [each.name for each in answers.silent] == ["tvmaze"]


async def test_when_no_source_answers_it_is_a_fault_and_not_nothing() -> None:
    async with shelf() as on:
        for double in (on.tmdb, on.tvmaze, on.anilist):
            double.answer_next(*BROKEN)
        with pytest.raises(UnreachableError, match="TMDB"):
            await on.catalogue.search("Lantern Street")
        assert keys(await on.catalogue.search("Lantern Street")) == [str(LANTERN)]


async def test_a_source_that_is_silent_too_long_is_not_waited_for() -> None:
    async def never(_seconds: float) -> None:
        await anyio.sleep_forever()

    async with shelf() as on, Outbound(version="0", wait=never) as out:
        on.tvmaze.answer_next(*BROKEN)
        hanging = Tvmaze(out, address=on.tvmaze.address)
        catalogue = Catalogue([on.sources["tmdb"], hanging], deadline_s=0.5)
        with anyio.fail_after(5):
            answers = await catalogue.search("Lantern Street")

    assert keys(answers) == [str(LANTERN)]
    assert "within 0.5 s" in answers.silent[0].fault.sentence


async def test_nothing_found_by_anybody_is_an_answer() -> None:
    async with shelf() as on:
        answers = await on.catalogue.search("nobody knows this")

    assert (answers.works, answers.silent) == ((), ())


async def test_works_of_just_the_title_come_before_those_that_only_resemble_it() -> None:
    rows = [{"id": 10378, "title": "Harbour Nine Forever", "media_type": "movie"}]
    async with shelf() as on:
        on.tmdb.answer_next(JSONResponse({"results": rows}))
        answers = await on.catalogue.search("Harbour Nine", limit=1)

    assert keys(answers) == ["tvmaze:series:910002"]


async def test_one_work_is_completed_by_the_sources_that_know_its_numbers() -> None:
    async with shelf() as on:
        (work,) = (await on.catalogue.work(LANTERN)).works
        nothing = await on.catalogue.work(WorkKey("tmdb", WorkKind.SERIES, "5"))

    assert work.external_ids["tvmaze"] == "910001"
    assert nothing.works == ()


async def test_one_work_stays_when_those_who_could_add_to_it_fail() -> None:
    async with shelf() as on:
        on.tvmaze.answer_next(*BROKEN)
        answers = await on.catalogue.work(LANTERN)

    assert keys(answers) == [str(LANTERN)]
    assert [each.name for each in answers.silent] == ["tvmaze"]


async def test_one_work_whose_own_source_fails_is_a_fault() -> None:
    async with shelf() as on:
        on.tmdb.answer_next(*BROKEN)
        with pytest.raises(UnreachableError):
            await on.catalogue.work(LANTERN)


async def test_a_number_elsewhere_leads_to_one_work() -> None:
    async with shelf() as on:
        assert keys(await on.catalogue.find({"imdb": "tt99000001"})) == [str(LANTERN)]
        assert keys(await on.catalogue.find({"mal": "930001"})) == ["anilist:series:920001"]
        assert keys(await on.catalogue.find({"imdb": "tt0000001"})) == []


async def test_seasons_orders_and_collections_are_those_of_the_keys_own_source() -> None:
    async with shelf() as on:
        season = await on.catalogue.season(LANTERN, 2)
        orders = await on.catalogue.orders(LANTERN)
        collection = await on.catalogue.collection(CollectionRef("tmdb", "900100", ""))

    assert season is not None
    assert [episode.number for episode in season.episodes] == [1, 2, 3]
    assert [order.kind for order in orders] == [OrderKind.ABSOLUTE, OrderKind.DVD]
    assert collection is not None
    assert len(collection.films) == 3


async def test_a_season_that_contradicts_itself_is_cleaned_and_says_so() -> None:
    row = {"episode_number": 1, "name": "One", "air_date": "2019-02-04", "runtime": 24}
    answer = {"season_number": 1, "episodes": [row, {**row, "name": "Other"}]}
    async with shelf() as on:
        on.tmdb.answer_next(JSONResponse(answer))
        season = await on.catalogue.season(LANTERN, 1)

    assert isinstance(season, Season)
    assert [episode.title for episode in season.episodes] == ["One"]
    assert [each.fact for each in season.disagreements] == [Fact.EPISODES]


async def test_a_key_of_a_source_that_is_not_set_up_is_declined_and_not_unknown() -> None:
    async with shelf() as on:
        with pytest.raises(DeclinedError, match="not set up"):
            await on.of("tvmaze", "anilist").work(LANTERN)


async def test_the_leading_source_is_the_first_that_knows_a_kind_in_general() -> None:
    async with shelf() as on:
        assert on.catalogue.leading(WorkKind.FILM) == "tmdb"
        assert on.of("anilist", "tvmaze").leading(WorkKind.SERIES) == "tvmaze"
        assert on.of("anilist", "tvmaze").leading(WorkKind.FILM) is None
        assert on.catalogue.labels == ("TMDB", "TVmaze", "AniList")
