from collections.abc import Mapping
from types import MappingProxyType

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import Read, read
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.episode_counting import Unsettled
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.works import Work
from tests.capabilities.adapters.metadata.test_catalogue import BROKEN, shelf

pytestmark = pytest.mark.anyio

PLAIN = IdentityPolicy()


async def told(
    catalogue: Catalogue,
    title: str,
    policy: IdentityPolicy = PLAIN,
    ids: Mapping[str, str] = MappingProxyType({}),
) -> Read:
    return await read(title, ids, [], policy, catalogue)


def key(held: Read) -> str | None:
    work = held.identity.work
    return None if work is None else str(work.key)


def places(held: Read) -> list[str]:
    assert not isinstance(held.numbers, Unsettled)
    return [f"S{one.place.season:02}E{one.place.episode:02}" for one in held.numbers]


@pytest.mark.parametrize(
    ("title", "work", "grade"),
    [
        ("Sintel.2010.1080p.BluRay", "tmdb:film:45745", Grade.B),
        ("Sintel.1994.1080p.BluRay", "tmdb:film:900002", Grade.B),
        ("Sintel.1080p.BluRay", None, Grade.D),
        ("Lantern.Street.S01E02.720p", "tmdb:series:900001", Grade.C),
        ("No.Such.Thing.2010.1080p", None, Grade.E),
    ],
)
async def test_a_name_is_graded_among_everything_that_it_may_mean(
    title: str, work: str | None, grade: Grade
) -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), title)

    assert (key(held), held.identity.grade) == (work, grade)


async def test_what_a_name_means_is_taken_only_where_the_policy_takes_its_grade() -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), "Lantern.Street.S01E02.720p")

    assert held.identity.grade is Grade.C
    assert not held.is_accepted(PLAIN)
    assert held.is_accepted(IdentityPolicy((Grade.A, Grade.B, Grade.C)))


@pytest.mark.parametrize(
    ("ids", "work"),
    [({"tmdb": "900002"}, "tmdb:film:900002"), ({"imdb": "tt1727587"}, "tmdb:film:45745")],
)
async def test_an_id_decides_between_works_of_one_title(ids: dict[str, str], work: str) -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), "Sintel.1080p.BluRay", ids=ids)

    assert (key(held), held.identity.grade) == (work, Grade.A)


async def test_a_work_that_only_an_id_leads_to_is_among_those_it_may_mean() -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), "Nobody.Knows.2012.1080p", ids={"tmdb": "133701"})

    assert [str(work.key) for work in held.candidates] == ["tmdb:film:133701"]
    assert held.identity.grade is Grade.C
    assert [one.sentence for one in held.identity.contradictions] == [
        '"Nobody Knows" is no known title of "Tears of Steel"'
    ]


async def test_the_owners_word_for_a_work_counts_before_the_title() -> None:
    policy = IdentityPolicy(words=words_from(["force: Sintel => tmdb:film:133701"]))
    async with shelf() as on:
        held = await told(on.of("tmdb"), "Sintel.2010.1080p.BluRay", policy)

    assert key(held) == "tmdb:film:133701"
    assert held.is_accepted(policy)


async def test_the_owners_words_change_the_name_before_it_is_read() -> None:
    policy = IdentityPolicy(words=words_from(["replace: Laternenweg => Lantern.Street"]))
    async with shelf() as on:
        held = await told(on.of("tmdb"), "Laternenweg.S02E01.720p", policy)

    assert (key(held), held.name.title, places(held)) == (
        "tmdb:series:900001",
        "Lantern Street",
        ["S02E01"],
    )


async def test_a_number_through_all_seasons_stands_where_the_sources_order_has_it() -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), "[Group] Lantern Street - 05 [1080p]")

    assert places(held) == ["S02E02"]


async def test_the_owners_offset_counts_before_the_sources_order() -> None:
    policy = IdentityPolicy(offsets=(offset_from("tmdb:series:900001 27 = S02E01"),))
    async with shelf() as on:
        held = await told(on.of("tmdb"), "[Group] Lantern Street - 27 [1080p]", policy)

    assert places(held) == ["S02E01"]


@pytest.mark.parametrize(("day", "place"), [("2021.09.13", ["S02E02"]), ("2019.02.18", ["S01E03"])])
async def test_a_day_leads_to_the_episode_that_was_aired_on_it(day: str, place: list[str]) -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), f"Lantern.Street.{day}.720p.WEB", ids={"tmdb": "900001"})

    assert places(held) == place


async def test_no_order_is_asked_for_where_a_name_counts_nothing() -> None:
    async with shelf() as on:
        held = await told(on.of("tmdb"), "Sintel.2010.1080p.BluRay")
        assert not [one for one in on.tmdb.requests if "episode_groups" in one.url.path]

    assert held.numbers == ()


async def test_what_is_known_beforehand_is_among_those_it_may_mean() -> None:
    async with shelf() as on:
        (known,) = (await on.of("tmdb").search("Tears of Steel")).works
        renamed = Work(known.key, "Glass Tears", 2012)
        held = await read("Glass.Tears.2012.1080p", {}, [renamed], PLAIN, on.of("tmdb"))

    assert key(held) == "tmdb:film:133701"


async def test_nothing_is_concluded_while_a_source_that_is_needed_is_silent() -> None:
    async with shelf() as on:
        on.tmdb.answer_next(*BROKEN)
        with pytest.raises(UnreachableError):
            await told(on.of("tmdb"), "Sintel.2010.1080p.BluRay")
