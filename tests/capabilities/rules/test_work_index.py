import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capabilities.rules.identity import grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.weighing import weigh
from capabilities.rules.work_index import WorkIndex
from capabilities.rules.works import Season, Title, TitleKind, Work, WorkKey, WorkKind


def film(number: int, title: str, *others: str, imdb: str | None = None) -> Work:
    return Work(
        WorkKey("tmdb", WorkKind.FILM, str(number)),
        title,
        2000,
        titles=tuple(Title(text, TitleKind.TRANSLATION) for text in others),
        external_ids={} if imdb is None else {"imdb": imdb},
    )


WORKS = [
    film(1, "The Lantern", "Die Laterne", imdb="tt0000101"),
    film(2, "The Street"),
    film(3, "Rocky II"),
    film(4, "Spider-Man"),
    film(5, "It"),
    film(6, "千と千尋の神隠し", "Spirited Away"),
    film(7, "1917"),
    film(8, "Amélie", "Le Fabuleux Destin d'Amélie Poulain"),
    film(10, "Up 2000"),
    film(9, "A Long Night of the Cold Sea"),
]
INDEX = WorkIndex(WORKS)
NAMES = [
    "The.Lantern.2000.1080p-A",
    "Die.Laterne.2000.1080p-A",
    "Rocky.2.2000.1080p-A",
    "SpiderMan.2000.1080p-A",
    "It.2000.1080p-A",
    "千と千尋の神隠し.2000.1080p-A",
    "1917.2000.1080p-A",
    "Amelie.2000.1080p-A",
    "The.Long.Night.of.the.Cold.Sea.2000-A",
    "Up.2000.1080p-A",
    "Nothing.Of.These.2000-A",
]


@pytest.mark.parametrize("text", NAMES)
def test_no_work_that_is_plausible_for_a_name_is_left_out(text: str) -> None:
    name = parse(text)
    plausible = [work for work in WORKS if weigh(name, {}, work).is_plausible]
    near = INDEX.near(name, {})
    assert [work for work in near if weigh(name, {}, work).is_plausible] == plausible


def test_most_others_are_left_out() -> None:
    assert [work.title for work in INDEX.near(parse("Rocky.2.2000-A"), {})] == ["Rocky II"]
    assert INDEX.near(parse("Nothing.Of.These.2000-A"), {}) == []


@pytest.mark.parametrize(
    ("ids", "title"),
    [
        ({"tmdb": "4"}, "Spider-Man"),
        ({"imdb": "101"}, "The Lantern"),
        ({"tmdb": " 04"}, "Spider-Man"),
    ],
)
def test_an_id_finds_its_work_whatever_the_name_says(ids: dict[str, str], title: str) -> None:
    found = INDEX.near(parse("Odd.Name.2000.1080p-A"), ids)
    assert [work.title for work in found] == [title]


def test_an_id_in_the_name_finds_its_work() -> None:
    found = INDEX.near(parse("Odd Name (2000) {tmdb-4}"), {})
    assert [work.title for work in found] == ["Spider-Man"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Big.Sky.2000-A", "The Big Sky"),
        ("El.Up.2000-A", "Up"),
        ("The.Her.2000-A", "Her"),
        ("Up.Part.1.2000-A", "Up"),
    ],
)
def test_a_work_is_found_by_words_of_any_length(text: str, title: str) -> None:
    there = [film(1, "The Big Sky"), film(2, "Up"), film(3, "Her"), film(4, "Of All")]
    assert [work.title for work in WorkIndex(there).near(parse(text), {})] == [title]


def test_a_series_is_found_by_its_title_where_a_name_has_its_season_behind_it() -> None:
    seasons = (Season(1, 2000, 9), Season(2, 2001, 9))
    series = Work(WorkKey("tmdb", WorkKind.SERIES, "1"), "It", 2000, seasons=seasons)
    name = ReleaseName("", "It II", kind=WorkKind.SERIES, episodes=(3,))
    assert WorkIndex([series]).near(name, {}) == [series]


WORDS = [
    "the",
    "big",
    "sky",
    "up",
    "it",
    "her",
    "El",
    "ii",
    "2",
    "part",
    "one",
    "i",
    "天",
    "é",
    "!",
]
TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
IDS = st.dictionaries(
    st.sampled_from(["imdb", "tmdb"]), st.sampled_from(["1", "01", "tt1", "tt0002", "0"])
)


@st.composite
def any_work(draw: st.DrawFn) -> Work:
    """A work whose title other works may have too."""
    kind = draw(st.sampled_from(WorkKind))
    seasons = (Season(1, 2000, 9), Season(2, 2002, 9)) if kind is WorkKind.SERIES else ()
    others = draw(st.lists(st.builds(Title, TITLES, st.sampled_from(TitleKind)), max_size=2))
    return Work(
        WorkKey("tmdb", kind, str(draw(st.integers(1, 20)))),
        draw(TITLES),
        draw(st.sampled_from([None, 2, 2000])),
        titles=tuple(others),
        seasons=seasons,
        external_ids=draw(IDS),
    )


NAMED = st.builds(
    ReleaseName,
    st.just("a name"),
    title=TITLES | st.just(""),
    alternative_titles=st.lists(TITLES, max_size=2).map(tuple),
    kind=st.sampled_from([None, *WorkKind]),
    year=st.sampled_from([None, 2, 2000]),
    episodes=st.sampled_from([(), (3,)]),
    external_ids=IDS,
)
BIG_SKY = ReleaseName("", "big sky", year=2000)


@given(NAMED, IDS, st.lists(any_work(), max_size=12, unique_by=lambda work: work.key))
@example(BIG_SKY, {}, [film(1, "the big sky")])
def test_a_name_is_graded_among_those_near_it_as_among_all_works(
    name: ReleaseName, claimed: dict[str, str], works: list[Work]
) -> None:
    near = WorkIndex(works).near(name, claimed)
    assert grade(name, claimed, near) == grade(name, claimed, works)
