import pytest

from capabilities.rules.names.parsing import parse


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("T.2020.1080p.BluRay.x264-GRP", "GRP"),
        ("T.2020.1080p.BluRay.x264-GRP.mkv", "GRP"),
        ("T.2020.1080p.BluRay.x264-D-Z0N3", "D-Z0N3"),
        ("T.2020.1080p.BluRay.x264.D-Z0N3", "D-Z0N3"),
        ("T.2020.1080p.WEB-DL.DTS-HD", None),
        ("T.2020.1080p.x264-GRP-postbot", "GRP"),
        ("T.2020.1080p.x264-GRP[rarbg]", "GRP"),
        ("T.2020.1080p.x264-GRP[anything]", "GRP"),
        ("T.2020.720p.HDTV.x264 aAF", "aAF"),
        ("T 2020 1080p BluRay [YTS.MX]", "YTS.MX"),
        ("[Group] Title - 05 [1080p]", "Group"),
        ("Title - 05 [Black_Sheep][1080p]", "Black_Sheep"),
        ("T (2020) (1080p BluRay x265 Somebody)", "Somebody"),
        ("T.2020.1080p.WEB.x264-MAX", "MAX"),
        ("T.2020.1080p", None),
        ("Spider-Man.2002.1080p", None),
    ],
)
def test_the_group_is_found_without_what_others_hung_on_it(text: str, group: str | None) -> None:
    assert parse(text).group == group


def test_a_group_may_end_a_name_without_tags() -> None:
    assert parse("Title.2010-GRP").group == "GRP"
    assert parse("Sintel - GRP").titles == ("Sintel - GRP",)
