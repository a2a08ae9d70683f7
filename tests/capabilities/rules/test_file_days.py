from datetime import date

import pytest

from capabilities.rules.file_days import days_said
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.names.parsing import parse

DAY = "Show.2019.02.11.720p"


@pytest.mark.parametrize(
    ("release", "paths", "days"),
    [
        (DAY, ["abc/xyz.mkv"], [date(2019, 2, 11)]),
        (
            "Week",
            ["Show.2019.02.12.mkv", f"{DAY}.mkv"],
            [date(2019, 2, 11), date(2019, 2, 12)],
        ),
        ("Week", [f"{DAY}.mkv", f"{DAY}.en.srt", "Show.2019.02.12.nfo"], [date(2019, 2, 11)]),
        ("Week", ["Show.S01E02.2019.02.11.mkv", "Show.03.mkv"], []),
    ],
)
def test_days_are_said_where_no_episode_is(
    release: str, paths: list[str], days: list[date]
) -> None:
    files = [DownloadedFile(path, 1_000) for path in paths]
    assert days_said(files, parse(release)) == days
