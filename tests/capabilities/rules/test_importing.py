from collections.abc import Sequence
from dataclasses import replace

import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.import_plan import ImportPlan, Role
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import LibraryRoot, OrganizePolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.recognition.words import Word
from capabilities.rules.works import Season, Work, WorkKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL, series

POLICY = OrganizePolicy(preset=NamingPreset.KODI)
MEGABYTE = 1_000_000
FILM = "Sintel.2010.1080p.BluRay.x264-GRP"
PLACE = "films/Sintel (2010)/Sintel (2010) - [Bluray-1080p][x264]-GRP"
SEASON = "series/Pioneer One (2010)/Season 01/Pioneer One (2010)"


def plan(
    work: Work | None,
    release: str,
    files: dict[str, int],
    runtime: int | None = None,
    words: Sequence[Word] = (),
) -> ImportPlan:
    identity = Identity(Grade.A, work) if work else Identity(Grade.E, None)
    downloaded = [DownloadedFile(path, size * MEGABYTE) for path, size in files.items()]
    made = plan_import(downloaded, identity, parse(release), POLICY, runtime=runtime, words=words)
    everywhere = [
        *(one.source for one in made.placements),
        *(one.path for one in made.left),
        *(one.path for one in made.dangers),
    ]
    assert sorted(everywhere) == sorted(files)
    targets = [str(one.target).casefold() for one in made.placements]
    assert len(set(targets)) == len(targets)
    return made


def placed(made: ImportPlan) -> dict[str, str]:
    return {one.source: str(one.target) for one in made.placements}


def left(made: ImportPlan) -> dict[str, str]:
    return {one.path: one.why for one in made.left}


def test_a_film_and_what_belongs_to_it_go_onto_the_shelf() -> None:
    made = plan(
        SINTEL,
        FILM,
        {
            f"{FILM}/{FILM}.mkv": 4000,
            f"{FILM}/{FILM}.en.forced.srt": 1,
            f"{FILM}/{FILM}.nfo": 1,
            f"{FILM}/poster.jpg": 1,
            f"{FILM}/Sample/sintel-sample.mkv": 40,
            f"{FILM}/Featurettes/Making Of.mkv": 900,
            f"{FILM}/Proof/proof.jpg": 1,
        },
    )
    assert placed(made) == {
        f"{FILM}/{FILM}.mkv": f"{PLACE}.mkv",
        f"{FILM}/{FILM}.en.forced.srt": f"{PLACE}.en.forced.srt",
        f"{FILM}/poster.jpg": f"{PLACE}-poster.jpg",
    }
    assert {one.role for one in made.placements} == {Role.VIDEO, Role.SUBTITLE, Role.ARTWORK}
    assert left(made) == {
        f"{FILM}/{FILM}.nfo": "it is the release's own NFO, which no media server reads",
        f"{FILM}/Sample/sintel-sample.mkv": "it is a sample",
        f"{FILM}/Featurettes/Making Of.mkv": "it is an extra: a featurette",
        f"{FILM}/Proof/proof.jpg": "it is neither a video nor a file that follows one",
    }
    assert not made.needs_decision


def test_one_dangerous_file_makes_the_whole_import_a_decision() -> None:
    made = plan(SINTEL, FILM, {f"{FILM}.mkv": 4000, "codec.exe": 1, "Sintel.mkv.lnk": 1})
    assert made.needs_decision
    assert {one.path: one.reason for one in made.dangers} == {
        "codec.exe": "it is a program",
        "Sintel.mkv.lnk": "it claims to be a .mkv and is a shortcut",
    }
    assert placed(made) == {f"{FILM}.mkv": f"{PLACE}.mkv"}


def test_without_a_work_everything_is_left() -> None:
    made = plan(None, FILM, {f"{FILM}.mkv": 4000})
    assert left(made) == {f"{FILM}.mkv": "it is not known which work this is"}


def test_a_file_named_by_a_hash_takes_its_quality_from_the_release() -> None:
    made = plan(SINTEL, FILM, {"a7f3.mkv": 4000})
    assert placed(made) == {"a7f3.mkv": f"{PLACE}.mkv"}


def test_the_roots_of_the_policy_come_first() -> None:
    roots = (LibraryRoot(WorkKind.FILM, "/media/kino"), LibraryRoot(WorkKind.SERIES, "tv"))
    policy = replace(POLICY, roots=roots)
    files = [DownloadedFile("a.mkv", 1)]
    made = plan_import(files, Identity(Grade.A, SINTEL), parse(FILM), policy, runtime=None)
    assert str(made.placements[0].target).startswith("/media/kino/Sintel (2010)/")


def test_a_big_file_called_sample_beside_a_film_of_its_size_is_no_sample() -> None:
    made = plan(SINTEL, FILM, {"The Sample.mkv": 3500, "Sintel.2010.mkv": 4000})
    assert left(made) == {"The Sample.mkv": "it is a smaller video beside the film"}


