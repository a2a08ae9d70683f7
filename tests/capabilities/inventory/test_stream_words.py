import pytest

from capabilities.inventory.stream_words import told

READ = {
    "width": 1920,
    "height": 1080,
    "video_codec": "HEVC",
    "dynamic_range": ["dv", "hdr10"],
    "audio": [{"codec": "AAC", "language": "en"}, {"codec": "AC-3", "language": None}],
    "subtitles": [{"language": "en"}, {"language": "en"}, {"language": None}],
}


def test_what_a_file_holds_is_told_in_one_line() -> None:
    assert told(READ) == "1920x1080 HEVC dv/hdr10, audio AAC en/AC-3, subtitles en"


@pytest.mark.parametrize(
    ("streams", "line"),
    [
        ({}, None),
        ({"unreadable": "it is no\nvideo"}, "it is no video"),
        ({"width": 640, "height": 480}, "640x480"),
        ({"video": [{"codec": "hevc"}]}, None),
    ],
)
def test_what_is_not_known_is_left_out(streams: dict[str, object], line: str | None) -> None:
    assert told(streams) == line
