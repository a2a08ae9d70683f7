from dataclasses import replace

import pytest

from capabilities.rules.evidence import Clue, Grade, Identity
from capabilities.rules.identity import accepts, grade, verdict_for
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.works import Season, Title, TitleKind, Work, WorkKey, WorkKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL, film, series


def clues(identity: Identity, work: Work) -> set[Clue]:
    return {one.clue for one in identity.speaks_against(work.key)}


@pytest.mark.parametrize(
    "claimed",
    [{"tmdb": "45745"}, {"imdb": "tt1727587"}, {"imdb": "1727587"}, {"imdb": " TT01727587 "}],
)
def test_an_external_id_is_grade_a(claimed: dict[str, str]) -> None:
    identity = grade(parse("Sintel.1080p.BluRay"), claimed, [SINTEL, film("Sintel", 2019, "1")])
    assert (identity.grade, identity.work) == (Grade.A, SINTEL)
    assert identity.speaks_against(SINTEL.key) == ()
    assert verdict_for(SINTEL, identity) == "same"


def test_an_id_written_into_the_name_is_grade_a() -> None:
    identity = grade(parse("Sintel {tmdb-45745}"), {"tmdb": "999"}, [SINTEL])
    assert (identity.grade, identity.work) == (Grade.A, SINTEL)


@pytest.mark.parametrize(
    "text",
    [
        "Sintel.2010.1080p.BluRay",
        "Sintel.2011.1080p.BluRay",
        "SINTEL 2009 1080p",
        "辛特尔.2010.1080p",
        "Durian.2010.1080p",
    ],
)
def test_one_exact_title_with_its_year_is_grade_b(text: str) -> None:
    identity = grade(parse(text), {}, [SINTEL, film("Sintel Returns", 2010, "2")])
    assert (identity.grade, identity.work) == (Grade.B, SINTEL)
    assert {one.clue for one in identity.speaks_for(SINTEL.key)} >= {Clue.YEAR}
    assert verdict_for(SINTEL, identity) == "same"
    assert accepts(IdentityPolicy(), identity)


def test_an_exact_title_without_a_year_is_grade_c_and_asked_about() -> None:
    identity = grade(parse("Sintel.1080p.BluRay"), {}, [SINTEL])
    assert (identity.grade, identity.work) == (Grade.C, SINTEL)
    assert identity.contradictions == ()
    assert verdict_for(SINTEL, identity) == "unsure"
    assert not accepts(IdentityPolicy(), identity)
    assert accepts(IdentityPolicy((Grade.C,)), identity)


def test_an_alternative_title_alone_is_never_enough() -> None:
    identity = grade(parse("Durian.1080p.BluRay"), {}, [SINTEL])
    assert (identity.grade, identity.work) == (Grade.D, None)
    assert verdict_for(SINTEL, identity) == "unsure"


def test_a_main_title_wins_over_the_same_alternative_one() -> None:
    other = replace(
        film("Orange Project", 2010, "3"), titles=(Title("Sintel", TitleKind.ALTERNATIVE),)
    )
    identity = grade(parse("Sintel.2010.1080p"), {}, [other, SINTEL])
    assert (identity.grade, identity.work) == (Grade.B, SINTEL)


def test_two_films_of_one_title_and_year_are_grade_d() -> None:
    first, second = film("The Night", 2021, "1"), film("The Night", 2021, "2")
    identity = grade(parse("The.Night.2021.1080p"), {}, [first, second])
    assert (identity.grade, identity.work) == (Grade.D, None)
    assert identity.candidates == (first, second)
    assert verdict_for(first, identity) == verdict_for(second, identity) == "unsure"


def test_where_more_works_may_bear_the_title_none_is_taken_for_the_only_one() -> None:
    identity = grade(parse("Sintel.2010.1080p"), {}, [SINTEL], crowded=True)
    assert (identity.grade, identity.work) == (Grade.C, SINTEL)
    (against,) = identity.speaks_against(SINTEL.key)
    assert against.sentence == "more works bear this title than the metadata source lists at once"
    assert verdict_for(SINTEL, identity) == "unsure"
    assert grade(parse("Sintel.2010"), {"tmdb": "45745"}, [SINTEL], crowded=True).grade is Grade.A


def test_a_similar_title_is_grade_d() -> None:
    identity = grade(parse("The.Office.Party.S02E01"), {}, [series("The Office", 2005)])
    assert identity.grade is Grade.D
    assert [one.clue for one in identity.evidence] == [Clue.SIMILAR_TITLE]


