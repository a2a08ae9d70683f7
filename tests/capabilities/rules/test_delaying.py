from datetime import UTC, datetime, timedelta

from capabilities.rules.delaying import Waiting, age_reasons, dated, ready_at, waiting
from capabilities.rules.found import Found
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.reasons import Reason, Rule

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
POLICY = AcquisitionPolicy(delay_minutes=60)


def test_the_clock_is_that_of_the_publication() -> None:
    assert ready_at(NOON, POLICY) == NOON + timedelta(hours=1)


def test_a_better_one_takes_the_place_and_the_clock_stays_that_of_the_oldest() -> None:
    better, older = NOON + timedelta(minutes=50), NOON
    assert waiting([better, older], POLICY) == Waiting(0, NOON + timedelta(hours=1))
    assert waiting([], POLICY) is None


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
