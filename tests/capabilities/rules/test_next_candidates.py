from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from capabilities.rules.names.parsing import parse
from capabilities.rules.next_candidates import Offer, Spent, next_candidates
from capabilities.rules.targets import FILM, Target

NOW = datetime(2026, 5, 1, tzinfo=UTC)
HASH = "ab" * 20
GOOD: Mapping[str, Any] = {"accepted": True, "verdict": "same", "grade": "B", "rank": 1}


def offer(
    id_: str = "rel_1",
    title: str = "Sintel.2010.1080p.BluRay.x264-OPEN",
    judgement: Mapping[str, Any] | None = GOOD,
    *,
    info_hash: str | None = None,
    known: bool = False,
) -> Offer:
    return Offer(id_, title, parse(title), info_hash, judgement, known)


def refused(rule: str) -> Mapping[str, Any]:
    return {**GOOD, "accepted": False, "reasons": [{"rule": rule, "sentence": "no"}]}


def chosen(
    *offers: Offer, targets: frozenset[Target] = frozenset({FILM}), spent: Spent | None = None
) -> list[str]:
    found = next_candidates(offers, targets, spent or Spent((), ()), {"A", "B"}, NOW)
    return [one.id for one in found]


def test_the_best_of_the_search_comes_first() -> None:
    second, first = offer("b", judgement={**GOOD, "rank": 2}), offer("a")
    assert chosen(second, first) == ["a", "b"]


@pytest.mark.parametrize(
    ("one", "taken"),
    [
        (offer(), True),
        (offer(judgement=None), False),
        (offer(judgement={**GOOD, "verdict": "other"}), False),
        (offer(judgement={**GOOD, "grade": "D"}), False),
        (offer(judgement={**GOOD, "grade": "D"}, known=True), True),
        (offer(judgement=refused("size")), False),
        (offer(judgement=refused("blocklist")), False),
        (offer(judgement=refused("in_flight")), True),
        (offer(judgement=refused("duplicate")), True),
        (offer(judgement={**GOOD, "accepted": False}), False),
    ],
    ids=[
        "accepted",
        "never judged",
        "another work",
        "of an unsure grade",
        "known by the owner's word",
        "refused by the policy",
        "blocked",
        "refused for the one that failed",
        "of the same name as that one",
        "nobody can read why",
    ],
)
def test_what_the_policy_takes_is_a_candidate(one: Offer, *, taken: bool) -> None:
    assert bool(chosen(one)) is taken


def test_nothing_is_taken_twice_for_one_cause() -> None:
    spent = Spent({"rel_1"}, {HASH})
    assert chosen(offer("rel_1"), spent=spent) == []
    assert chosen(offer("rel_2", info_hash=HASH.upper()), spent=spent) == []
    assert chosen(offer("rel_3", info_hash="cd" * 20), spent=spent) == ["rel_3"]


@pytest.mark.parametrize(
    ("title", "taken"),
    [
        ("Show.S01E03.1080p", True),
        ("Show.S01E04.1080p", False),
        ("Show.S02E03.1080p", False),
        ("Show.S01.1080p", True),
        ("Show.S02.1080p", False),
        ("Show.1080p", True),
    ],
)
def test_of_a_series_only_what_may_hold_the_missing_episode(title: str, *, taken: bool) -> None:
    assert bool(chosen(offer(title=title), targets=frozenset({(1, 3)}))) is taken
