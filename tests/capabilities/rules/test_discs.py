from pathlib import PurePosixPath

import pytest

from capabilities.rules.discs import disc_of
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.import_plan import ImportPlan, Role
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.works import Season, Work
from tests.capabilities.rules.shelf import SINTEL, series

SHOW = series("Breaking Bad", 2008, seasons=(Season(1, None, 7), Season(2, None, 13)))
GIGABYTE = 1_000_000_000
FILM = "films/Sintel (2010)"
SEASONS = "series/Breaking Bad (2008)"


def plan(work: Work, release: str, *paths: str) -> ImportPlan:
    files = [DownloadedFile(path, GIGABYTE) for path in paths]
    policy = OrganizePolicy(preset=NamingPreset.KODI)
    return plan_import(files, Identity(Grade.A, work), parse(release), policy, runtime=None)


def placed(made: ImportPlan) -> list[str]:
    return [str(one.target) for one in made.placements]


def left(made: ImportPlan) -> dict[str, str]:
    return {one.path: one.why for one in made.left}


def test_org_17_the_disc_of_a_film_is_one_item_with_its_whole_tree() -> None:
    release = "Sintel.2010.MULTi.COMPLETE.FRA.BLURAY-Psaro"
    made = plan(
        SINTEL,
        release,
        f"{release}/BDMV/index.bdmv",
        f"{release}/BDMV/JAR/00000.jar",
        f"{release}/BDMV/PLAYLIST/01000.mpls",
        f"{release}/BDMV/STREAM/00235.m2ts",
        f"{release}/AACS/Unit_Key_RO.inf",
        f"{release}/CERTIFICATE/id.bdmv",
        f"{release}/readme.txt",
    )
    assert not made.needs_decision
    assert placed(made) == [
        f"{FILM}/BDMV/index.bdmv",
        f"{FILM}/BDMV/JAR/00000.jar",
        f"{FILM}/BDMV/PLAYLIST/01000.mpls",
        f"{FILM}/BDMV/STREAM/00235.m2ts",
        f"{FILM}/AACS/Unit_Key_RO.inf",
        f"{FILM}/CERTIFICATE/id.bdmv",
    ]
    assert {one.role for one in made.placements} == {Role.DISC}
    assert {disc_of(one.target) for one in made.placements} == {PurePosixPath(FILM)}
    assert list(left(made)) == [f"{release}/readme.txt"]


@pytest.mark.parametrize(
    ("path", "target"),
    [
        (
            "Breaking.Bad.S01.1080p/BREAKING_BAD_S01D01/BDMV/index.bdmv",
            "Season 01/Disc 1/BDMV/index.bdmv",
        ),
        (
            "Breaking.Bad.S02.1080p/Breaking Bad Season 2 - Disk 3/BDMV/index.bdmv",
            "Season 02/Disc 3/BDMV/index.bdmv",
        ),
        (
            "Breaking.Bad.S02.1080p/Bonus Material/BDMV/index.bdmv",
            "Season 02/Bonus Material/BDMV/index.bdmv",
        ),
        (
            "Breaking.Bad.S02.BD50/BDMV/index.bdmv",
            "Season 02/Breaking.Bad.S02.BD50/BDMV/index.bdmv",
        ),
        ("Breaking.Bad.S02/DVD 2/VIDEO_TS/VTS_01_1.VOB", "Season 02/Disc 2/VIDEO_TS/VTS_01_1.VOB"),
        ("Breaking.Bad.S02D04.iso", "Season 02/Disc 4/Breaking.Bad.S02D04.iso"),
    ],
    ids=["ORG-16 S01D01", "ORG-16 disk 3", "ORG-16 no number", "a size", "DVD", "image"],
)
def test_the_disc_of_a_series_stands_in_its_season_by_its_number(path: str, target: str) -> None:
    assert placed(plan(SHOW, "Breaking.Bad", path)) == [f"{SEASONS}/{target}"]


def test_org_16_no_two_discs_share_a_folder() -> None:
    made = plan(
        SHOW,
        "Breaking.Bad.S01",
        "a/Disc 1/BDMV/index.bdmv",
        "a/Disc 2/BDMV/index.bdmv",
        "b/Disc 1/BDMV/index.bdmv",
        "b/disc 1/BDMV/index.bdmv",
    )
    folders = {disc_of(one.target) for one in made.placements}
    assert len(folders) == len({str(folder).casefold() for folder in folders}) == 4
    assert f"{SEASONS}/Season 01/Disc 2/BDMV/index.bdmv" in placed(made)


def test_a_disc_of_which_nobody_knows_the_season_stays() -> None:
    made = plan(SHOW, "Breaking.Bad.Complete", "x/Disc 1/BDMV/index.bdmv")
    assert not made.placements
    assert "not clear of which season" in left(made)["x/Disc 1/BDMV/index.bdmv"]


def test_several_discs_of_a_film_stand_apart_in_its_folder() -> None:
    made = plan(SINTEL, "Sintel", "S/Disc 1/VIDEO_TS/a.VOB", "S/Disc 2/VIDEO_TS/a.VOB")
    assert placed(made) == [f"{FILM}/Disc 1/VIDEO_TS/a.VOB", f"{FILM}/Disc 2/VIDEO_TS/a.VOB"]


def test_an_image_of_a_film_is_called_like_the_film() -> None:
    made = plan(SINTEL, "Sintel.2010.1080p.BluRay-GRP", "SINTEL_DISC.iso")
    assert placed(made) == [f"{FILM}/Sintel (2010) - [Bluray-1080p]-GRP.iso"]


def test_a_disc_beside_the_films_own_file_stays_and_so_do_parts_of_none() -> None:
    made = plan(SINTEL, "Sintel", "S/Sintel.mkv", "S/BDMV/index.bdmv")
    assert placed(made) == [f"{FILM}/Sintel (2010).mkv"]
    assert left(made) == {"S/BDMV/index.bdmv": "it is a disc beside the film's own file"}
    broken = plan(SINTEL, "Sintel", "S/CERTIFICATE/id.bdmv")
    assert "main folder is missing" in left(broken)["S/CERTIFICATE/id.bdmv"]
