from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.delaying import age_reasons, dated, ready_at, whole_minute
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.reasons import Reason, Rule
from tests.capabilities.rules.verdict_of import NOW, judged, rules, token

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
POLICY = AcquisitionPolicy(delay_minutes=60)


def test_the_clock_is_that_of_the_publication() -> None:
    assert ready_at(NOON, POLICY) == NOON + timedelta(hours=1)


TO_COME = datetime(2099, 1, 1, tzinfo=UTC)


def aged(published: datetime, policy: AcquisitionPolicy, now: datetime = NOON) -> list[Reason]:
    found = Found("T.2020", "loopback", "1", published=published)
    return list(age_reasons(found, policy, now, place=0, score=0))


def test_a_date_to_come_counts_as_the_time_it_was_found_and_is_named() -> None:
    found = dated(Found("T.2020", "loopback", "1", published=TO_COME), NOON)
    assert found.published == NOON
    assert "2099-01-01" in found.doubts[-1]
    assert dated(found, NOON + timedelta(days=1)) is found
    later = list(age_reasons(found, POLICY, NOON + timedelta(hours=1), place=0, score=0))
    assert not any(reason.rejects for reason in later)


def test_a_date_to_come_waits_no_longer_than_the_delay() -> None:
    doubt, delay = aged(TO_COME, POLICY)
    assert (doubt.rule, doubt.rejects) == (Rule.AGE, False)
    assert "which is to come" in doubt.sentence
    assert "until 2024-05-01 13:00" in delay.sentence


def test_without_a_delay_nothing_waits_for_a_date_to_come() -> None:
    reasons = aged(TO_COME, AcquisitionPolicy(most_age_days=30))
    assert [reason.rejects for reason in reasons] == [False]


def test_a_young_release_waits_and_an_old_one_is_refused() -> None:
    text = "Sintel.2010.1080p.BluRay"
    policy = AcquisitionPolicy(delay_minutes=60, most_age_days=30)
    young = judged(text, policy, published=NOW - timedelta(minutes=10))
    assert rules(young) == {Rule.DELAY}
    assert young.rejections[0].temporary
    assert "12:50" in young.rejections[0].sentence
    old = judged(text, policy, published=NOW - timedelta(days=31))
    assert (rules(old), token(old, Rule.AGE)) == ({Rule.AGE}, "31 days")
    assert judged(text, policy, published=NOW - timedelta(days=3)).accepted
    assert judged(text, policy, published=None).accepted


DISC = Condition(ConditionKind.SOURCE, "bluray")


@pytest.mark.parametrize(
    "changes",
    [
        {"undelayed_top_tier": True},
        {"undelayed_score": 5, "formats": (CustomFormat("x", (DISC,), 5),)},
    ],
)
def test_nothing_better_can_come_so_nothing_is_waited_for(changes: dict[str, Any]) -> None:
    policy = AcquisitionPolicy(delay_minutes=60, **changes)
    judgement = judged("Sintel.2010.1080p.BluRay", policy, published=NOW)
    assert judgement.accepted
    assert "does not wait" in next(
        one.sentence for one in judgement.reasons if one.rule is Rule.DELAY
    )
    assert rules(judged("Sintel.2010.1080p.WEB-DL", policy, published=NOW)) == {Rule.DELAY}


def test_what_waits_says_until_when() -> None:
    (delay,) = aged(NOON, POLICY)
    assert delay.until == NOON + timedelta(hours=1)


def test_what_is_told_by_the_minute_is_never_too_early() -> None:
    late = NOON + timedelta(seconds=1)
    assert (whole_minute(NOON), whole_minute(late)) == (NOON, NOON + timedelta(minutes=1))
    (delay,) = aged(late, POLICY, late)
    assert delay.until == late + timedelta(hours=1)
    assert delay.sentence.endswith("until 2024-05-01 13:01 UTC")


def test_what_mends_a_copy_that_is_held_does_not_wait() -> None:
    found = Found("T.2020", "loopback", "1", published=NOON)
    (told,) = age_reasons(found, POLICY, NOON, place=3, score=0, mends=True)
    assert (told.rule, told.rejects) == (Rule.DELAY, False)
    assert told.sentence == "it does not wait: it is a later revision of what is in the library"
