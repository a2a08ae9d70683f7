from dataclasses import replace

import pytest

from capabilities.rules.merged_works import merged_works
from capabilities.rules.works import Season, Title, TitleKind, Work, WorkKey, WorkKind

FILM, SERIES = WorkKind.FILM, WorkKind.SERIES


def work(
    source: str,
    title: str = "Flow",
    year: int | None = 2024,
    *,
    kind: WorkKind = FILM,
    number: str = "1",
    original: str | None = None,
    runtime: int | None = None,
    seasons: int = 0,
) -> Work:
    titles = [Title(title, TitleKind.MAIN)]
    if original is not None:
        titles.append(Title(original, TitleKind.ORIGINAL))
    counted = tuple(Season(n) for n in range(seasons + 1)) if seasons else ()
    key = WorkKey(source, kind, number)
    return Work(key, title, year, tuple(titles), counted, runtime_minutes=runtime)


def are_one(*works: Work) -> bool:
    """Whether it makes one work of them, in either order."""
    counts = {len(merged_works(works)), len(merged_works(works[::-1]))}
    assert len(counts) == 1
    return counts == {1}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (work("tmdb", runtime=85), work("anilist", "FLOW!", runtime=84)),
        (work("tmdb", original="Straume"), work("anilist", original="straume")),
        (work("tmdb", kind=SERIES, seasons=2), work("tvmaze", kind=SERIES, seasons=2)),
        (
            work("tmdb", kind=SERIES, seasons=2, runtime=45),
            work("tvmaze", kind=SERIES, seasons=2, runtime=60),
        ),
    ],
)
def test_title_year_and_one_thing_more_make_one_work(first: Work, second: Work) -> None:
    assert are_one(first, second)


@pytest.mark.parametrize(
    "other",
    [
        work("anilist", year=2023, original="Straume", runtime=85),
        work("anilist", year=None, original="Straume", runtime=85),
        work("anilist", kind=SERIES, original="Straume", runtime=85),
        work("anilist", "Other", original="Else", runtime=85),
        work("anilist"),
        work("anilist", runtime=12),
        work("anilist", original="Straume", runtime=12),
        work("tmdb", number="2", original="Straume", runtime=85),
    ],
)
def test_a_title_alone_makes_nothing_one(other: Work) -> None:
    assert not are_one(work("tmdb", original="Straume", runtime=85), other)


def test_an_original_title_is_no_second_word_for_itself() -> None:
    assert not are_one(work("tmdb", original="Flow"), work("anilist", original="Flow"))


def test_series_of_which_only_one_says_its_seasons_are_two() -> None:
    assert not are_one(work("tmdb", kind=SERIES, seasons=2), work("tvmaze", kind=SERIES))


def test_another_number_at_a_third_source_keeps_them_apart() -> None:
    first = replace(work("tmdb", runtime=85), external_ids={"imdb": "tt1"})
    second = replace(work("anilist", runtime=85), external_ids={"imdb": "tt2"})
    assert not are_one(first, second)


def test_an_alternative_title_makes_nothing_one() -> None:
    other = work("anilist", "Straume", runtime=85)
    other = replace(other, titles=(*other.titles, Title("Flow", TitleKind.ALTERNATIVE)))
    assert not are_one(work("tmdb", runtime=85), other)


@pytest.mark.parametrize("year", [2023, 2024, 2025])
def test_of_two_that_may_be_meant_none_is_chosen(year: int) -> None:
    film, anime = work("tmdb", runtime=85), work("anilist", runtime=85)
    assert len(merged_works([film, work("tmdb", number="2", year=year), anime])) == 3
    assert len(merged_works([film, anime, work("anilist", number="2", year=year)])) == 3


def test_one_of_a_year_further_off_leaves_nothing_open() -> None:
    film, anime = work("tmdb", runtime=85), work("anilist", runtime=85)
    assert len(merged_works([film, work("tmdb", number="2", year=1999), anime])) == 2
