from collections import Counter

import pytest

from capabilities.rules.names.tables import (
    editions,
    languages,
    others,
    pictures,
    sounds,
    sources,
)
from capabilities.rules.names.tables.rows import Row
from capabilities.rules.names.tokens import words

ROWS: tuple[Row, ...] = (
    *sources.ROWS,
    *pictures.ROWS,
    *sounds.ROWS,
    *editions.ROWS,
    *languages.ROWS,
    *others.ROWS,
)
SPELLINGS = [spelling for row in ROWS for spelling in row.spellings.split()]


def test_no_spelling_stands_in_two_rows() -> None:
    twice = [spelling for spelling, count in Counter(SPELLINGS).items() if count > 1]
    assert twice == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_cut_from_a_name_as_it_is_written(spelling: str) -> None:
    assert words(spelling) == tuple(spelling.split("-"))
