from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.names.parsing import parse
from capabilities.rules.pending import on_one_clock, undelayed, waits_until
from capabilities.rules.ranking import Candidate
from capabilities.rules.reasons import Rule
from capabilities.rules.verdicts import Circumstances, judge
from tests.capabilities.rules.shelf import SINTEL
from tests.capabilities.rules.verdict_of import NOW, OFFER, judged, rules

HOUR = timedelta(hours=1)
POLICY = AcquisitionPolicy(delay_minutes=60)
DISC, WEB = "Sintel.2010.1080p.BluRay", "Sintel.2010.1080p.WEB-DL"


def offered(text: str, minutes: int | None, **offer: Any) -> Candidate:
    """Published so many minutes before `NOW`; None for nobody knows when."""
    at = None if minutes is None else NOW - timedelta(minutes=minutes)
    found = replace(OFFER, title=text, guid=text, published=at, **offer)
    name, identity = parse(text), Identity(Grade.A, SINTEL)
    return Candidate(found, name, judge(found, name, identity, POLICY, Circumstances(15, NOW)))


def clocks(*candidates: Candidate) -> list[datetime | None]:
    return [waits_until(one.judgement) for one in on_one_clock(candidates, POLICY, NOW)]


def test_what_only_waits_says_until_when_and_nothing_else_does() -> None:
    young = judged(DISC, POLICY, published=NOW)
    assert waits_until(young) == NOW + HOUR
    assert waits_until(judged(DISC, POLICY, published=NOW - HOUR)) is None
    assert waits_until(judged(DISC, POLICY, published=NOW, seeders=0)) is None


def test_nothing_waits_for_a_person_and_everything_else_stands() -> None:
    young = undelayed(judged(DISC, POLICY, published=NOW))
    assert young.accepted
    assert "it does not wait: a person asked" in [one.sentence for one in young.reasons]
    dead = undelayed(judged(DISC, POLICY, published=NOW, seeders=0))
    assert rules(dead) == {Rule.SEEDERS}


def test_a_better_one_takes_the_place_and_the_clock_stays_that_of_the_oldest() -> None:
    better, older = offered(DISC, 10), offered(WEB, 50)
    assert clocks(better, older) == [NOW + timedelta(minutes=10)] * 2
    told = on_one_clock([better, older], POLICY, NOW)[0].judgement.rejections
    assert [one.sentence for one in told] == ["it waits for better ones until 2024-05-01 12:10 UTC"]


def test_when_the_oldest_has_waited_long_enough_the_best_goes() -> None:
    better, older = on_one_clock([offered(DISC, 10), offered(WEB, 60)], POLICY, NOW)
    assert better.judgement.accepted
    assert older.judgement.accepted
    assert "an older one for the same has waited long enough" in str(better.judgement.reasons)


def test_a_refused_one_and_one_without_a_date_move_no_clock() -> None:
    better = offered(DISC, 10)
    assert clocks(better, offered(WEB, 90, seeders=0))[0] == NOW + timedelta(minutes=50)
    assert clocks(better, offered(WEB, None))[0] == NOW + timedelta(minutes=50)


def test_what_is_for_nothing_that_is_known_waits_by_its_own_clock() -> None:
    found = replace(OFFER, title=DISC, published=NOW)
    nobody = Candidate(found, parse(DISC), judged(DISC, POLICY, published=NOW))
    assert clocks(nobody, replace(nobody, found=replace(found, published=NOW - HOUR))) == [
        NOW + HOUR,
        NOW + HOUR,
    ]
