import pytest

from agent.events import EventType, call_sentence
from capabilities.runs.choose_option import RESOLVED
from capabilities.runs.telling import STATUS


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "Search"),
        ({"query": "Night  Train", "season": 2}, "Search: Night Train, season 2"),
        ({"work": "work:1", "text": "x264"}, "Search: x264"),
        ({"plan": "plan_0123456789abcdef0123456789abcdef"}, "Search"),
        ({"hash": "a" * 40, "link": "magnet:?xt=urn:btih:x", "path": "/srv/films/x.mkv"}, "Search"),
        ({"missing": True, "kinds": ["film"], "query": "  "}, "Search"),
        ({"a": "one", "b": "two", "c": "three", "d": "four"}, "Search: one, two, three"),
    ],
)
def test_a_call_is_told_in_words_and_without_handles(
    arguments: dict[str, object], sentence: str
) -> None:
    assert call_sentence("Search", arguments) == sentence


def test_long_words_are_cut() -> None:
    told = call_sentence("Search", {"query": "x" * 100})
    assert told.endswith("…")
    assert len(told) == len("Search: ") + 60


def test_the_runs_group_writes_the_same_type_of_status_event() -> None:
    assert STATUS == EventType.RUN_STATUS
    assert RESOLVED == EventType.OPTIONS_RESOLVED
