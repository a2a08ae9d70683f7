from datetime import timedelta
from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.kept_judgement import kept_judgement, objections
from capabilities.rules.reasons import Reason, Rule, rejects
from tests.capabilities.rules.verdict_of import NOW, judged

HOUR = timedelta(hours=1)
POLICY = AcquisitionPolicy(delay_minutes=60)
DISC = "Sintel.2010.1080p.BluRay"


def kept(other: Reason | None = None, **offer: Any) -> dict[str, Any]:
    judgement = judged(DISC, POLICY, **{"published": NOW, **offer})
    return kept_judgement(judgement, Grade.A, 7, verdict="same", other=other)


def standing(of: dict[str, Any], *, after: timedelta, by_hand: bool = False) -> list[Rule | None]:
    return [one.rule for one in objections(of, NOW + after, by_hand=by_hand)]


def test_a_delay_stands_until_it_is_over_and_never_for_a_person() -> None:
    waits = kept()
    assert waits["accepted"] is False
    assert standing(waits, after=HOUR - timedelta(seconds=1)) == [Rule.DELAY]
    assert standing(waits, after=HOUR) == []
    assert standing(waits, after=timedelta(), by_hand=True) == []
    (objection,) = objections(waits, NOW, by_hand=False)
    assert objection.until == NOW + HOUR


def test_what_time_does_not_take_away_stands() -> None:
    dead = kept(seeders=0)
    assert standing(dead, after=HOUR) == [Rule.SEEDERS]
    assert standing(dead, after=timedelta(), by_hand=True) == [Rule.SEEDERS]


def test_another_work_is_kept_as_rejected_for_that_alone() -> None:
    other = rejects(Rule.IDENTITY, "", "it is another work")
    held = kept(other, published=None)
    assert held["accepted"] is False
    assert held["reasons"] == [{"rule": "identity", "sentence": "it is another work"}]


def test_what_is_accepted_is_kept_with_its_reasons_and_nothing_stands_against_it() -> None:
    held = kept(published=NOW - HOUR)
    assert (held["accepted"], held["policy_version"], held["grade"]) == (True, 7, "A")
    assert [one["rule"] for one in held["reasons"]] == ["tier"]
    assert standing(held, after=timedelta()) == []


@pytest.mark.parametrize(
    "held",
    [
        {},
        {"accepted": None},
        {"accepted": "yes"},
        {"accepted": False},
        {"accepted": False, "reasons": []},
        {"accepted": False, "reasons": "none"},
        {"accepted": False, "reasons": [{"rule": "of another version", "sentence": "it is so"}]},
        {"accepted": False, "reasons": [{"rule": "delay", "sentence": "x", "until": "2026-05-01"}]},
        {"accepted": False, "reasons": [{"rule": "seeders"}]},
        {"accepted": False, "reasons": [7]},
    ],
    ids=str,
)
def test_what_was_refused_stays_refused_where_nobody_can_read_why(held: dict[str, Any]) -> None:
    for by_hand in (False, True):
        (objection,) = objections(held, NOW + 100 * HOUR, by_hand=by_hand)
        assert (objection.rule, objection.until) == (None, None)
        assert "cannot be read" in objection.sentence


def test_one_reason_that_cannot_be_read_does_not_hide_the_others() -> None:
    dead = {**kept(seeders=0)}
    dead["reasons"] = [*dead["reasons"], {"rule": "new"}]
    assert standing(dead, after=HOUR) == [Rule.SEEDERS, None]
