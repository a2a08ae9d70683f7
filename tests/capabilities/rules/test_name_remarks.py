import pytest

from capabilities.rules.name_remarks import remarks


@pytest.mark.parametrize("text", ["Sintel.2010.1080p", "天气之子 (2019)", "Amélie", ""])
def test_an_ordinary_name_is_not_remarked_on(text: str) -> None:
    assert remarks(text) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a" * 10_000, "it has 10000 characters, of which the first 1000 are read"),
        ("Sintel\x00\x1b[31m", "control characters were read as blanks: U+0000, U+001B"),
        (
            "Sin\u200btel\u202e\ufeff",
            "invisible and direction characters were taken out: U+200B, U+202E, U+FEFF",
        ),
        ("\uff33intel", "characters were read in their plain form: U+FF33"),
        ("<script>x</script>", "it holds markup, which is read and shown as plain text"),
        ("Tom &amp; Jerry", "it holds markup, which is read and shown as plain text"),
    ],
)
def test_each_oddity_is_named_once(text: str, said: str) -> None:
    assert remarks(text) == (said,)


def test_many_signs_are_counted_and_not_all_listed() -> None:
    (said,) = remarks("".join(map(chr, range(1, 9))))
    assert said.endswith("U+0005 and 3 more")


def test_a_path_is_as_long_as_paths_are() -> None:
    assert remarks("/films" + "/a folder" * 200 + "/Sintel.mkv") == ()
    (said,) = remarks("/films" + "/a folder" * 500 + "/Sintel.mkv")
    assert said == "it has 4517 characters, of which the first 1000 are read"
