from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.sound_works import (
    LONGEST_OVERVIEW,
    LONGEST_TITLE,
    MOST_DISAGREEMENTS,
    MOST_SEASONS,
    MOST_TITLES,
    sound_season,
    sound_work,
)
from capabilities.rules.works import (
    Episode,
    Fact,
    Season,
    Title,
    TitleKind,
    Work,
    WorkKey,
    WorkKind,
)

KEY = WorkKey("tmdb", WorkKind.SERIES, "1")

seasons = st.builds(
    Season,
    number=st.integers(-3, 5),
    year=st.none() | st.integers(-5, 99_999),
    episode_count=st.integers(-5, 10**9),
    episodes=st.lists(st.builds(Episode, number=st.integers(-2, 4)), max_size=5).map(tuple),
)
works = st.builds(
    Work,
    key=st.just(KEY),
    title=st.text(max_size=600),
    year=st.none() | st.integers(-10, 10**6),
    titles=st.lists(
        st.builds(Title, text=st.text(max_size=400), kind=st.sampled_from(TitleKind)), max_size=5
    ).map(tuple),
    seasons=st.lists(seasons, max_size=6).map(tuple),
    external_ids=st.dictionaries(st.sampled_from(["imdb", "tvdb"]), st.text(max_size=60)),
    overview=st.none() | st.text(max_size=100),
)


def test_metadata_without_contradictions_stays_as_it_is() -> None:
    work = Work(
        KEY,
        "Lantern Street",
        2019,
        titles=(Title("Lantern Street", TitleKind.MAIN),),
        seasons=(Season(0, None, 1), Season(1, 2019, 3)),
        external_ids={"imdb": "tt99000001"},
        overview="A street.",
    )
    assert sound_work(work) == work


def test_a_season_that_is_listed_twice_counts_once_and_that_is_named() -> None:
    work = sound_work(Work(KEY, "x", 2019, seasons=(Season(2), Season(1, 2019, 3), Season(1))))
    assert [(season.number, season.episode_count) for season in work.seasons] == [(1, 3), (2, 0)]
    assert [(told.fact, told.sentence) for told in work.disagreements] == [
        (Fact.SEASONS, "season 1 is listed twice; the first one counts")
    ]


def test_the_same_season_said_again_is_no_contradiction() -> None:
    work = sound_work(Work(KEY, "x", 2019, seasons=(Season(1), Season(1))))
    assert (len(work.seasons), work.disagreements) == (1, ())


def test_a_negative_number_is_left_out_and_named() -> None:
    work = sound_work(Work(KEY, "x", 2019, seasons=(Season(-1), Season(1))))
    assert [season.number for season in work.seasons] == [1]
    assert "the number -1" in work.disagreements[0].sentence


def test_a_year_that_cannot_be_is_none_and_named() -> None:
    work = sound_work(Work(KEY, "x", 20190))
    assert work.year is None
    assert work.disagreements[0].fact is Fact.YEAR
    assert "20190" in work.disagreements[0].sentence


def test_a_season_has_as_many_episodes_as_it_lists() -> None:
    season = sound_season(Season(1, 2019, 9, (Episode(2), Episode(1, " One "), Episode(2, "Two"))))
    assert season.episodes == (Episode(1, "One"), Episode(2))
    assert season.episode_count == 2
    assert [told.fact for told in season.disagreements] == [Fact.EPISODES]


def test_no_list_and_no_text_is_endless() -> None:
    work = sound_work(
        Work(
            KEY,
            "t" * 1_000,
            2019,
            titles=tuple(Title(f"{n}" * 400, TitleKind.ALTERNATIVE) for n in range(500)),
            seasons=tuple(Season(n) for n in range(1_000)),
            external_ids={"imdb": "t" * 41, "tvdb": "1", "tvmaze": ""},
            overview="o" * 9_999,
        )
    )
    assert (len(work.title), len(work.titles), len(work.seasons)) == (
        LONGEST_TITLE,
        MOST_TITLES,
        MOST_SEASONS,
    )
    assert len(work.overview or "") == LONGEST_OVERVIEW
    assert work.external_ids == {"tvdb": "1"}
    assert "more than 300 seasons" in work.disagreements[0].sentence


def test_contradictions_are_told_as_far_as_a_person_reads() -> None:
    doubled = tuple(Season(n // 2, episode_count=n) for n in range(100))
    assert len(sound_work(Work(KEY, "x", 2019, seasons=doubled)).disagreements) == (
        MOST_DISAGREEMENTS
    )


@given(works)
def test_what_is_sound_stays_sound_and_numbers_are_once_and_in_order(work: Work) -> None:
    sound = sound_work(work)
    numbers = [season.number for season in sound.seasons]
    assert numbers == sorted(set(numbers))
    assert all(number >= 0 for number in numbers)
    assert all(0 <= season.episode_count <= 5_000 for season in sound.seasons)
    assert sound_work(sound) == sound
