from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.identity import grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.reasons import Rule
from capabilities.rules.sizes import (
    PILOT_MINUTES,
    preferred_size,
    running_minutes,
    unmeasured_reasons,
)
from capabilities.rules.targets import Target, targets_of
from capabilities.rules.tiers import TIERS_V1, SizeRule, Tier
from capabilities.rules.verdicts import Circumstances, judge
from capabilities.rules.works import Episode, Season, Work, WorkKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL
from tests.capabilities.rules.verdict_of import MEGABYTE, NOW, OFFER, judged, rules, token


def sized(**bounds: int) -> AcquisitionPolicy:
    tier = Tier("hd", (Resolution.P1080,), (Source.WEB_DL,), **bounds)
    return AcquisitionPolicy(tiers=(tier,), upgrade_until=None)


def test_size_is_measured_per_minute() -> None:
    text = "Sintel.2010.1080p.WEB-DL"
    policy = sized(least_per_minute=10 * MEGABYTE, most_per_minute=50 * MEGABYTE)
    assert judged(text, policy, size=20 * 15 * MEGABYTE).accepted
    small = judged(text, policy, size=5 * 15 * MEGABYTE)
    assert (rules(small), token(small, Rule.SIZE)) == ({Rule.SIZE}, "5.0 MB/min")
    assert rules(judged(text, policy, size=60 * 15 * MEGABYTE)) == {Rule.SIZE}
    assert judged(text, policy, size=None).accepted


@pytest.mark.parametrize(
    ("text", "episodes"),
    [
        ("Pioneer.One.S01E01-E02.1080p.WEB-DL", 2),
        ("Pioneer.One.S01.1080p.WEB-DL", 3),
        ("Pioneer.One.S01-S02.1080p.WEB-DL", 5),
        ("[Group] Pioneer One - 04 [1080p][WEB-DL]", 1),
    ],
)
def test_the_size_of_a_pack_is_shared_by_its_episodes(text: str, episodes: int) -> None:
    policy, name = sized(most_per_minute=10 * MEGABYTE), parse(text)
    identity = grade(name, {"tmdb": "4711"}, [PIONEER])
    limit = 10 * MEGABYTE * 40 * episodes
    for size, refused in ((limit, False), (limit + 40 * episodes, True)):
        found = replace(OFFER, title=text, size=size)
        judgement = judge(found, name, identity, policy, Circumstances(40))
        assert (Rule.SIZE in rules(judgement)) is refused


def test_a_pack_of_unknown_length_is_not_measured() -> None:
    text = "Unknown.Show.S01.1080p.WEB-DL"
    policy = sized(most_per_minute=1)
    assert judged(text, policy).accepted
    name = parse("Pioneer.One.S09.1080p.WEB-DL")
    found = replace(OFFER, title=name.text)
    identity = Identity(Grade.A, PIONEER)
    assert judge(found, name, identity, policy, Circumstances(40)).accepted


def test_a_size_that_nobody_says_is_held_against_nobody() -> None:
    """SUB-16: the size field is never set; unset is no limit."""
    text = "People's Police S01E01-E03 2024 2160p WEB-DL AAC"
    assert Rule.SIZE not in rules(judged(text, size=None))
    unbounded = tuple(replace(tier, most_per_minute=None) for tier in TIERS_V1)
    assert Rule.SIZE not in rules(judged(text, AcquisitionPolicy(tiers=unbounded), size=10**13))