@pytest.mark.parametrize(("size", "runtime", "kept"), [(40, 90, 0), (4000, 90, 1), (4000, None, 0)])
def test_arr_47_only_a_sample_is_no_film_and_says_so(
    size: int, runtime: int | None, kept: int
) -> None:
    made = plan(SINTEL, FILM, {"sintel.sample.mkv": size, "sintel.rar": 4000}, runtime)
    assert len(made.placements) == kept
    if not kept:
        why = "it is only a sample; an archive is present, sintel.rar, and is to be unpacked"
        assert left(made)["sintel.sample.mkv"] == why
        alone = plan(SINTEL, FILM, {"sintel.sample.mkv": size}, runtime)
        assert left(alone)["sintel.sample.mkv"].startswith("it is only a sample, and nothing")


def test_a_tiny_video_beside_the_film_is_a_sample() -> None:
    made = plan(SINTEL, FILM, {"Sintel.2010.mkv": 4000, "abc.mkv": 20})
    assert left(made) == {"abc.mkv": "it is a sample"}


def test_a_film_called_like_an_extra_is_a_film_when_it_is_alone() -> None:
    made = plan(SINTEL, FILM, {"The Trailer.mkv": 4000})
    assert list(placed(made)) == ["The Trailer.mkv"]
    assert not plan(SINTEL, FILM, {"Film/Extras/Interview.mkv": 40}).placements


def test_the_parts_of_a_film_stay_parts() -> None:
    made = plan(SINTEL, FILM, {"sintel.cd1.avi": 700, "sintel.cd2.avi": 690})
    assert placed(made) == {
        "sintel.cd1.avi": f"{PLACE} - part1.avi",
        "sintel.cd2.avi": f"{PLACE} - part2.avi",
    }


def test_of_several_films_only_the_one_named_like_the_work_is_taken() -> None:
    files = {"Sintel (2010).mkv": 4000, "Caminandes (2013).mkv": 4100, "Sintel (1998).mkv": 3900}
    made = plan(SINTEL, "Blender.Films.1080p", files)
    assert list(placed(made)) == ["Sintel (2010).mkv"]
    unclear = plan(SINTEL, "Blender.Films.1080p", {"a.mkv": 4000, "b.mkv": 4100})
    assert not unclear.placements
    assert "several videos" in left(unclear)["a.mkv"]


def test_the_owners_word_says_which_of_several_films_it_is() -> None:
    files = {"one.mkv": 4000, "two.720p.mkv": 4100, "three.mkv": 3900}
    words = words_from(["replace: two => Sintel 2010"])
    made = plan(SINTEL, "Blender.Films", files, words=words)
    assert [name.rpartition("[")[2] for name in placed(made).values()] == ["720p].mkv"]
    assert list(placed(made)) == ["two.720p.mkv"]
    forced = words_from(["force: one => tmdb:film:45745", "force: two => tmdb:film:10378"])
    made = plan(SINTEL, "Blender.Films", files, words=forced)
    assert list(placed(made)) == ["one.mkv"]
    assert left(made)["two.720p.mkv"] == "your recognition word says that it is tmdb:film:10378"
    elsewhere = plan(SINTEL, FILM, {"two.mkv": 4000}, words=forced)
    assert not elsewhere.placements


def test_the_owners_word_counts_before_a_files_own_title() -> None:
    files = {"Other.Show.S01E02.mkv": 500, "Pioneer.One.S01E01.mkv": 500}
    assert "another title" in left(plan(PIONEER, "Mix", files))["Other.Show.S01E02.mkv"]
    for line in ("replace: Other.Show => Pioneer.One", "force: Other.Show => tmdb:series:4711"):
        assert len(placed(plan(PIONEER, "Mix", files, words=words_from([line])))) == 2


def test_every_episode_goes_by_its_own_number() -> None:
    pack = "Pioneer.One.S01.720p.WEB-DL.x264-GRP"
    made = plan(
        PIONEER,
        pack,
        {
            f"{pack}/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP.mkv": 500,
            f"{pack}/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP.srt": 1,
            f"{pack}/02 - The Man from Mars.mkv": 500,
            f"{pack}/Subs/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP/2_English.srt": 1,
            f"{pack}/Subs/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP/3_English.srt": 1,
            f"{pack}/Pioneer.One.S01E02.French.srt": 1,
            f"{pack}/readme.srt": 1,
            f"{pack}/Pioneer.One.S01E09.mkv": 500,
            f"{pack}/Recap.mkv": 500,
        },
    )
    label = "[WEBDL-720p][x264]-GRP"
    first, second = (
        f"{SEASON} - S01E01 - Earthfall {label}",
        f"{SEASON} - S01E02 - The Man from Mars {label}",
    )
    assert placed(made) == {
        f"{pack}/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP.mkv": f"{first}.mkv",
        f"{pack}/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP.srt": f"{first}.srt",
        f"{pack}/Subs/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP/2_English.srt": f"{first}.en.srt",
        f"{pack}/Subs/Pioneer.One.S01E01.720p.WEB-DL.x264-GRP/3_English.srt": f"{first}.en.2.srt",
        f"{pack}/02 - The Man from Mars.mkv": f"{second}.mkv",
        f"{pack}/Pioneer.One.S01E02.French.srt": f"{second}.fr.srt",
    }
    assert left(made) == {
        f"{pack}/Pioneer.One.S01E09.mkv": "episode 9 is beyond season 1, which has 3",
        f"{pack}/Recap.mkv": "its name says no episode",
        f"{pack}/readme.srt": "it is not clear which video it belongs to",
    }


