import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.extras import Extra, extra_of
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.works import Season
from tests.capabilities.rules.shelf import SINTEL, series

SHOW = series("K-ON!", 2009, seasons=(Season(0, None, 2), Season(1, None, 12)))
TAIL = "[Ma10p_1080p][x265_flac]"


@pytest.mark.parametrize(
    ("stem", "extra"),
    [
        (f"[VCB-Studio] K-ON! [NCOP]{TAIL}", Extra.CREDITS),
        (f"[VCB-Studio] K-ON! [NCED02]{TAIL}", Extra.CREDITS),
        (f"[VCB-Studio] K-ON! [Creditless OP]{TAIL}", Extra.CREDITS),
        (f"[VCB-Studio] K-ON! [Menu01]{TAIL}", Extra.MENU),
        (f"[VCB-Studio] K-ON! [PV 02]{TAIL}", Extra.PROMOTION),
        (f"[VCB-Studio] K-ON! [CM03]{TAIL}", Extra.COMMERCIAL),
        (f"[VCB-Studio] K-ON! [SP01]{TAIL}", Extra.SPECIAL),
        (f"[VCB-Studio] K-ON! [Event]{TAIL}", Extra.EVENT),
        (f"[VCB-Studio] K-ON! [IV01]{TAIL}", Extra.INTERVIEW),
        ("[G] Show - NCOP1v2 [1080p]", Extra.CREDITS),
        ("Film.2010.Trailer", Extra.TRAILER),
        ("Film.2010.Deleted.Scenes", Extra.OTHER),
        (f"[VCB-Studio] K-ON! [01]{TAIL}", None),
        ("The.Menu.2022.1080p", None),
        ("Main.Event.2013", None),
        ("CM Punk", None),
        ("[G] Show - 05 [1080p]", None),
        ("Show.S01E01.The.Interview.1080p", None),
    ],
)
def test_org_15_an_extra_is_told_by_its_name(stem: str, extra: Extra | None) -> None:
    assert extra_of(stem, ("Release",)) is extra


@pytest.mark.parametrize(
    ("folder", "extra"),
    [
        ("SPs", Extra.OTHER),
        ("Featurettes", Extra.FEATURETTE),
        ("Behind The Scenes", Extra.MAKING),
        ("特典", Extra.OTHER),
        ("Season 01", None),
    ],
)
def test_everything_in_a_folder_of_extras_is_one(folder: str, extra: Extra | None) -> None:
    assert extra_of("01", ("Release", folder)) is extra


def test_org_15_extras_of_a_pack_are_neither_episodes_nor_failures() -> None:
    named = ("01", "02", "NCOP", "NCED", "Menu01", "PV01", "CM01", "SP01", "Event")
    files = [DownloadedFile(f"K-ON!/[VCB] K-ON! [{one}]{TAIL}.mkv", 10**9) for one in named]
    made = plan_import(
        files, Identity(Grade.A, SHOW), parse("K-ON! S01"), OrganizePolicy(), runtime=24
    )
    assert [one.episodes for one in made.placements] == [(1,), (2,)]
    assert len(made.left) == 7
    assert all(one.why.startswith("it is an extra: ") for one in made.left)


def test_the_owners_word_makes_an_extra_a_special() -> None:
    file = DownloadedFile(f"K-ON!/[VCB] K-ON! [SP01]{TAIL}.mkv", 10**9)
    made = plan_import(
        [file, DownloadedFile(f"K-ON!/[VCB] K-ON! [01]{TAIL}.mkv", 10**9)],
        Identity(Grade.A, SHOW),
        parse("K-ON!"),
        OrganizePolicy(),
        runtime=None,
        words=words_from(["replace: [SP01] => S00E01"]),
    )
    assert {(one.season, one.episodes) for one in made.placements} == {(0, (1,)), (1, (1,))}


def test_a_trailer_beside_the_film_is_told_wherever_its_name_says_so() -> None:
    sizes = {"Sintel.2010.1080p.mkv": 4000, "Sintel.2010.Trailer.1080p.mkv": 90}
    files = [DownloadedFile(path, size) for path, size in sizes.items()]
    made = plan_import(files, Identity(Grade.A, SINTEL), parse("x"), OrganizePolicy(), runtime=None)
    assert "it is an extra: a trailer" in [one.why for one in made.left]
