"""Names that systems of this kind were reported to get wrong, with the right outcome of each.

The rows are named after the collected reports, ``ID-`` those of MoviePilot and its forks, ``ARR-``
those of Sonarr and Radarr. A right outcome is the work, or to ask; never another work in silence.
"""

from dataclasses import dataclass, replace

import pytest

from capabilities.rules.evidence import Clue, Grade
from capabilities.rules.identity import accepts, grade, verdict_for
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.vocabulary import DynamicRange, Source
from capabilities.rules.works import TitleKind, Work, WorkKind
from tests.capabilities.rules.reported import (
    HOME_ALONE_2,
    JUJUTSU,
    NEVERLAND,
    NEVERLAND_FILM,
    PEACH,
    PEACH_OTHER,
    PERFECT,
    PERFECT_DRAMA,
    PRESTIGE,
    SERIES_772,
    TINTIN,
    TINTIN_1972,
    WEATHERING,
    called,
    long,
)
from tests.capabilities.rules.shelf import SINTEL, film, series

DEFAULT = IdentityPolicy()
FROZEN = film("Frozen", 2013, "109445")
FROZEN_II = film("Frozen II", 2019, "330457")


@dataclass(frozen=True, slots=True)
class Case:
    """One name, the works that a search finds, and what it is."""

    id: str
    name: str
    candidates: tuple[Work, ...]
    grade: Grade
    work: Work | None
    ids: tuple[tuple[str, str], ...] = ()