def test_a_single_hashed_file_is_the_episode_of_its_release() -> None:
    made = plan(PIONEER, "Pioneer.One.S01E02.720p", {"0badf00d.mkv": 500})
    assert f"{SEASON} - S01E02" in placed(made)["0badf00d.mkv"]
    anime = plan(PIONEER, "[Group] Pioneer One S1 - 02 [720p]", {"0badf00d.mkv": 500})
    assert f"{SEASON} - S01E02" in placed(anime)["0badf00d.mkv"]


def test_two_files_of_one_episode_are_one_place_and_the_bigger_takes_it() -> None:
    files = {"Pioneer.One.S01E01.480p.mkv": 200, "Pioneer.One.S01E01.1080p.mkv": 900}
    made = plan(PIONEER, "Pioneer.One.S01", files)
    assert list(placed(made)) == ["Pioneer.One.S01E01.1080p.mkv"]
    assert "bigger file" in left(made)["Pioneer.One.S01E01.480p.mkv"]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("[G] Pioneer One - 04 [720p].mkv", "says no season for number 4, and a mapping is needed"),
        ("[G] Pioneer One - 02.5 [720p].mkv", "number 2.5 stands between two episodes"),
        ("Pioneer.One.2012.06.16.720p.mkv", "no known episode was aired on 2012-06-16"),
        ("Pioneer.One.S01.720p.mkv", "its name says no episode"),
    ],
)
def test_numbers_are_never_guessed(file: str, why: str) -> None:
    assert why in left(plan(PIONEER, "Pioneer One", {file: 500}))[file]


def test_an_air_date_finds_its_episode() -> None:
    made = plan(PIONEER, "Pioneer One", {"Pioneer.One.2010.12.15.720p.mkv": 500})
    assert f"{SEASON} - S01E02" in placed(made)["Pioneer.One.2010.12.15.720p.mkv"]


def test_a_bare_number_counts_in_the_only_season_there_is() -> None:
    show = series("Show", 2010, seasons=(Season(0, 2010, 1), Season(1, 2010, 12)))
    made = plan(show, "[G] Show", {"[G] Show - 05 [720p].mkv": 500})
    assert "Show (2010) - S01E05" in placed(made)["[G] Show - 05 [720p].mkv"]


def test_org_22_specials_and_creditless_openings_are_told_apart() -> None:
    files = {"Pioneer.One.S00E01.mkv": 10, "Pioneer.One.S01E01.mkv": 900, "[G] NCOP1.mkv": 90}
    made = plan(PIONEER, "Pioneer.One", files)
    assert "Season 00/" in placed(made)["Pioneer.One.S00E01.mkv"]
    why = "it is an extra: an opening or ending without credits"
    assert left(made) == {"[G] NCOP1.mkv": why}


def test_org_24c_each_file_of_a_mixed_folder_goes_where_its_own_work_stands() -> None:
    other = series("Lantern Street", 2019, "77", seasons=(Season(1, 2019, 8),))
    files = {
        "Mix/Sintel.2010.1080p.mkv": 4000,
        "Mix/Pioneer.One.S01E01.720p.mkv": 3900,
        "Mix/Lantern.Street.S01E02.720p.mkv": 3800,
    }
    homes = [placed(plan(work, "Mix", files)) for work in (SINTEL, PIONEER, other)]
    assert [list(home) for home in homes] == [[path] for path in files]
    roots = [target.split("/")[:2] for home in homes for target in home.values()]
    assert roots == [
        ["films", "Sintel (2010)"],
        ["series", "Pioneer One (2010)"],
        ["series", "Lantern Street (2019)"],
    ]


def test_org_19_one_awkward_name_never_stops_the_other_files() -> None:
    awkward = "[DMG] Pioneer One: Re? Dive | a*b [01][Ma10p_1080p][x265_flac].mkv"
    made = plan(PIONEER, "Pioneer.One.S01", {awkward: 900, "Pioneer.One.S01E02.mkv": 900})
    assert f"{SEASON} - S01E02" in placed(made)["Pioneer.One.S01E02.mkv"]
    assert not set(placed(made).get(awkward, "")) & set(':?*|"<>')


def test_an_empty_download_is_an_empty_plan() -> None:
    assert plan(SINTEL, FILM, {}) == ImportPlan((), (), ())
