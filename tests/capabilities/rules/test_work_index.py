import pytest

from capabilities.rules.names.parsing import parse
from capabilities.rules.weighing import weigh
from capabilities.rules.work_index import WorkIndex
from capabilities.rules.works import Title, TitleKind, Work, WorkKey, WorkKind


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
