"""Labels: what we note in them, beside what their owner wrote."""

import pytest

from capabilities.adapters.downloader.port import Pauser
from capabilities.adapters.downloader.transmission_labels import (
    Labels,
    category_label,
    read_labels,
)

FULL = Labels(
    ("films", "for Anna"),
    paused_by=Pauser.OWNER,
    adding=True,
    unread=True,
    wanted=frozenset({0, 1, 2, 7}),
    refused=True,
)


@pytest.mark.parametrize(
    "labels", [Labels(), Labels(("films",)), FULL, Labels(paused_by=Pauser.US)]
)
def test_what_was_noted_is_read_back(labels: Labels) -> None:
    assert read_labels(labels.written()) == labels


def test_no_label_has_the_comma_that_transmission_refuses() -> None:
    assert [label for label in FULL.written() if "," in label] == []
    assert category_label(" films, old ") == "films  old"


def test_the_first_label_that_is_no_note_is_the_category() -> None:
    assert read_labels(["matinee-paused", "films", "for Anna"]).category == "films"
    assert read_labels(["matinee-paused"]).category == ""


def test_whatever_runs_keeps_all_but_the_notes_of_why_it_did_not() -> None:
    running = FULL.running()

    assert (running.plain, running.unread, running.wanted) == (FULL.plain, True, FULL.wanted)
    assert (running.paused_by, running.adding) == (None, False)


def test_a_choice_is_kept_until_it_is_settled() -> None:
    file = Labels(("films",), adding=True, wanted=frozenset({1}))
    magnet = Labels(("films",), adding=True, unread=True, wanted=frozenset({1}))

    assert file.running() == Labels(("films",))
    assert magnet.running() == Labels(("films",), unread=True, wanted=frozenset({1}))


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ([], False),
        (["films", "for Anna"], False),
        (["films", "matinee"], True),
        (["films", "matinee-paused"], True),
        (["matinee-wants 1"], True),
        (["matinee-adding"], True),
    ],
)
def test_ours_is_what_has_our_category_or_a_note_of_ours(written: list[str], *, ours: bool) -> None:
    assert read_labels(written).ours is ours
