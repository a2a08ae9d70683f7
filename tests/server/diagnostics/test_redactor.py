from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.diagnostics.redactor import HIDDEN, Folders, Redactor

KNOWN = "kn0wn-s3cret+value/of=a&house"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (f"it says {KNOWN} here", "it says *** here"),
        ("kn0wn-s3cret%2Bvalue%2Fof%3Da%26house", "***"),
        ("see http://host:1/api?t=caps&apikey=abc", "see http://host:1/api?t=***&apikey=***"),
        ("https://user:pw@host/x/y", "https://host/x/y"),
        ("postgresql+psycopg://matinee:pw@db/ledger", "postgresql+psycopg://db/ledger"),
        ("http://t.example/0123456789/announce", "http://t.example/***/announce"),
        ("http://t.example/announce/abc?passkey=x", "http://t.example/***/announce"),
        ("udp://t.example:80/abc/announce.php?x=1", "udp://t.example:80/***/announce"),
        ("https://t.example/rss/abcdefghijklmnopqrstuvwxyz", "https://t.example/rss/***"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("it sent bearer abcdef123 along", "it sent bearer *** along"),
        ("'authorization': 'Basic Zm9vOmJhcg=='", "'authorization': 'Basic ***'"),
        ("Cookie: matinee_session=abcdef", "Cookie: ***"),
        ("it was matinee_session=abcdef; path=/", "it was matinee_session=***; path=/"),
        ("api_key=abc, next", "api_key=***, next"),
        ('{"passkey": "abc"}', '{"passkey": "***"}'),
        ("a key matinee_abcdefghijklmnopqrstuvwxyz0123 was sent", "a key *** was sent"),
        ("at http://127.0.0.1:8930 it answers", "at http://127.0.0.1:8930 it answers"),
        ("monkeytoken: fine", "monkeytoken: fine"),
        ("nothing to hide: 12 tokens in 3 s", "nothing to hide: 12 tokens in 3 s"),
    ],
)
def test_what_opens_a_door_is_taken_out_and_the_rest_stays(said: str, left: str) -> None:
    assert Redactor([KNOWN]).text(said) == left


def test_a_short_secret_is_hidden_as_a_word_and_not_inside_of_others() -> None:
    assert Redactor(["abc"]).text("abc, xabcx, (abc)") == "***, xabcx, (***)"


def test_a_longer_secret_goes_before_one_that_it_holds() -> None:
    assert Redactor(["secret", "secret-of-mine"]).text("secret-of-mine") == HIDDEN


def test_nothing_known_hides_nothing() -> None:
    assert Redactor(["", ""]).text("a b") == "a b"


def test_folders_are_called_by_words_the_innermost_first() -> None:
    folders = Folders({Path("/home/ada"): "~", Path("/home/ada/matinee"): "~home", Path("/"): "!"})
    redactor = Redactor(folders=folders)
    assert redactor.text("/home/ada/matinee/logs, /home/ada/x and /home/adam") == (
        "~home/logs, ~/x and /home/adam"
    )


def test_titles_are_hidden_unless_they_are_too_short_to_tell() -> None:
    redactor = Redactor(titles=["Night Train", "Up"])
    assert redactor.text("Night Train is Up") == "(title) is Up"


def test_documents_are_looked_through_in_names_and_values() -> None:
    given: dict[str, object] = {
        "a": [f"x {KNOWN}", 1, None, True, 2.5, ("y", KNOWN)],
        KNOWN: {"token": "abc", "Password": "abc", "tokens": "abc", "secret": None, "cookie": ""},
    }
    assert Redactor([KNOWN]).document(given) == {
        "a": ["x ***", 1, None, True, 2.5, ["y", "***"]],
        "***": {
            "token": "***",
            "Password": "***",
            "tokens": "abc",
            "secret": None,
            "cookie": "",
        },
    }


@given(before=st.text(), secret=st.text(min_size=6), behind=st.text())
def test_a_known_secret_never_stays(before: str, secret: str, behind: str) -> None:
    left = Redactor([secret]).text(before + secret + behind)
    assert secret not in left or secret in HIDDEN
