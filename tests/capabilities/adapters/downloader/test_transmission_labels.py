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
