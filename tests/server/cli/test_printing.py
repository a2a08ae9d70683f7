import io

import pytest

from server.cli.printing import Speech, document_text, in_colour


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("at_terminal", "environment", "refused", "coloured"),
    [
        (True, {}, False, True),
        (False, {}, False, False),
        (True, {}, True, False),
        (True, {"NO_COLOR": "1"}, False, False),
        (True, {"NO_COLOR": ""}, False, True),
        (True, {"TERM": "dumb"}, False, False),
        (False, {"FORCE_COLOR": "1"}, False, True),
        (False, {"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        (False, {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour_is_where_it_is_wanted(
    environment: dict[str, str], *, at_terminal: bool, refused: bool, coloured: bool
) -> None:
    assert in_colour(environment, at_terminal=at_terminal, refused=refused) is coloured


def test_data_and_documents_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    for json in (False, True):
        speech = Speech(json=json)
        speech.data("text")
        speech.document({"a": 1})
    assert capsys.readouterr().out == 'text\n{\n  "a": 1\n}\n'


def test_words_go_to_standard_error_and_errors_always(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for speech in (Speech(), Speech(quiet=True), Speech(verbosity=1)):
        speech.words("words")
        speech.error("error")
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.split() == ["words", "error", "error", "words", "error"]


def test_a_document_cannot_steer_the_terminal() -> None:
    assert document_text("\x9b\x1b电\u202e") == '"\\u009b\\u001b电\\u202e"'


@pytest.mark.parametrize(
    ("environment", "quiet", "live"),
    [({"TERM": "xterm"}, False, True), ({"TERM": "dumb"}, False, False), ({}, True, False)],
)
def test_lines_are_drawn_again_only_on_a_terminal_that_can(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], *, quiet: bool, live: bool
) -> None:
    monkeypatch.setattr("sys.stderr", Screen())
    monkeypatch.delenv("TERM", raising=False)
    for name, held in environment.items():
        monkeypatch.setenv(name, held)
    assert Speech(quiet=quiet).live is live
