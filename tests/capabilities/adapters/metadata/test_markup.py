import pytest

from capabilities.adapters.metadata.markup import without_markup


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ("<p><b>One street</b> &amp; its lamps.</p>", "One street & its lamps."),
        ("one<br>two<br/>three", "one two three"),
        ("a < b and <i>c", "a < b and c"),
        ("plain", "plain"),
        ("<p> </p>", None),
        ("", None),
        (None, None),
    ],
)
def test_the_words_stay_and_the_tags_go(sent: str | None, words: str | None) -> None:
    assert without_markup(sent) == words
