import unicodedata
from pathlib import Path, PurePosixPath

from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.spelling import Spelling

SHOGUN = "Shōgun (2024)"
DECOMPOSED = unicodedata.normalize("NFD", SHOGUN)
TARGET = PurePosixPath(SHOGUN, "Season 01", "Shōgun - S01E01.mkv")


def spelled(library: Path, target: PurePosixPath = TARGET) -> str:
    with Root(library, "the library") as root:
        return str(Spelling(root).of(target))


def test_arr_51_a_folder_that_the_disk_spells_otherwise_is_used(tmp_path: Path) -> None:
    (tmp_path / DECOMPOSED / "season 01").mkdir(parents=True)
    assert spelled(tmp_path) == f"{DECOMPOSED}/season 01/Shōgun - S01E01.mkv"


def test_where_the_very_name_is_there_another_spelling_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / DECOMPOSED).mkdir()
    (tmp_path / SHOGUN).mkdir()
    assert spelled(tmp_path) == str(TARGET)


def test_in_an_empty_library_a_path_stays_as_it_is(tmp_path: Path) -> None:
    assert spelled(tmp_path) == str(TARGET)


def test_a_link_in_the_place_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "season 01").mkdir(parents=True)
    library = tmp_path / "library"
    library.mkdir()
    (library / SHOGUN).symlink_to(elsewhere)
    assert spelled(library) == str(TARGET)


def test_each_folder_is_read_once(tmp_path: Path) -> None:
    with Root(tmp_path, "the library") as root:
        spelling = Spelling(root)
        spelling.of(TARGET)
        (tmp_path / DECOMPOSED).mkdir()
        assert spelling.of(TARGET) == TARGET
