from typing import Any

import pytest

from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.policy_json import from_json, to_json
from capabilities.rules.problems import UnsatisfiableError

BODY: dict[str, Any] = {
    "accepted": ["A", "B"],
    "words": ["block: X", "replace: A => B && front <> back >> EP+12"],
    "offsets": ["tmdb:series:1 S02E01 = S01E13"],
    "counted_through": ["tmdb:series:37854"],
}


def test_a_policy_holds_its_lines_as_lines() -> None:
    policy = from_json(IdentityPolicy, BODY)
    assert to_json(policy) == BODY
    assert from_json(IdentityPolicy, to_json(policy)) == policy


def test_the_lines_of_moviepilot_are_kept_in_our_form() -> None:
    lines = ["# remark", "A => {[tmdbid=1;type=tv;s=2]}"]
    policy = from_json(IdentityPolicy, {"words": lines})
    assert to_json(policy)["words"] == ["force: /A/ => tmdb:series:1 season 2"]


def test_the_first_version_has_none() -> None:
    assert to_json(IdentityPolicy()) == {
        "accepted": ["A", "B"],
        "words": [],
        "offsets": [],
        "counted_through": [],
    }


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"words": ["block: X", "offset: a"]}, "line 2"),
        ({"words": ["replace: /(/ => b"]}, "no regular expression"),
        ({"words": [7]}, "words"),
        ({"words": "block: X"}, "words"),
        ({"offsets": ["S02E01 = S01E13"]}, "write tmdb:series"),
        ({"counted_through": ["One Piece"]}, "write tmdb:series"),
        ({"counted_through": [f"tmdb:series:{n}" for n in range(501)]}, "more than 500"),
    ],
)
def test_a_wrong_line_is_refused_when_it_is_saved(body: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        from_json(IdentityPolicy, body)


def test_every_wrong_line_is_named_at_once() -> None:
    body = {
        "words": ["block: X", "offset: a", "replace: A", "block: Y"],
        "offsets": ["S02E01 = S01E13", "tmdb:series:1 S02E01 = S01E13", "nothing"],
    }
    with pytest.raises(UnsatisfiableError) as wrong:
        from_json(IdentityPolicy, body)
    told = [(problem.field, problem.why.partition(":")[0]) for problem in wrong.value.problems]
    assert told == [
        ("words", "line 2"),
        ("words", "line 3"),
        ("offsets", "line 1"),
        ("offsets", "line 3"),
    ]