@pytest.mark.parametrize(("megabytes", "accepted"), [(3_999, True), (4_001, False)])
def test_a_limit_for_episodes_is_shared_by_the_episodes_of_a_release(
    megabytes: int, accepted: bool
) -> None:
    """SUB-19e: films up to 30 GB, episodes up to 2 GB, and a release of two of them."""
    kinds = {WorkKind.FILM: 30_000 * MEGABYTE // 100, WorkKind.SERIES: 2_000 * MEGABYTE // 40}
    tier = Tier("hd", (Resolution.P2160,), (Source.WEB_DL,))
    sizes = tuple(SizeRule("hd", kind, most_per_minute=most) for kind, most in kinds.items())
    policy = AcquisitionPolicy(tiers=(tier,), upgrade_until=None, sizes=sizes)
    name = parse("Pioneer.One.S01E01-E02.2160p.WEB-DL")
    found = replace(OFFER, title=name.text, size=megabytes * MEGABYTE)
    identity = Identity(Grade.A, PIONEER)
    judgement = judge(found, name, identity, policy, Circumstances(40))
    assert judgement.accepted is accepted
    film = parse("Sintel.2010.2160p.WEB-DL")
    found = replace(OFFER, title=film.text, size=29_000 * MEGABYTE)
    assert judge(found, film, Identity(Grade.A, SINTEL), policy, Circumstances(100)).accepted


def test_an_episode_is_measured_by_its_own_running_time() -> None:
    finale = Episode(2, runtime_minutes=150)
    season = Season(1, 2010, 2, (Episode(1, runtime_minutes=45), finale))
    work = replace(PIONEER, seasons=(season,))
    policy = sized(most_per_minute=10 * MEGABYTE)
    for text, minutes in (
        ("Pioneer.One.S01E02.1080p.WEB-DL", 150),
        ("Pioneer.One.S01E01.1080p.WEB-DL", 45),
        ("Pioneer.One.S01.1080p.WEB-DL", 195),
    ):
        for size, accepted in ((minutes, True), (minutes + 1, False)):
            found = replace(OFFER, title=text, size=size * 10 * MEGABYTE)
            identity = Identity(Grade.A, work)
            judgement = judge(found, parse(text), identity, policy, Circumstances(45))
            assert judgement.accepted is accepted


BOUNDED = Tier(
    "hd",
    (Resolution.P1080,),
    (Source.WEB_DL,),
    most_per_minute=50 * MEGABYTE,
    preferred_per_minute=20 * MEGABYTE,
)
FREE = Tier("free", (Resolution.P1080,), (Source.WEB_DL,))
EPISODE, PACK = "Pioneer.One.S01E01.1080p.WEB-DL", "Pioneer.One.S01.1080p.WEB-DL"
FILM = "Sintel.2010.1080p.WEB-DL"


def aired(*episodes: Episode) -> Work:
    """A series of one season whose source says no length besides its episodes'."""
    season = Season(1, 2024, len(episodes), episodes)
    return replace(PIONEER, seasons=(season,), runtime_minutes=None)


def minutes(
    text: str, work: Work | None, runtime: int | None = None, now: datetime | None = NOW
) -> int | None:
    return running_minutes(parse(text), Identity(Grade.A, work), runtime, now=now)


def unmeasured(text: str, work: Work | None, tier: Tier = BOUNDED) -> list[tuple[bool, str]]:
    targets = frozenset[Target]() if work is None else targets_of(work, parse(text))
    known = minutes(text, work, None if work is None else work.runtime_minutes)
    reasons = unmeasured_reasons(tier, 700 * MEGABYTE, known, work, targets)
    return [(one.rejects, one.sentence) for one in reasons]


def test_the_preferred_size_follows_the_running_time() -> None:
    assert preferred_size(BOUNDED, 100) == 2_000 * MEGABYTE
    assert preferred_size(BOUNDED, None) is None
    assert preferred_size(FREE, 100) is None


def test_an_episode_of_unknown_length_is_as_long_as_the_middle_one_of_its_season() -> None:
    work = aired(
        Episode(1, runtime_minutes=60),
        Episode(2, runtime_minutes=40),
        Episode(3, runtime_minutes=150),
        Episode(4),
    )
    assert minutes("Pioneer.One.S01E03.1080p.WEB-DL", work) == 150
    assert minutes("Pioneer.One.S01E04.1080p.WEB-DL", work) == 60
    assert minutes("Pioneer.One.S01E04.1080p.WEB-DL", work, runtime=45) == 45
    assert minutes(PACK, work) == 310


def test_a_film_whose_length_no_source_says_is_refused_for_it() -> None:
    assert unmeasured(FILM, replace(SINTEL, runtime_minutes=None)) == [
        (
            True,
            'no source says how long it runs, so nobody can tell whether tier "hd" allows its size',
        )
    ]
    assert unmeasured(FILM, SINTEL) == []


def test_an_episode_whose_season_says_no_length_is_refused_for_it() -> None:
    silent = aired(Episode(1, air_date=date(2020, 1, 1)), Episode(2, air_date=date(2020, 1, 8)))
    for text in (EPISODE, PACK):
        assert [rejects for rejects, _ in unmeasured(text, silent)] == [True]


def test_where_no_source_was_asked_for_a_length_it_is_only_said() -> None:
    kept = replace(PIONEER, seasons=(Season(1, 2010, 3),), runtime_minutes=None)
    said = [(False, "its running time is not known here, so its size was not measured")]
    assert unmeasured(EPISODE, kept) == said
    assert unmeasured(PACK, kept) == said
    assert unmeasured(EPISODE, None) == said


def test_a_tier_without_bounds_and_an_offer_without_a_size_need_no_length() -> None:
    unknown, targets = replace(SINTEL, runtime_minutes=None), frozenset({(0, 0)})
    assert unmeasured(FILM, unknown, FREE) == []
    assert list(unmeasured_reasons(BOUNDED, None, None, unknown, targets)) == []
    assert list(unmeasured_reasons(None, MEGABYTE, None, unknown, targets)) == []


@pytest.mark.parametrize(("days", "known"), [(-2, None), (-1, PILOT_MINUTES), (0, PILOT_MINUTES)])
def test_a_pilot_of_today_is_taken_for_three_quarters_of_an_hour(
    days: int, known: int | None
) -> None:
    day = (NOW + timedelta(days=days)).date()
    work = aired(Episode(1, air_date=day), Episode(2, air_date=day))
    assert minutes(EPISODE, work) == known
    assert minutes(EPISODE, work, runtime=30) == 30
    assert minutes("Pioneer.One.S01E02.1080p.WEB-DL", work) is None
    assert minutes(EPISODE, work, now=None) is None


@pytest.mark.parametrize(
    ("day", "against"), [(date(2020, 1, 1), {Rule.SIZE}), (NOW.date(), set[Rule]())]
)
def test_a_judgement_refuses_a_size_that_nobody_can_measure(day: date, against: set[Rule]) -> None:
    offer = replace(OFFER, title=EPISODE, size=1_000 * MEGABYTE)
    identity = Identity(Grade.A, aired(Episode(1, air_date=day)))
    judgement = judge(offer, parse(EPISODE), identity, AcquisitionPolicy(), Circumstances(now=NOW))
    assert rules(judgement) == against
