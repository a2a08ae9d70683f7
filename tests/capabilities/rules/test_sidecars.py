import time
from dataclasses import replace

import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.import_plan import ImportPlan
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.works import Episode, Season, Work
from tests.capabilities.rules.shelf import SINTEL, series

FILM = "Sintel.2010.1080p.BluRay.x264-GRP"
PLACE = "films/Sintel (2010)/Sintel (2010) - [Bluray-1080p][x264]-GRP"


def plan(work: Work, release: str, files: dict[str, int]) -> ImportPlan:
    held = [DownloadedFile(path, size * 10**6) for path, size in files.items()]
    policy = OrganizePolicy(preset=NamingPreset.KODI)
    return plan_import(held, Identity(Grade.A, work), parse(release), policy, runtime=None)


def placed(made: ImportPlan) -> dict[str, str]:
    return {one.source: str(one.target) for one in made.placements}


@pytest.mark.parametrize(
    ("file", "suffix"),
    [
        ("Sintel.2010.CHS.ass", ".zh-Hans.ass"),
        ("Sintel.2010.chs&eng.ass", ".zh-Hans.ass"),
        ("Sintel.2010.zh-cn.default.ass", ".zh-Hans.default.ass"),
        ("Sintel.2010.en.forced.srt", ".en.forced.srt"),
        ("Sintel.2010.pt-BR.srt", ".pt-BR.srt"),
        ("Sintel.2010.en.hi.srt", ".en.sdh.srt"),
        ("Subs/2_English.srt", ".en.srt"),
        ("Subs/3_English (SDH).srt", ".en.sdh.srt"),
    ],
    ids=[
        "ORG-18 simplified",
        "ORG-18 two languages",
        "ORG-18 default",
        "arr-54 forced",
        "arr-54 region",
        "arr-54 hearing impaired",
        "arr-54 in a folder",
        "arr-54 flag beside the language",
    ],
)
def test_language_and_flags_of_a_subtitle_are_kept(file: str, suffix: str) -> None:
    made = plan(SINTEL, FILM, {"Sintel.2010.mkv": 900, file: 1})
    assert placed(made)[file] == f"{PLACE}{suffix}"


def test_org_18_arr_54_no_subtitle_takes_the_place_of_another() -> None:
    files = {
        "Sintel.2010.mkv": 900,
        "Sintel.2010.CHS.ass": 1,
        "Sintel.2010.chs&eng.ass": 1,
        "Sintel.2010.zh-hans.ASS": 1,
        "Subs/2_English.srt": 1,
        "Subs/3_English.srt": 1,
    }
    targets = list(placed(plan(SINTEL, FILM, files)).values())
    assert len({target.casefold() for target in targets}) == len(files)
    assert f"{PLACE}.zh-Hans.3.ass" in targets
    assert f"{PLACE}.en.2.srt" in targets


def test_an_index_and_its_pictures_keep_one_name_in_any_order() -> None:
    files = ["a/Sintel.en.idx", "b/Sintel.en.idx", "b/Sintel.en.sub", "a/Sintel.en.sub"]
    made = plan(SINTEL, FILM, {"Sintel.mkv": 900, **dict.fromkeys(files, 1)})
    stems = {source: target.rpartition(".")[0] for source, target in placed(made).items()}
    assert stems[files[0]] == stems[files[3]] == f"{PLACE}.en"
    assert stems[files[1]] == stems[files[2]] == f"{PLACE}.en.2"


def test_arr_50_the_name_of_a_subtitle_fits_beside_the_longest_video() -> None:
    work = replace(SINTEL, title="映画" * 100)
    release = f"{FILM}{'x' * 30}"
    files = {"a.mkv": 900, "a.zh-Hans.default.forced.sdh.srt": 1}
    season = Season(1, episodes=(Episode(1, "長い題名" * 60),))
    show = series("題" * 90, 2010, seasons=(season,))
    for made in (
        plan(work, release, files),
        plan(show, "Show.S01E01.1080p.WEB-DL.x264-GRP", files),
    ):
        names = [one.target.name for one in made.placements]
        assert all(len(name.encode()) <= 255 for name in names)
        assert names[1].startswith(names[0].removesuffix(".mkv"))
        assert ".zh-Hans.default.forced" in names[1]


def test_thousands_of_subtitles_of_one_language_are_named_in_no_time() -> None:
    files = {f"Subs/{number}_English.srt": 1 for number in range(1500)}
    begun = time.perf_counter()
    made = plan(SINTEL, FILM, {"Sintel.mkv": 900_000, **files})
    assert time.perf_counter() - begun < 4.0
    assert len(set(placed(made).values())) == 1501
    assert f"{PLACE}.en.1500.srt" in placed(made).values()
