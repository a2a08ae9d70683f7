from datetime import timedelta
from typing import Any

from capabilities.rules.evidence import Grade
from capabilities.rules.kept_judgement import kept_judgement, objections
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.reasons import Reason, Rule, rejects
from tests.capabilities.rules.verdict_of import NOW, judged

HOUR = timedelta(hours=1)
POLICY = AcquisitionPolicy(delay_minutes=60)
DISC = "Sintel.2010.1080p.BluRay"


def kept(other: Reason | None = None, **offer: Any) -> dict[str, Any]:
    judgement = judged(DISC, POLICY, **{"published": NOW, **offer})
    return kept_judgement(judgement, Grade.A, 7, verdict="same", other=other)


def standing(of: dict[str, Any], *, after: timedelta, by_hand: bool = False) -> list[Rule]:
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
