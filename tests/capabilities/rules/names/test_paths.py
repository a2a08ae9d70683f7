import pytest

from capabilities.rules.names.parsing import parse
from capabilities.rules.names.paths import completed, parse_path
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.works import WorkKind


@pytest.mark.parametrize(
    ("path", "title", "seasons", "episodes"),
    [
        ("Show Name/Season 02/E05 - The Wedding.mkv", "Show Name", (2,), (5,)),
        ("Show Name/Season 1/Show.Name.S01E03.mkv", "Show Name", (1,), (3,)),
        ("Show/Season 1/03 - Pilot.mkv", "Show", (1,), (3,)),
        ("Show.S02.1080p.WEB-DL-GRP/04.mkv", "Show", (2,), (4,)),
        ("Show.S08E09.1080p.x265-GRP/afaae96ae7a140e0981ced2a79221751.mkv", "Show", (8,), (9,)),
        ("Show.S02E03.720p.WEB-DL/sample/Show.S01E01.sample.mkv", "Show", (1,), (1,)),
        ("黑镜第二季/01.mp4", "黑镜", (2,), (1,)),
        ("Movies/Show.S01E02.mkv", "Show", (1,), (2,)),
    ],
)
def test_folders_supply_what_the_file_lacks(
    path: str, title: str, seasons: tuple[int, ...], episodes: tuple[int, ...]
) -> None:
    name = parse_path(path)
    assert (name.title, name.seasons, name.episodes) == (title, seasons, episodes)
    assert name.kind is WorkKind.SERIES


def test_a_file_without_tags_takes_them_from_its_folder() -> None:
    name = parse_path("/media/films/Sintel.2010.1080p.BluRay.x264-GRP/snt-hd.mkv")
    assert (name.title, name.year) == ("Sintel", 2010)
    assert (name.resolution, name.source, name.group) == (
        Resolution.P1080,
        Source.BLURAY,
        "GRP",
    )


def test_an_id_in_the_folder_counts_for_the_file() -> None:
    name = parse_path("Sintel (2010) [tmdbid-45745]/Sintel.mkv")
    assert name.external_ids == {"tmdb": "45745"}
    assert name.title == "Sintel"


def test_the_file_wins_over_the_folder() -> None:
    name = parse_path("Show.S01.720p.WEB-DL/Show.S02E03.1080p.mkv")
    assert (name.seasons, name.episodes, name.resolution) == ((2,), (3,), Resolution.P1080)


def test_a_year_in_front_is_no_episode_number() -> None:
    assert parse_path("Films/2012.2009.1080p.mkv").title == "2012"
    assert parse_path("Sintel Collection/1 Sintel 2010.mkv").year == 2010


def test_a_path_of_nothing_says_nothing() -> None:
    assert parse_path("").title == ""
    assert parse_path("///").title == ""


def test_a_release_completes_a_file_without_taking_its_numbers() -> None:
    name = completed(parse("Show.S01E02.mkv"), parse("Show.S01.1080p.BluRay-GRP"))
    assert (name.seasons, name.episodes, name.source) == ((1,), (2,), Source.BLURAY)


@pytest.mark.parametrize(
    ("file", "episodes"), [("01.mkv", (1,)), ("003.mkv", (3,)), ("7.mkv", (1, 2, 3))]
)
def test_a_number_in_a_folder_of_several_episodes_is_one_of_them(
    file: str, episodes: tuple[int, ...]
) -> None:
    read = parse_path(f"The.Marsh.S02E01-E03.1080p.WEB-DL-OPAL/{file}")
    assert (read.seasons, read.episodes) == ((2,), episodes)
