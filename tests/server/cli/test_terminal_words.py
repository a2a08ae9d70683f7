import pytest

from server.cli.terminal_words import at_terminal


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("See policy__inspect.", "See `matinee policy history`."),
        ("Follow it with download__inspect.", "Follow it with `matinee call download.inspect`."),
        ("List the tools to see their names.", "`matinee capabilities` lists them."),
        ("query: String should have at least 1 character.", "query: it is empty."),
        ("accepted.0: Input should be 'A' or 'B'", "accepted.0: it should be 'A' or 'B'"),
        ("wordz: Unexpected keyword argument", "wordz: there is no such field"),
        ("The film a__b is there.", "The film a__b is there."),
    ],
)
def test_tools_become_commands_and_a_parsers_words_plain_ones(said: str, told: str) -> None:
    assert at_terminal(said) == told