def test_nothing_in_common_is_grade_e_and_another_work() -> None:
    identity = grade(parse("Cosmos.Laundromat.2015.1080p"), {}, [SINTEL])
    assert (identity.grade, identity.candidates) == (Grade.E, ())
    assert verdict_for(SINTEL, identity) == "other"
    assert not accepts(IdentityPolicy((Grade.A, Grade.B, Grade.C)), identity)


def test_the_same_title_of_another_year_is_another_film() -> None:
    identity = grade(parse("Sintel.1998.1080p"), {}, [SINTEL])
    assert identity.grade is Grade.D
    assert clues(identity, SINTEL) == {Clue.YEAR}
    assert verdict_for(SINTEL, identity) == "other"


def test_the_right_one_of_two_remakes_is_found_and_the_other_refused() -> None:
    old = film("Sintel", 1998, "5")
    identity = grade(parse("Sintel.1998.1080p"), {}, [SINTEL, old])
    assert (identity.grade, identity.work) == (Grade.B, old)
    assert verdict_for(SINTEL, identity) == "other"


def test_an_id_with_another_year_is_lowered_and_named() -> None:
    identity = grade(parse("Sintel.1998.1080p"), {"tmdb": "45745"}, [SINTEL])
    assert (identity.grade, identity.work) == (Grade.C, SINTEL)
    assert clues(identity, SINTEL) == {Clue.YEAR}
    assert verdict_for(SINTEL, identity) == "unsure"


def test_an_id_of_another_work_than_title_and_year_is_no_identity() -> None:
    old = film("Sintel", 1998, "5")
    identity = grade(parse("Sintel.1998.1080p"), {"tmdb": "45745"}, [SINTEL, old])
    assert (identity.grade, identity.work) == (Grade.D, None)
    assert Clue.EXTERNAL_ID in clues(identity, SINTEL)
    assert verdict_for(SINTEL, identity) == "other"
    assert verdict_for(old, identity) == "unsure"


def test_an_id_with_a_foreign_title_is_lowered() -> None:
    identity = grade(parse("Caminandes.2010.1080p"), {"tmdb": "45745"}, [SINTEL])
    assert (identity.grade, identity.work) == (Grade.C, SINTEL)
    assert clues(identity, SINTEL) == {Clue.TITLE}


def test_two_ids_that_disagree_lower_a_title() -> None:
    claimed = {"tmdb": "45745", "imdb": "tt0000001"}
    identity = grade(parse("Sintel.2010.1080p"), claimed, [SINTEL])
    assert (identity.grade, identity.work) == (Grade.C, SINTEL)
    assert clues(identity, SINTEL) == {Clue.EXTERNAL_ID}


def test_an_unknown_claimed_id_lowers_a_title_to_asking() -> None:
    identity = grade(parse("Sintel.2010.1080p"), {"tmdb": "1"}, [SINTEL])
    assert identity.grade is Grade.C
    assert verdict_for(SINTEL, identity) == "unsure"


def test_a_film_and_a_series_share_numbers_and_stay_apart() -> None:
    movie, show = film("Sintel", 2010, "278"), series("Another Show", 2012, "278")
    named = grade(parse("Another.Show.S01E01"), {"tmdb": "278"}, [movie, show])
    assert (named.grade, named.work) == (Grade.A, show)
    unnamed = grade(parse("Sintel.1080p"), {"tmdb": "278"}, [show, movie])
    assert (unnamed.grade, unnamed.work) == (Grade.A, movie)
    neither = grade(parse("Foreign.1080p"), {"tmdb": "278"}, [show, movie])
    assert (neither.grade, neither.work) == (Grade.D, None)


def test_the_wrong_kind_is_another_work() -> None:
    identity = grade(parse("Sintel.S01E01.2010.1080p"), {}, [SINTEL])
    assert clues(identity, SINTEL) == {Clue.KIND}
    assert verdict_for(SINTEL, identity) == "other"
    backwards = grade(parse("Pioneer.One.2010.1080p"), {}, [PIONEER])
    assert backwards.grade is Grade.D
    assert clues(backwards, PIONEER) == {Clue.KIND}


def test_a_later_season_is_of_its_own_year() -> None:
    identity = grade(parse("Pioneer.One.2013.S02E01.720p"), {}, [PIONEER])
    assert (identity.grade, identity.work) == (Grade.B, PIONEER)


