from collections import Counter

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import (
    MOST_FORCED,
    MOST_TITLES,
    FileCandidates,
    NotAsked,
    file_candidates,
)
from capabilities.adapters.metadata.name_reading import read
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
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


async def forced(
    catalogue: Catalogue, *lines: str, videos: list[str], seconds: float = 30
) -> FileCandidates:
    held = await read("Mix", {}, [], NO_WORDS, catalogue)
    return await file_candidates(videos, held, words_from(lines), catalogue, seconds=seconds)


async def test_the_works_that_the_owner_says_files_are_share_the_time_of_the_titles() -> None:
    lines = ["force: Odd => tmdb:series:900001", "force: Even => tmdb:film:45745"]
    videos = ["Odd.S01E01.mkv", "Odd.S01E02.mkv", "Even.mkv"]
    async with shelf() as on:
        catalogue = on.of("tmdb")
        found = await forced(catalogue, *lines, videos=videos)
        late = await forced(catalogue, *lines, videos=[*videos, OWN[0]], seconds=0)

    assert [str(work.key) for work in found.works] == ["tmdb:series:900001", "tmdb:film:45745"]
    assert found.not_asked == {}
    assert late.works == []
    assert late.not_asked == dict.fromkeys([*videos, OWN[0]], NotAsked.LATE)


async def test_of_more_works_by_the_owners_word_than_are_asked_for_the_rest_is_told() -> None:
    numbers = range(1, MOST_FORCED + 3)
    lines = [f"force: Odd{number}x => tmdb:film:{number}" for number in numbers]
    videos = [f"Odd{number}x.mkv" for number in numbers]
    async with shelf() as on:
        found = await forced(on.of("tmdb"), *lines, videos=videos)

    assert found.not_asked == dict.fromkeys(videos[MOST_FORCED:], NotAsked.MANY)


async def test_a_work_by_the_owners_word_that_no_source_knows_was_asked_for() -> None:
    async with shelf() as on:
        found = await forced(on.of("tmdb"), "force: Odd => tmdb:film:404", videos=["Odd.mkv"])

    assert (found.works, found.not_asked) == ([], {})
