import pytest

from capabilities.rules.labels import quality_words
from capabilities.rules.names.paths import parse_path
from capabilities.rules.shelf_quality import shelf_quality

SHOW = "Harbour Lights (2012)/Season 01"


@pytest.mark.parametrize(
    "path",
    [
        f"{SHOW}/Harbour Lights (2012) - S01E02 - Rain [WEBDL-1080p][x264]-GRP.mkv",
        f"{SHOW}/Harbour.Lights.S01E02.Rain.REPACK.720p.HDTV.x264-GRP.mkv",
        f"{SHOW}/[Group] Harbour Lights - 02v2 (1080p) [BF42B1C8].mkv",
        f"{SHOW}/[Group] Harbour Lights [02][1920x1080].mkv",
        f"{SHOW}/Harbour Lights S01E02 HD TV.mkv",
        f"{SHOW}/Harbour Lights (2012) - S01E02.mkv",
        "Harbour.Lights.S01.2160p.BluRay.REMUX-GRP/e02.mkv",
        "Sintel (2010)/Sintel (2010) - [Bluray-2160p Proper].mkv",
        "Sintel.mkv",
    ],
)
def test_it_says_what_the_parser_reads(path: str) -> None:
    assert shelf_quality(path) == quality_words(parse_path(path))


def test_a_year_or_a_number_in_a_title_is_no_quality() -> None:
    assert shelf_quality("1917 (2019)/1917 (2019).mkv") == ""
    assert shelf_quality("Room 237 (2012)/Room 237 (2012) [DVD].mkv") == "DVD"
