from dataclasses import replace

import pytest

from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.shelf_names import numbered, read_shelf_path

SHOW = "Harbour Lights (2012)/Season 01"


@pytest.mark.parametrize(
    ("name", "season", "episodes"),
    [
        ("Harbour Lights (2012) - S01E02 - Rain [WEBDL-1080p].mkv", 1, (2,)),
        ("Harbour Lights - S01E02-E04.mkv", 1, (2, 3, 4)),
        ("Harbour.Lights.S01E02E05.1080p.WEB.x264-GRP.mkv", 1, (2, 5)),
        ("Harbour Lights - S00E01 - Making Of.mkv", 0, (1,)),
    ],
)
def test_a_plain_number_is_told(name: str, season: int, episodes: tuple[int, ...]) -> None:
    parts = numbered(name)
    assert parts is not None
    assert (parts.season, parts.episodes) == (season, episodes)


@pytest.mark.parametrize(
    "name",
    [
        "Harbour Lights (2012).mkv",
        "Harbour Lights 1x02.mkv",
        "[Group] Harbour Lights - 02 [1080p].mkv",
        "Harbour.Lights.S01E01.S01E02.720p.mkv",
        "Harbour Lights - S01E02 - S01E03 - Rain.mkv",
        "Harbour Lights S01E05E02.mkv",
        "Harbour Lights S01E01-E99.mkv",
    ],
)
def test_what_takes_a_closer_look_is_left_to_it(name: str) -> None:
    assert numbered(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "Harbour Lights (2012) - S01E02 - Rain [WEBDL-1080p][x264]-GRP.mkv",
        "Harbour Lights (2012) - S01E02 - Web Rain [Bluray-2160p][DV HDR10].mkv",
        "Harbour Lights (2012) - S01E02 - The Proper Boat [HDTV-720p].mkv",
        "Harbour Lights (2012) - S01E02-E03.mkv",
        "Harbour.Lights.2012.S01E02.Rain.PROPER.1080p.WEB-DL.DDP5.1.H.264-GRP.mkv",
        "Harbour.Lights.2012.S01E07.1080p.WEB-DL.DDP5.1.H.264-GRP.mkv",
        "01 - Pilot.mkv",
        "Harbour Lights 1x02 Rain.mkv",
    ],
)
def test_it_reads_as_the_parser_does(name: str) -> None:
    path = f"{SHOW}/{name}"
    read_shelf_path(path.replace("S01E02", "S01E09"))  # what is read once must not stick
    ours, parsers = read_shelf_path(path), parse_path(path)
    assert replace(ours, said={}) == replace(parsers, said={})