CASES = (
    Case(
        "ID-01",
        "1923.S01E01.1923.1080p.AMZN.WEB-DL.DDP5.1.H.264-NTb.mkv",
        (long("1923", 2022, 8),),
        Grade.D,  # its year is the one of the story, so it is asked about
        None,
    ),
    Case("ID-01b", "1923.S01E01.2022.1080p.WEB-DL", (w := long("1923", 2022, 8),), Grade.B, w),
    Case(
        "ID-02",
        "Home.Alone.2.Lost.In.New.York.1992.Bluray.1080p.x265.10bit.2Audio.MNHD-FRDS.mkv",
        (SERIES_772, HOME_ALONE_2),
        Grade.B,
        HOME_ALONE_2,
    ),
    Case(
        "ID-02b",
        "Home.Alone.2.Lost.In.New.York.1992.1080p",
        (SERIES_772, HOME_ALONE_2),
        Grade.A,
        HOME_ALONE_2,
        (("tmdb", "772"),),
    ),
    Case(
        "ID-04",
        "The.Shawshank.Redemption.1994.1080p",
        (series("Another Show", 2001, "278"), w := film("The Shawshank Redemption", 1994, "278")),
        Grade.A,
        w,
        (("tmdb", "278"),),
    ),
    Case(
        "ID-05",
        "[Haruhana] Tenki no Ko [BDRip][HEVC-10bit 1080p].mkv",
        (series("Some Series", 2010, "568160"), WEATHERING),
        Grade.C,
        WEATHERING,
    ),
    Case("ID-06", "The.Prestige.2006.1080p", (NEVERLAND, PRESTIGE), Grade.B, PRESTIGE),
    Case("ID-06b", "The.Prestige.2006.1080p", (NEVERLAND, JUJUTSU), Grade.E, None),
    Case(
        "ID-08",
        "Same.Name.S01E01.1080p",
        (
            w := replace(long("Same Name", 2023, 8, number="1"), external_ids={"tvdb": "421555"}),
            replace(long("Same Name", 2024, 8, number="2"), external_ids={"tvdb": "440000"}),
        ),
        Grade.A,
        w,
        (("tvdb", "421555"),),
    ),
    Case(
        "ID-11",
        "Burning of Imperial Palace 1983 NTSC 480p MPEG-2 DVD5 DD 2.0-doraemon",
        (w := film("Burning of Imperial Palace", 1983, "1"),),
        Grade.B,
        w,
    ),
    Case(
        "ID-12",
        "Back to the Future Part I 1985 1080p EUR Blu-ray VC1 DTS-HD MA 5.1-DIY@UBits",
        (
            w := film("Back to the Future", 1985, "105"),
            film("Back to the Future Part II", 1989, "165"),
            series("Back to the Future", 1991, "105"),
        ),
        Grade.B,
        w,
    ),
    Case(
        "ID-15",
        "xXx 2002 1080p AMZN WEB-DL H.264 DDP 5.1-FROGWeb",
        (w := film("xXx", 2002, "7451"), film("xXx", 2017, "8")),
        Grade.B,
        w,
    ),
    Case(
        "ID-28",
        "Perfect.World.S01E120.2021.1080p.WEB-DL.H265.AAC-HHWEB.mp4",
        (PERFECT_DRAMA, PERFECT),
        Grade.B,
        PERFECT,
    ),
    Case(
        "ID-28b",
        "YOLO.1080p.WEB-DL",
        (called(film("热辣滚烫", 2024, "3"), "YOLO", kind=TitleKind.ALTERNATIVE),),
        Grade.D,
        None,
    ),
    Case(
        "ID-29",
        "[天气之子][Weathering With You][天気の子][BDRip][1080p][MOVIE][HEVC-10bit FLAC]",
        (WEATHERING,),
        Grade.C,
        WEATHERING,
    ),
    Case("ID-36", "丁丁历险记.1972.1080p", (TINTIN, TINTIN_1972), Grade.B, TINTIN_1972),
    Case(
        "ID-36b",
        "丁丁历险记.1972.1080p",
        (called(TINTIN, "丁丁历险记"),),
        Grade.D,
        None,
    ),
    Case("ID-39", "Odd.Year.2011.1080p", (w := film("Odd Year", 2010, "1"),), Grade.B, w),
    Case(
        "ID-41",
        "恶魔法则.Law.Devil.S01E04.2023.1080p.WEB-DL.H265.AAC-ADWeb.mp4",
        (film("恶魔法则", 2023, "4"), w := long("恶魔法则", 2023, 24, number="5")),
        Grade.B,
        w,
    ),
    Case(
        "ID-43",
        "三生三世十里桃花 - S01E01 - 第1集.mp4",
        (PEACH_OTHER, PEACH),
        Grade.C,
        PEACH,
    ),
    Case(
        "ARR-1",
        "[VARYG] An Adventurers Daily Grind at Age 29 S01E03 1080p",
        (w := long("An Adventurer's Daily Grind at Age 29", 2026, 12),),
        Grade.C,
        w,
    ),
    Case(
        "ARR-12",
        "The.Night.2021.1080p",
        (film("The Night", 2021, "1"), film("The Night", 2021, "2")),
        Grade.D,
        None,
    ),
    Case(
        "ARR-13",
        "The.Space.Between.Us.2016.1080p",
        (w := film("The Space Between Us", 2017, "1"),),
        Grade.B,
        w,
    ),
    Case(
        "ARR-14",
        "Blade.Runner.2049.2017.1080p",
        (film("Blade Runner", 1982, "78"), w := film("Blade Runner 2049", 2017, "335984")),
        Grade.B,
        w,
    ),
    Case(
        "ARR-14b",
        "Blade.Runner.2049.1080p",
        (film("Blade Runner", 1982, "78"), w := film("Blade Runner 2049", 2017, "335984")),
        Grade.C,
        w,
    ),
    Case("ARR-14c", "Blade.Runner.2049.1080p", (film("Blade Runner", 1982, "78"),), Grade.D, None),
    Case(
        "claimed-sequel", "Sintel.II.1080p.BluRay", (SINTEL,), Grade.C, SINTEL, (("tmdb", "45745"),)
    ),
    Case(
        "claimed-longer-title",
        "Sintel.Returns.1080p.BluRay",
        (SINTEL,),
        Grade.C,
        SINTEL,
        (("tmdb", "45745"),),
    ),
    Case(
        "claimed-sequel-known",
        "Frozen.II.1080p.BluRay",
        (FROZEN, FROZEN_II),
        Grade.D,
        None,
        (("tmdb", "109445"),),
    ),
    Case(
        "claimed-sequel-dated",
        "Frozen.II.2019.1080p.BluRay",
        (FROZEN, FROZEN_II),
        Grade.D,
        None,
        (("tmdb", "109445"),),
    ),
    Case(
        "claimed-sequel-of-another-year",
        "Frozen.II.2013.1080p.BluRay",
        (FROZEN, FROZEN_II),
        Grade.C,
        FROZEN,
        (("tmdb", "109445"),),
    ),
    Case(
        "claimed-alias-of-anothers-title",
        "Durian.1080p.BluRay",
        (SINTEL, film("Durian", 2004, "4")),
        Grade.D,
        None,
        (("tmdb", "45745"),),
    ),
    Case("claimed-alias", "Durian.1080p.BluRay", (SINTEL,), Grade.A, SINTEL, (("tmdb", "45745"),)),
    Case(
        "claimed-alias-that-the-numbers-tell",
        "Perfect.World.S01E120.1080p.WEB-DL",
        (PERFECT_DRAMA, PERFECT),
        Grade.A,
        PERFECT,
        (("tmdb", "1"),),
    ),
    Case("written-sequel", "Sintel.II.1080p {tmdb-45745}", (SINTEL,), Grade.A, SINTEL),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_reported_name_is_the_right_work_or_is_asked_about(case: Case) -> None:
    for candidates in (case.candidates, case.candidates[::-1]):
        identity = grade(parse(case.name), dict(case.ids), candidates)
        assert (identity.grade, identity.work) == (case.grade, case.work)
        others = [work for work in candidates if work != case.work]
        assert all(verdict_for(work, identity) != "same" for work in others)
    assert accepts(DEFAULT, identity) == (case.grade in {Grade.A, Grade.B})


def test_id_01_the_number_in_front_is_the_title_and_the_second_one_the_year() -> None:
    name = parse("1923.S01E01.1923.1080p.AMZN.WEB-DL.DDP5.1.H.264-NTb.mkv")
    assert (name.title, name.year, name.seasons, name.episodes) == ("1923", 1923, (1,), (1,))


def test_id_07_an_id_in_the_path_wins_and_the_season_files_make_it_a_series() -> None:
    path = "约定的梦幻岛 (2019) {tmdb-83097}/Season 1/约定的梦幻岛 S01E01.mkv"
    identity = grade(parse_path(path), {}, (NEVERLAND_FILM, NEVERLAND))
    assert (identity.grade, identity.work) == (Grade.A, NEVERLAND)


def test_id_08_an_id_in_the_name_that_nothing_has_is_asked_about_and_named() -> None:
    show = long("Same Name", 2024, 8)
    identity = grade(parse("Same Name (2024) {tvdb-421555} S01E01"), {}, (show,))
    assert (identity.grade, identity.work) == (Grade.C, show)
    (against,) = identity.speaks_against(show.key)
    assert "421555" in against.sentence


def test_an_id_in_the_path_of_a_file_weighs_more_than_a_title_that_is_only_like_it() -> None:
    path = "Frozen (2013) {tmdb-109445}/Frozen.Karaoke.mkv"
    identity = grade(parse_path(path), {}, (FROZEN, FROZEN_II))
    assert (identity.grade, identity.work) == (Grade.A, FROZEN)


def test_an_id_that_a_work_has_by_its_title_alone_is_no_proof() -> None:
    work = replace(FROZEN, external_ids={"mal": "7"}, ids_by_title=("mal",))
    assert grade(parse("Frozen.1080p"), {"mal": "7"}, (work,)).grade is Grade.C
    assert grade(parse("Frozen.2013.1080p"), {"mal": "7"}, (work,)).grade is Grade.B
    against = grade(parse("Frozen.2013.1080p"), {"mal": "8"}, (work,))
    assert (against.grade, against.work) == (Grade.C, work)


def test_id_35_the_title_comes_from_the_folder_and_the_quality_from_the_file() -> None:
    name = parse_path("Sintel (2010)/1080p.BluRay.x264.mkv")
    assert (name.title, name.year, name.source) == ("Sintel", 2010, Source.BLURAY)


@pytest.mark.parametrize(
    ("tokens", "dynamic_range"),
    [
        ("HDR.Vivid", DynamicRange.HDR_VIVID),
        ("HLG", DynamicRange.HLG),
        ("HDR", DynamicRange.HDR10),
    ],
)
def test_id_38_dynamic_ranges_are_told_apart(tokens: str, dynamic_range: DynamicRange) -> None:
    assert parse(f"Film.2020.2160p.{tokens}.WEB-DL").dynamic_ranges == (dynamic_range,)


def test_id_39_a_year_that_is_one_off_is_flagged() -> None:
    work = film("Odd Year", 2010)
    identity = grade(parse("Odd.Year.2011.1080p"), {}, (work,))
    (year,) = [one for one in identity.evidence if one.clue is Clue.YEAR]
    assert year.sentence == "the year 2011 fits 2010, one year apart"


def test_the_works_of_these_cases_are_of_both_kinds() -> None:
    assert {work.key.kind for case in CASES for work in case.candidates} == set(WorkKind)
