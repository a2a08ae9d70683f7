import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.downloader.qbittorrent_notes import PAUSED, Notes, adding_tags


@given(st.sets(st.integers(0, 2000), min_size=1))
def test_a_choice_of_files_is_read_as_it_was_written(chosen: set[int]) -> None:
    tags = adding_tags(tuple(chosen))
    notes = Notes.of(", ".join(tags))

    assert notes.adding
    assert notes.wanted == tuple(sorted(chosen))
    assert notes.of_adding == set(tags)


def test_all_files_need_no_choice() -> None:
    notes = Notes.of(",".join(adding_tags(None)))

    assert (notes.adding, notes.wanted) == (True, None)


def test_runs_of_files_are_short() -> None:
    assert adding_tags((0, 1, 2, 3, 7, 9, 10)) == ("matinee-adding", "matinee-wants 0-3 7 9-10")


def test_the_owners_tags_are_left_alone() -> None:
    notes = Notes.of(f"films, to watch,{PAUSED}")

    assert (notes.paused_by_us, notes.adding, notes.wanted) == (True, False, None)
    assert notes.of_adding == set()


@pytest.mark.parametrize("choice", ["", "all", "1--3", "0-99999999999"])
def test_a_choice_that_somebody_else_wrote_chooses_nothing(choice: str) -> None:
    # Read as a choice of no file, which is refused, and not as a choice of all.
    assert Notes(frozenset({f"matinee-wants {choice}"})).wanted == ()
