import pytest

from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.targets import Target
from capabilities.rules.wanted_files import wanted_files

VIDEO = 500_000_000
PACK = [
    DownloadedFile("Show.S01/Show.S01E01.mkv", VIDEO),
    DownloadedFile("Show.S01/Show.S01E01.en.srt", 50_000),
    DownloadedFile("Show.S01/Show.S01E02E03.mkv", VIDEO),
    DownloadedFile("Show.S01/Subs/Show.S01E02E03/2_English.srt", 50_000),
    DownloadedFile("Show.S01/Show.S01E04.mkv", VIDEO),
    DownloadedFile("Show.S01/Show.S01E04-thumb.jpg", 90_000),
    DownloadedFile("Show.S01/Subs/English.srt", 50_000),
    DownloadedFile("Show.S01/Sample/sample.mkv", 9_000_000),
    DownloadedFile("Show.S01/Extras/Making.Of.mkv", VIDEO),
    DownloadedFile("Show.S01/readme.txt", 100),
]
HELD = {
    "Show.S01/Show.S01E01.mkv": frozenset({(1, 1)}),
    "Show.S01/Show.S01E02E03.mkv": frozenset({(1, 2), (1, 3)}),
    "Show.S01/Show.S01E04.mkv": frozenset({(1, 4)}),
}


def names(wanted: set[Target], held: dict[str, frozenset[Target]] = HELD) -> list[str]:
    return [file.path.rpartition("/")[2] for file in wanted_files(PACK, held, wanted)]


@pytest.mark.parametrize(
    ("wanted", "fetched"),
    [
        ({(1, 1)}, ["Show.S01E01.mkv", "Show.S01E01.en.srt"]),
        ({(1, 3)}, ["Show.S01E02E03.mkv", "2_English.srt"]),
        ({(1, 4), (2, 1)}, ["Show.S01E04.mkv", "Show.S01E04-thumb.jpg"]),
        ({(2, 1)}, []),
    ],
)
def test_a_wanted_episode_is_fetched_with_what_follows_it_and_nothing_else(
    wanted: set[Target], fetched: list[str]
) -> None:
    assert names(wanted) == fetched


def test_where_every_video_is_wanted_every_file_is() -> None:
    assert wanted_files(PACK, HELD, {(1, 1), (1, 3), (1, 4)}) == PACK


def test_a_video_of_another_work_is_never_wanted() -> None:
    other = HELD | {"Show.S01/Show.S01E04.mkv": frozenset[Target]()}
    assert names({(1, 1), (1, 2), (1, 4)}, other) == [
        "Show.S01E01.mkv",
        "Show.S01E01.en.srt",
        "Show.S01E02E03.mkv",
        "2_English.srt",
    ]
