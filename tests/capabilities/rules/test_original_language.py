from dataclasses import replace

import pytest

from capabilities.rules.original_language import original_language
from capabilities.rules.works import Title, TitleKind
from tests.capabilities.rules.shelf import SINTEL, film

MAIN = Title("Spirited Away", TitleKind.MAIN, "en")
UNSAID = Title("Sen to Chihiro", TitleKind.ORIGINAL)
ORIGINAL = Title("\u5343\u3068\u5343\u5c0b\u306e\u795e\u96a0\u3057", TitleKind.ORIGINAL, "ja")


@pytest.mark.parametrize(
    ("titles", "language"),
    [
        ((MAIN, ORIGINAL), "ja"),
        ((UNSAID, ORIGINAL), "ja"),
        ((MAIN, UNSAID), None),
        ((MAIN,), None),
        ((), None),
    ],
)
def test_a_work_was_made_in_the_language_of_its_original_title(
    titles: tuple[Title, ...], language: str | None
) -> None:
    assert original_language(replace(film("Spirited Away", 2001), titles=titles)) == language


def test_nobody_knows_the_language_of_no_work_or_of_translations() -> None:
    assert original_language(None) is None
    assert original_language(SINTEL) is None
