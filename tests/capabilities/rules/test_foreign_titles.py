from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.foreign_titles import foreign_titles
from capabilities.rules.names.parsing import parse
from tests.capabilities.rules.shelf import PIONEER


def foreign(release: str, *paths: str) -> dict[str, str]:
    videos = [DownloadedFile(path, 500) for path in paths]
    found = foreign_titles(videos, PIONEER, parse(release))
    return {video.path: why for video, why in found.items()}


def test_a_file_of_another_series_is_named() -> None:
    assert foreign("Mix", "Pioneer.One.S01E01.mkv", "Other.Show.S01E02.mkv") == {
        "Other.Show.S01E02.mkv": 'its name is of another title, "Other Show"'
    }


def test_the_releases_own_spelling_counts_as_the_works() -> None:
    assert foreign("P1.S01", "P1.S01E01.mkv", "Pioneer.One.S01E02.mkv") == {}


def test_a_title_that_most_files_bear_is_the_packs() -> None:
    paths = [f"Le.Pionnier.S01E0{n}.mkv" for n in (1, 2, 3)]
    assert foreign("Mix", *paths, "Pioneer.One.S02E01.mkv") == {}
    assert foreign("Mix", "Le.Pionnier.S01E01.mkv") == {}


def test_files_that_bear_no_title_or_count_nothing_are_left_to_others() -> None:
    assert foreign("Mix", "S01E01 - Earthfall.mkv", "02 - Mars.mkv", "Recap.mkv") == {}


def test_a_season_in_numerals_is_no_other_title() -> None:
    assert foreign("Mix", "[G] Pioneer One II - 01.mkv", "[H] Pionner - 02.mkv").keys() == {
        "[H] Pionner - 02.mkv"
    }
