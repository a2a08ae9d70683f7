from collections import Counter

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import (
    MOST_TITLES,
    FileCandidates,
    NotAsked,
    file_candidates,
)
from capabilities.adapters.metadata.name_reading import read
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.policy import IdentityPolicy
from tests.capabilities.adapters.metadata.test_catalogue import BROKEN, shelf
from world.metadata import LoopbackMetadata

pytestmark = pytest.mark.anyio

NO_WORDS = IdentityPolicy()
OWN = [f"Nothing.Like.This.{'x' * number}.mkv" for number in range(1, 61)]


async def candidates(
    catalogue: Catalogue, *videos: str, release: str = "Mix", seconds: float = 30
) -> FileCandidates:
    held = await read(release, {}, [], NO_WORDS, catalogue)
    return await file_candidates(videos, held, (), catalogue, seconds=seconds)


def searches(tmdb: LoopbackMetadata) -> Counter[str]:
    return Counter(
        request.query_params["query"] for request in tmdb.requests if "search" in request.url.path
    )


async def test_there_is_an_end_to_the_titles_that_a_source_is_asked_for() -> None:
    async with shelf() as on:
        found = await candidates(on.of("tmdb"), *OWN)
        asked = searches(on.tmdb)

    asked.pop("Mix")
    assert len(asked) == MOST_TITLES
    assert found.not_asked == dict.fromkeys(OWN[MOST_TITLES:], NotAsked.MANY)


async def test_what_most_files_are_called_is_asked_for_first() -> None:
    late = [f"Lantern.Street.S01E0{number}.mkv" for number in (1, 2)]
    async with shelf() as on:
        found = await candidates(on.of("tmdb"), *OWN, *late)

    for path in late:
        assert [str(work.key) for work in found.own[path]] == ["tmdb:series:900001"]
    assert found.not_asked == dict.fromkeys(OWN[MOST_TITLES - 1 :], NotAsked.MANY)


async def test_a_file_may_mean_what_its_own_titles_and_its_release_say_and_no_other() -> None:
    street, bunny = "Lantern.Street.S01E01.mkv", "Big.Buck.Bunny.mkv"
    async with shelf() as on:
        found = await candidates(on.of("tmdb"), street, bunny, "Sintel.mkv", release="Sintel")

    films = {"tmdb:film:45745", "tmdb:film:900002"}
    own = {path: {str(work.key) for work in works} for path, works in found.own.items()}
    assert own == {street: films | {"tmdb:series:900001"}, bunny: films | {"tmdb:film:10378"}}
    assert {str(work.key) for work in found.works} == own[street] | own[bunny]


async def test_a_title_of_the_release_is_not_asked_for_again() -> None:
    async with shelf() as on:
        catalogue = on.of("tmdb")
        await read("Sintel.2010", {}, [], NO_WORDS, catalogue)
        before = len(on.tmdb.requests)
        found = await candidates(catalogue, "Sintel.mkv", "Sintel.1080p.mkv", release="Sintel.2010")
        after = len(on.tmdb.requests)

    assert (after, found.not_asked) == (before, {})


async def test_a_title_of_two_years_is_asked_for_in_both() -> None:
    async with shelf() as on:
        await candidates(on.of("tmdb"), "Sintel.1950.mkv", "Sintel.2010.mkv")
        years = {request.query_params.get("year") for request in on.tmdb.requests}

    assert {"1950", "2010"} <= years


async def test_what_no_source_answers_for_in_time_is_told_as_not_asked() -> None:
    async with shelf() as on:
        found = await candidates(on.of("tmdb"), *OWN, "Mix.mkv", seconds=0)

    assert found.works == []
    assert set(found.not_asked) == set(OWN)
    assert Counter(found.not_asked.values()) == {
        NotAsked.LATE: MOST_TITLES,
        NotAsked.MANY: len(OWN) - MOST_TITLES,
    }


async def test_a_source_that_fails_for_one_title_leaves_all_of_them_open() -> None:
    async with shelf() as on:
        held = await read("Mix", {}, [], NO_WORDS, on.of("tmdb"))
        on.tmdb.answer_next(*BROKEN * 4)
        with pytest.raises(UnreachableError):
            await file_candidates(OWN[:3], held, (), on.of("tmdb"))
