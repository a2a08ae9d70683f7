import unicodedata
from pathlib import PurePosixPath

import pytest

from capabilities.rules.same_names import as_existing, existing_name, name_key

COMPOSED = "Shōgun (2024)"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


@pytest.mark.parametrize(
    ("one", "other"),
    [(COMPOSED, DECOMPOSED), ("SINTEL", "sintel"), ("STRASSE", "straße"), ("Å", "A\u030a")],
)
def test_names_that_a_disk_takes_for_one_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_other_names_have_other_keys() -> None:
    assert name_key("Shogun") != name_key(COMPOSED)


def test_the_very_same_name_goes_before_one_that_is_equal() -> None:
    assert existing_name(COMPOSED, [DECOMPOSED, COMPOSED]) == COMPOSED
    assert existing_name(COMPOSED, [DECOMPOSED, "Sintel"]) == DECOMPOSED
    assert existing_name(COMPOSED, ["Sintel"]) is None


@pytest.mark.parametrize("name", [DECOMPOSED, COMPOSED.upper()], ids=["decomposed", "upper case"])
def test_arr_51_no_second_folder_is_made_for_a_name_that_is_there(name: str) -> None:
    shelf = {"": [name, "Sintel"], name: ["season 01"], f"{name}/season 01": ["other.mkv"]}
    target = PurePosixPath(COMPOSED, "Season 01", "Shōgun - S01E01.mkv")
    placed = as_existing(target, lambda folder: shelf.get(folder, []))
    assert placed == PurePosixPath(name, "season 01", "Shōgun - S01E01.mkv")


def test_arr_51_a_file_that_is_there_is_found_whatever_its_spelling() -> None:
    target = PurePosixPath(COMPOSED, f"{COMPOSED}.mkv")
    shelf = {"": [COMPOSED], COMPOSED: [f"{DECOMPOSED}.mkv"]}
    assert as_existing(target, lambda folder: shelf.get(folder, [])).name == f"{DECOMPOSED}.mkv"


def test_where_nothing_is_there_a_path_stays_as_it_is() -> None:
    target = PurePosixPath(COMPOSED, "Season 01", "a.mkv")
    assert as_existing(target, lambda _: []) == target
