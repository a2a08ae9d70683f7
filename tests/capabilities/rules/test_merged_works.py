from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.merged_works import merged_works
from capabilities.rules.works import (
    Fact,
    Relation,
    RelationKind,
    Season,
    Title,
    TitleKind,
    Work,
    WorkKey,
    WorkKind,
)


def work(
    source: str,
    number: str,
    title: str = "Lantern Street",
    year: int | None = 2019,
    *,
    kind: WorkKind = WorkKind.SERIES,
    ids: dict[str, str] | None = None,
) -> Work:
    titles = (Title(title, TitleKind.MAIN),)
    return Work(WorkKey(source, kind, number), title, year, titles, external_ids=ids or {})


def keys(works: list[Work]) -> list[str]:
    return [str(each.key) for each in works]


TMDB = work("tmdb", "1", ids={"imdb": "tt1", "tvdb": "7"})


def test_a_shared_number_makes_one_work_that_has_what_both_know() -> None:
    other = replace(
        work("tvmaze", "2", "Lamp Road", ids={"tvdb": "7"}), runtime_minutes=25, overview="Lamps."
    )
    (merged,) = merged_works([TMDB, other])
    assert merged.key == TMDB.key
    assert merged.external_ids == {"imdb": "tt1", "tvdb": "7", "tvmaze": "2"}
    assert merged.titles == (
        Title("Lantern Street", TitleKind.MAIN),
        Title("Lamp Road", TitleKind.TRANSLATION),
    )
    assert (merged.runtime_minutes, merged.overview) == (25, "Lamps.")


def test_the_number_of_the_other_source_itself_is_shared_too() -> None:
    assert keys(merged_works([TMDB, work("x", "2", "Other", ids={"tmdb": "1"})])) == [
        "tmdb:series:1"
    ]


def test_different_years_are_named_and_the_first_counts() -> None:
    (merged,) = merged_works([TMDB, work("tvmaze", "2", year=2018, ids={"imdb": "tt1"})])
    assert merged.year == 2019
    assert [(told.fact, told.sentence) for told in merged.disagreements] == [
        (Fact.YEAR, "tmdb says 2019, tvmaze says 2018; tmdb counts")
    ]


def test_a_year_that_the_first_lacks_is_taken_from_the_other() -> None:
    (merged,) = merged_works(
        [replace(TMDB, year=None), work("tvmaze", "2", year=2018, ids={"imdb": "tt1"})]
    )
    assert (merged.year, merged.disagreements) == (2018, ())


def test_different_numbers_at_a_third_source_are_named() -> None:
    (merged,) = merged_works([TMDB, work("tvmaze", "2", ids={"imdb": "tt1", "tvdb": "8"})])
    assert merged.external_ids["tvdb"] == "7"
    assert [told.fact for told in merged.disagreements] == [Fact.EXTERNAL_ID]


def test_seasons_that_differ_in_number_or_length_are_named() -> None:
    ours = replace(TMDB, seasons=(Season(0, None, 9), Season(1, 2019, 12), Season(2, 2020, 12)))
    theirs = replace(
        work("tvmaze", "2", ids={"imdb": "tt1"}), seasons=(Season(1, 2019, 24), Season(2))
    )
    one = replace(theirs, seasons=(Season(1, 2019, 12),))
    (lengths,) = merged_works([ours, theirs])
    (numbers,) = merged_works([ours, one])
    assert [told.fact for told in lengths.disagreements] == [Fact.EPISODES]
    assert [told.fact for told in numbers.disagreements] == [Fact.SEASONS]
    assert lengths.seasons == ours.seasons


def test_one_imdb_number_for_a_film_and_a_series_keeps_them_apart_and_is_named() -> None:
    film = work("tmdb", "1", kind=WorkKind.FILM, ids={"imdb": "tt1"})
    merged = merged_works([film, work("tvmaze", "2", ids={"imdb": "tt1"})])
    assert keys(merged) == ["tmdb:film:1", "tvmaze:series:2"]
    assert [told.fact for told in merged[0].disagreements] == [Fact.KIND]


def test_numbers_of_films_and_series_that_look_the_same_are_not_shared() -> None:
    film = work("tmdb", "1", kind=WorkKind.FILM, ids={"tvdb": "7"})
    merged = merged_works([film, work("tvmaze", "2", ids={"tvdb": "7"})])
    assert len(merged) == 2
    assert merged[0].disagreements == ()


def test_numbers_that_come_by_the_title_alone_are_named_as_no_proof() -> None:
    whole = replace(TMDB, runtime_minutes=24)
    anime = replace(work("anilist", "3", "LANTERN street!", ids={"mal": "9"}), runtime_minutes=25)
    (merged,) = merged_works([whole, anime])
    assert merged.external_ids == {"imdb": "tt1", "tvdb": "7", "anilist": "3", "mal": "9"}
    assert merged.ids_by_title == ("anilist", "mal")
    assert merged_works([merged, anime]) == [merged]


def test_a_number_that_is_proven_later_is_proof() -> None:
    taken = replace(TMDB, external_ids={"imdb": "tt1", "anilist": "3"}, ids_by_title=("anilist",))
    (merged,) = merged_works([taken, work("anilist", "3", ids={"imdb": "tt1"})])
    assert (merged.external_ids["anilist"], merged.ids_by_title) == ("3", ())


def test_a_number_that_a_source_itself_says_is_proof() -> None:
    (merged,) = merged_works([TMDB, work("tvmaze", "2", ids={"tvdb": "7", "mal": "9"})])
    assert merged.ids_by_title == ()


def test_a_later_season_by_itself_is_left_out_where_a_whole_series_is_found() -> None:
    first = replace(work("anilist", "3"), runtime_minutes=24)
    second = replace(
        work("anilist", "4", "Lantern Street 2", 2021),
        relations=(Relation(RelationKind.PREQUEL, first.key),),
    )
    whole = replace(TMDB, runtime_minutes=24)
    assert keys(merged_works([whole, first, second])) == ["tmdb:series:1"]
    assert keys(merged_works([first, second])) == ["anilist:series:3", "anilist:series:4"]


def test_a_film_that_continues_a_series_stays() -> None:
    film = replace(
        work("anilist", "5", "Last Night", kind=WorkKind.FILM),
        relations=(Relation(RelationKind.PREQUEL, WorkKey("anilist", WorkKind.SERIES, "3")),),
    )
    assert keys(merged_works([TMDB, film])) == ["tmdb:series:1", "anilist:film:5"]


@given(
    st.lists(
        st.builds(
            work,
            source=st.sampled_from(["tmdb", "tvmaze", "anilist"]),
            number=st.sampled_from("123"),
            title=st.sampled_from(["One", "Two"]),
            year=st.sampled_from([None, 2019, 2020]),
            kind=st.sampled_from(WorkKind),
            ids=st.dictionaries(st.sampled_from(["imdb", "tvdb"]), st.sampled_from("12")),
        ),
        max_size=7,
    )
)
def test_every_work_is_there_once_and_nothing_is_invented(works: list[Work]) -> None:
    merged = merged_works(works)
    assert len({each.key for each in merged}) == len(merged)
    assert {each.key for each in merged} <= {each.key for each in works}
    told = {(each.key.source, each.key.id) for each in merged}
    told |= {(s, n) for each in merged for s, n in each.external_ids.items()}
    assert {each.key for each in works if (each.key.source, each.key.id) not in told} == set()
