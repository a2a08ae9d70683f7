import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from capabilities.release.judging import Asking, Judged, judged, named
from capabilities.release.standard import Standard
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.episode_orders import EpisodeOrder, OrderGroup, OrderKind, Place
from capabilities.rules.evidence import Grade
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.standing import NOTHING_AROUND, Around
from capabilities.rules.verdicts import copy_judged
from capabilities.rules.works import Season, Work, WorkKey, WorkKind
from tests.capabilities.rules.reported import MASHLE

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SINTEL = Work(WorkKey("tmdb", WorkKind.FILM, "45745"), "Sintel", 2010, runtime_minutes=15)
OLDER = Work(WorkKey("tmdb", WorkKind.FILM, "900002"), "Sintel", 1994)


FIRST = AcquisitionPolicy()
OWNED = IdentityPolicy()


def offer(title: str, **more: Any) -> Found:
    given: dict[str, Any] = {"indexer": "one", "guid": title, "seeders": 5, "size": 10**9}
    return Found(title, **{**given, **more})


def told(one: Judged) -> list[tuple[str, str]]:
    return [(reason.rule.value, reason.sentence) for reason in one.reasons]


def standard(
    work: Work | None = SINTEL,
    policy: AcquisitionPolicy = FIRST,
    around: Around = NOTHING_AROUND,
    identity: IdentityPolicy = OWNED,
) -> Standard:
    return Standard(1, policy, identity, work, around)


def judge(*offers: Found, by: Standard | None = None, **more: Any) -> list[Judged]:
    by = standard() if by is None else by
    candidates = [] if by.work is None else [by.work, OLDER]
    read = named(offers, by.identity.words, NOW)
    return judged(read, Asking(by, NOW, candidates, priorities={"one": 1}, **more))


def test_another_certain_work_is_named_with_its_year() -> None:
    (other,) = judge(offer("Sintel.1994.1080p.BluRay.x264-OLD"))
    assert (other.verdict, other.accepted) == ("other", False)
    assert told(other)[0] == ("identity", "it is Sintel (1994), another work")


def test_a_name_that_points_nowhere_is_another_work() -> None:
    (other,) = judge(offer("Something.Else.2010.1080p.BluRay.x264-X"))
    assert told(other)[0] == ("identity", "nothing in the name points at this work")


def test_what_is_another_work_ranks_behind_what_the_rules_only_like_less() -> None:
    other = offer("Sintel.1994.1080p.BluRay.x264-OLD", seeders=900)
    small = offer("Sintel.2010.480p.WEB-DL.x264-SMALL", seeders=1)
    ranked = judge(other, small)
    assert [each.found for each in ranked] == [small, other]
    assert [each.rank for each in ranked] == [1, 2]


def test_words_ask_for_no_work_so_there_is_no_verdict() -> None:
    (found,) = judge(offer("Sintel.2010.1080p.BluRay.x264-OPEN"), by=standard(None))
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
    found = judge(*hard, plain, by=standard(policy=AcquisitionPolicy(formats=(slow,))), seconds=0.4)
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
        by = standard(MASHLE, around=around, identity=IdentityPolicy(offsets=offsets))
        (found,) = judge(offer(title), by=by)
        assert not found.accepted
        assert [rule for rule, _ in told(found)] == rules


def test_what_a_person_need_not_wait_for_is_kept_as_waiting_for_everybody_else() -> None:
    policy = AcquisitionPolicy(delay_minutes=60)
    young = offer("Sintel.2010.1080p.BluRay", published=NOW - timedelta(minutes=10))
    (hers,) = judge(young, by=standard(policy=policy), by_hand=True)
    (others,) = judge(young, by=standard(policy=policy))
    assert (hers.accepted, others.accepted) == (True, False)
    assert ("delay", "it does not wait: a person asked") in told(hers)
    assert hers.stored(1) == others.stored(1)
    (kept,) = hers.stored(1)["reasons"]
    assert (kept["rule"], kept["until"]) == ("delay", "2026-01-01T00:50:00+00:00")


def test_another_work_moves_no_clock_of_the_one_asked_for() -> None:
    policy = AcquisitionPolicy(delay_minutes=60)
    young = offer("Sintel.2010.1080p.BluRay", published=NOW - timedelta(minutes=10))
    other = offer("Sintel.1994.1080p.BluRay", published=NOW - timedelta(minutes=90))
    older = offer("Sintel.2010.720p.BluRay", published=NOW - timedelta(minutes=90))
    waits, _ = judge(young, other, by=standard(policy=policy))
    assert (waits.found, waits.accepted) == (young, False)
    best, _ = judge(young, older, by=standard(policy=policy))
    assert (best.found, best.accepted) == (young, True)


def test_absolute_numbers_stand_where_the_orders_of_the_source_put_them() -> None:
    title = "[OPEN] Show - 14 [1080p][WEB-DL]"
    seasons = (Season(1, 2020, 12), Season(2, 2021, 12))
    show = Work(WorkKey("tmdb", WorkKind.SERIES, "7"), "Show", 2020, seasons=seasons)
    run = tuple(Place(season, number) for season in (1, 2) for number in range(1, 13))
    order = EpisodeOrder("tmdb", "a", OrderKind.ABSOLUTE, "Absolute", (OrderGroup(1, "All", run),))
    (plain,) = judge(offer(title), by=standard(show))
    (counted,) = judge(offer(title), by=standard(show), orders={show.key: [order]})
    assert plain.candidate.judgement.targets == frozenset()
    assert counted.candidate.judgement.targets == {(2, 2)}


@pytest.mark.parametrize(("accepted", "is_work"), [((Grade.A,), False), ((Grade.A, Grade.C), True)])
def test_an_uncertain_one_is_the_work_where_the_owner_takes_such_grades(
    accepted: tuple[Grade, ...], is_work: bool
) -> None:
    by = standard(identity=IdentityPolicy(accepted=accepted))
    lone = judged(
        named([offer("Sintel.1080p.BluRay.x264-OPEN")], (), NOW), Asking(by, NOW, [SINTEL])
    )
    assert [(one.verdict, one.is_work(by)) for one in lone] == [("unsure", is_work)]


def test_a_title_makes_no_work_certain_while_nobody_knows_who_else_bears_it() -> None:
    title, ids = "Sintel.2010.1080p.BluRay.x264-OPEN", {"tmdb": "45745"}
    by_title, by_id = offer(title), offer(title, guid="2", external_ids=ids)
    ranked = judge(by_title, by_id, unsearched=True)
    graded = {one.found.guid: (one.identity.grade, one.verdict, one.accepted) for one in ranked}
    assert graded == {title: (Grade.C, "unsure", True), "2": (Grade.A, "same", True)}
    assert {one.found.guid: one.is_work(standard()) for one in ranked} == {title: False, "2": True}


def test_a_grade_that_the_owner_wants_to_be_asked_about_is_not_the_work_unasked() -> None:
    careful = standard(identity=IdentityPolicy(accepted=(Grade.A,)))
    (one,) = judge(offer("Sintel.2010.1080p.BluRay.x264-OPEN"), by=careful)
    assert (one.identity.grade, one.verdict) == (Grade.B, "same")
    assert (one.is_work(careful), one.is_work(standard())) == (False, True)