def test_a_season_of_a_foreign_year_is_contradicted() -> None:
    identity = grade(parse("Pioneer.One.2019.S02E01.720p"), {}, [PIONEER])
    assert clues(identity, PIONEER) == {Clue.YEAR}
    before = grade(parse("Pioneer.One.1999.S01E01.720p"), {}, [PIONEER])
    assert clues(before, PIONEER) == {Clue.YEAR}


def test_the_year_of_an_unknown_season_says_nothing() -> None:
    identity = grade(parse("Show.2019.S05E01"), {}, [series("Show", 2015)])
    assert (identity.grade, identity.contradictions) == (Grade.C, ())


def test_an_episode_beyond_its_season_is_lowered() -> None:
    identity = grade(parse("Pioneer.One.2010.S01E09.720p"), {}, [PIONEER])
    assert (identity.grade, identity.work) == (Grade.C, PIONEER)
    assert clues(identity, PIONEER) == {Clue.EPISODE}
    by_id = grade(parse("Pioneer.One.S01E09.720p"), {"tmdb": "4711"}, [PIONEER])
    assert by_id.grade is Grade.C


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("Pioneer.One.S07E01.720p", Clue.SEASON),
        ("[Group] Pioneer One - 42 [720p]", Clue.EPISODE),
        ("[Group] Pioneer One S2 - 09 [720p]", Clue.EPISODE),
    ],
)
def test_structure_that_does_not_fit_is_named(text: str, clue: Clue) -> None:
    identity = grade(parse(text), {}, [PIONEER])
    assert identity.grade is Grade.D
    assert clues(identity, PIONEER) == {clue}


@pytest.mark.parametrize(
    "text", ["Pioneer.One.S00E09", "[Group] Pioneer One - 05", "Pioneer.One.S01"]
)
def test_specials_and_fitting_numbers_are_not_held_against_a_name(text: str) -> None:
    identity = grade(parse(text), {}, [PIONEER])
    assert (identity.grade, identity.work) == (Grade.C, PIONEER)


def test_a_season_of_unknown_length_contradicts_nothing() -> None:
    show = series("Show", 2015, seasons=(Season(1, 2015),))
    assert grade(parse("Show.S01E40"), {}, [show]).contradictions == ()


def test_an_episode_aired_before_the_series_is_contradicted() -> None:
    early = grade(parse("Pioneer.One.2001.05.01.720p"), {}, [PIONEER])
    assert clues(early, PIONEER) == {Clue.YEAR}
    later = grade(parse("Pioneer.One.2013.01.01.720p"), {}, [PIONEER])
    assert (later.grade, later.contradictions) == (Grade.C, ())


def test_a_number_at_the_end_may_belong_to_the_title() -> None:
    sequel, first = film("Wonder Woman 1984", 2020, "1"), film("Wonder Woman", 2017, "2")
    identity = grade(parse("Wonder.Woman.1984.1080p"), {}, [first, sequel])
    assert (identity.grade, identity.work) == (Grade.C, sequel)
    assert verdict_for(first, identity) == "other"


def test_a_work_given_twice_counts_once() -> None:
    assert grade(parse("Sintel.2010.1080p"), {}, [SINTEL, SINTEL]).grade is Grade.B


def test_grading_does_not_depend_on_the_order_of_candidates() -> None:
    works = [SINTEL, film("Sintel", 1998, "5"), series("Sintel", 2010, "6"), PIONEER]
    name = parse("Sintel.2010.1080p")
    assert grade(name, {}, works) == grade(name, {}, works[::-1])


def test_titles_of_nothing_but_signs_are_told_apart() -> None:
    question = Work(WorkKey("tmdb", WorkKind.FILM, "1"), "???", 2010)
    assert grade(parse("!!!.2010.1080p"), {}, [question]).grade is Grade.E


def test_accents_case_and_ampersands_make_no_difference() -> None:
    work = film("Amélie & Rémi", 2001)
    assert grade(parse("AMELIE.AND.REMI.2001.1080p"), {}, [work]).grade is Grade.B


def test_sentences_carry_no_control_signs_of_a_hostile_name() -> None:
    name = parse("Sintel\u202e\x07.1998.1080p")
    identity = grade(name, {"tmdb": "45745"}, [SINTEL])
    said = " ".join(one.sentence for one in (*identity.evidence, *identity.contradictions))
    assert "Sintel" in said
    assert said.isprintable()
