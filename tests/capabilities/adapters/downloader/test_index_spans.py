"""Indexes as text: read back as they were, and nothing of what is no such text."""

import pytest

from capabilities.adapters.downloader.index_spans import indexes_of, spans


@pytest.mark.parametrize(
    ("indexes", "text"),
    [
        ((), ""),
        ((3,), "3"),
        ((0, 1, 2, 5), "0-2 5"),
        ((9, 7, 8, 7, 1), "1 7-9"),
        (range(500), "0-499"),
    ],
)
def test_runs_are_drawn_together_and_read_back(indexes: tuple[int, ...], text: str) -> None:
    assert spans(indexes) == text
    assert indexes_of(text) == frozenset(indexes)


@pytest.mark.parametrize("text", ["all", "1,2", "-3", "2-", "1 x", "1-2-3", "0-99999999999"])
def test_other_text_is_no_index_at_all(text: str) -> None:
    assert indexes_of(text) == frozenset()


def test_a_span_that_somebody_wrote_too_long_is_cut() -> None:
    assert len(indexes_of("0-999999")) == 100_001
