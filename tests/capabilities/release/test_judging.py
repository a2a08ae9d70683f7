import time
from datetime import UTC, datetime

import pytest

from capabilities.release.judging import Judged, judged
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.policy import AcquisitionPolicy, IdentityPolicy
from capabilities.rules.standing import Around
from capabilities.rules.verdicts import copy_judged
from capabilities.rules.works import Work, WorkKey, WorkKind
from tests.capabilities.rules.reported import MASHLE

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SINTEL = Work(WorkKey("tmdb", WorkKind.FILM, "45745"), "Sintel", 2010, runtime_minutes=15)
OLDER = Work(WorkKey("tmdb", WorkKind.FILM, "900002"), "Sintel", 1994)


def offer(title: str, **more: object) -> Found:
    given = {"indexer": "one", "guid": title, "seeders": 5, "size": 10**9, **more}
    return Found(title, **given)  # pyright: ignore[reportArgumentType]  # varied


def judge(*offers: Found, work: Work | None = SINTEL) -> list[Judged]:
    candidates = [] if work is None else [SINTEL, OLDER]
    return judged(offers, work, candidates, AcquisitionPolicy(), priorities={"one": 1}, now=NOW)


def test_another_certain_work_is_named_with_its_year() -> None:
    (other,) = judge(offer("Sintel.1994.1080p.BluRay.x264-OLD"))
    assert (other.verdict, other.accepted) == ("other", False)
    assert other.reasons[0] == ("identity", "it is Sintel (1994), another work")


def test_a_name_that_points_nowhere_is_another_work() -> None:
    (other,) = judge(offer("Something.Else.2010.1080p.BluRay.x264-X"))
    assert other.reasons[0] == ("identity", "nothing in the name points at this work")


def test_what_is_another_work_ranks_behind_what_the_rules_only_like_less() -> None:
    other = offer("Sintel.1994.1080p.BluRay.x264-OLD", seeders=900)
    small = offer("Sintel.2010.480p.WEB-DL.x264-SMALL", seeders=1)
    ranked = judge(other, small)
    assert [each.found for each in ranked] == [small, other]
    assert [each.rank for each in ranked] == [1, 2]


def test_words_ask_for_no_work_so_there_is_no_verdict() -> None:
    (found,) = judge(offer("Sintel.2010.1080p.BluRay.x264-OPEN"), work=None)
    assert found.verdict is None
    assert found.accepted


def test_a_judgement_is_stored_with_the_version_of_its_policy() -> None:
    (found,) = judge(offer("Sintel.2010.HDCAM.x264-NOPE"))
    stored = found.stored(7)
    assert (stored["accepted"], stored["policy_version"], stored["rank"]) == (False, 7, 1)
    assert "source" in [reason["rule"] for reason in stored["reasons"]]


@pytest.mark.parametrize("titles", [(), ("Sintel.2010.1080p.BluRay.x264-OPEN",)])
def test_every_offer_is_answered_once(titles: tuple[str, ...]) -> None:
    assert [each.found.title for each in judge(*map(offer, titles))] == list(titles)


def test_many_offers_on_slow_patterns_are_judged_within_one_time_and_indexers_take_turns() -> None:
    slow = CustomFormat("slow", (Condition(ConditionKind.PATTERN, "(a|aa)+$"),), -1)
    hard = [offer(f"Sintel.2010.1080p.{'a' * 200}!{n}", indexer="two") for n in range(200)]
    plain = offer("Sintel.2010.1080p.BluRay.x264-OPEN")
    began = time.process_time()
    found = judged(
        [*hard, plain],
        SINTEL,
        [SINTEL],
        AcquisitionPolicy(formats=(slow,)),
        priorities={},
        now=NOW,
        seconds=0.4,
    )
    assert time.process_time() - began < 2
    assert len(found) < 100
    assert plain in [each.found for each in found]


def test_an_offer_of_a_date_to_come_is_kept_with_the_time_it_was_found() -> None:
    (found,) = judge(offer("Sintel.2010.1080p.BluRay", published=datetime(2099, 1, 1, tzinfo=UTC)))
    assert found.found.published == NOW
    assert "2099" in found.found.doubts[0]


def test_what_an_offset_of_the_owner_places_is_held_against_what_is_there() -> None:
    offset = offset_from("tmdb:series:204832 S02E01-E12 = S01E13")
    title = "Mashle.Magic.and.Muscles.2023.S02E01.1080p.WEB-DL.x264-OPEN"
    copy = copy_judged(None, parse(title), AcquisitionPolicy(), work=MASHLE)
    around = Around(held={(1, 13): copy})
    for offsets, rules in (((), ["identity"]), ((offset,), ["held"])):
        (found,) = judged(
            [offer(title)],
            MASHLE,
            [MASHLE],
            AcquisitionPolicy(),
            priorities={},
            now=NOW,
            around=around,
            identity_policy=IdentityPolicy(offsets=offsets),
        )
        assert not found.accepted
        assert [rule for rule, _ in found.reasons] == rules
