from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.identity import grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.reasons import Rule
from capabilities.rules.tiers import TIERS_V1, SizeRule, Tier
from capabilities.rules.verdicts import Judgement, judge
from capabilities.rules.works import Episode, Season, WorkKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
MEGABYTE = 1_000_000
NOBODY = Identity(Grade.E, None)
OFFER = Found("", "loopback", "1", seeders=5, size=700 * MEGABYTE, download_factor=1.0)


def judged(text: str, policy: AcquisitionPolicy | None = None, **offer: Any) -> Judgement:
    found = replace(OFFER, title=text, **offer)
    return judge(
        found, parse(text), NOBODY, policy or AcquisitionPolicy(), runtime_minutes=15, now=NOW
    )


def rules(judgement: Judgement) -> set[Rule]:
    return {reason.rule for reason in judgement.rejections}


def token(judgement: Judgement, rule: Rule) -> str:
    return next(reason.token for reason in judgement.reasons if reason.rule is rule)


def test_an_ordinary_release_is_accepted_in_its_tier() -> None:
    judgement = judged("Sintel.2010.1080p.BluRay.x264-GRP")
    assert judgement.accepted
    assert (judgement.tier, judgement.place) == ("Blu-ray 1080p", 0)
    assert judgement.preferred_size == 80 * MEGABYTE * 15


@pytest.mark.parametrize(
    ("word", "source"),
    [("HQCAM", "HQCAM"), ("HDTS", "HDTS"), ("TELECINE", "TELECINE"), ("DVDScr", "DVDScr")],
)
def test_recordings_and_screeners_are_refused_by_the_word_that_says_so(
    word: str, source: str
) -> None:
    judgement = judged(f"Sintel.2010.1080p.{word}.x264-GRP")
    assert not judgement.accepted
    assert Rule.SOURCE in rules(judgement)
    assert token(judgement, Rule.SOURCE) == source


def test_what_no_tier_holds_is_refused_with_what_it_says() -> None:
    judgement = judged("Sintel.2010.4320p.BluRay")
    assert rules(judgement) == {Rule.TIER}
    assert token(judgement, Rule.TIER) == "4320p BluRay"
    assert judgement.tier is None


def test_a_name_that_makes_a_pattern_slow_does_not_escape_the_format_that_refuses_it() -> None:
    slow = Condition(ConditionKind.PATTERN, r"(a|aa)+-BADGRP$")
    formats = (CustomFormat("bad", (slow,), -10_000), CustomFormat("good", (slow,), 50))
    policy = AcquisitionPolicy(formats=formats, least_score=0)
    text = "Sintel.2010.1080p.BluRay." + "a" * 280 + "-GRP"
    judgements = [judged(text, policy) for _ in range(4)]
    assert {one.score for one in judgements} == {-10_000}
    assert [rules(one) for one in judgements] == [{Rule.SCORE}] * 4
    bad, good = [one.sentence for one in judgements[0].reasons if one.rule is Rule.FORMAT]
    assert bad.endswith("too long to find out; worth -10000, it counts as if it had")
    assert good.endswith("too long to find out; worth +50, it does not count")


def test_refusing_beats_requiring() -> None:
    policy = AcquisitionPolicy(required_tokens=("1080p",), refused_tokens=("dubbed",))
    judgement = judged("Sintel.2010.DUBBED.1080p.BluRay", policy)
    assert rules(judgement) == {Rule.REFUSED}
    assert token(judgement, Rule.REFUSED) == "dubbed"
    assert token(judgement, Rule.REQUIRED) == "1080p"


def test_tokens_hit_whole_words_only() -> None:
    policy = AcquisitionPolicy(refused_tokens=("HDR", "DV", "TS", "WEB-DL"))
    assert judged("Sintel.2010.480p.HDR10.DTS.DVDRip", policy).rejections == ()
    assert rules(judged("Sintel.2010.1080p.WEB.DL", policy)) == {Rule.REFUSED}


def test_a_required_token_needs_evidence() -> None:
    policy = AcquisitionPolicy(required_tokens=("中字",))
    judgement = judged("Sintel.2010.1080p.WEB-DL", policy)
    assert rules(judgement) == {Rule.REQUIRED}
    assert token(judgement, Rule.REQUIRED) == "中字"


def test_a_required_language_needs_evidence_and_a_refused_one_rejects() -> None:
    policy = AcquisitionPolicy(required_languages=("de", "fr"), refused_languages=("it",))
    assert judged("Sintel.2010.German.1080p.BluRay", policy).accepted
    assert rules(judged("Sintel.2010.1080p.BluRay", policy)) == {Rule.LANGUAGE}
    assert rules(judged("Sintel.2010.Polish.1080p.BluRay", policy)) == {Rule.LANGUAGE}
    both = judged("Sintel.2010.German.Italian.1080p.BluRay", policy)
    assert rules(both) == {Rule.LANGUAGE}


def test_groups_are_required_and_refused_without_regard_to_case() -> None:
    required = AcquisitionPolicy(required_groups=("GRP",))
    assert judged("Sintel.2010.1080p.BluRay.x264-grp", required).accepted
    assert rules(judged("Sintel.2010.1080p.BluRay.x264-OTHER", required)) == {Rule.GROUP}
    assert rules(judged("Sintel.2010.1080p.BluRay", required)) == {Rule.GROUP}
    refused = AcquisitionPolicy(refused_groups=("grp",))
    assert token(judged("Sintel.2010.1080p.BluRay.x264-GRP", refused), Rule.GROUP) == "GRP"
    assert judged("Sintel.2010.1080p.BluRay", refused).accepted


def test_seeders_nobody_counts_are_not_zero() -> None:
    text = "Sintel.2010.1080p.BluRay"
    assert rules(judged(text, seeders=0)) == {Rule.SEEDERS}
    unknown = judged(text, seeders=None)
    assert unknown.accepted
    assert token(unknown, Rule.SEEDERS) == "unknown"
    assert judged(text, AcquisitionPolicy(least_seeders=0), seeders=0).accepted


def test_an_unknown_promotion_is_not_free_leech() -> None:
    text, policy = "Sintel.2010.1080p.BluRay", AcquisitionPolicy(free_leech_only=True)
    assert judged(text, policy, download_factor=0.0).accepted
    assert token(judged(text, policy, download_factor=None), Rule.PROMOTION) == "unknown"
    assert rules(judged(text, policy, download_factor=0.5)) == {Rule.PROMOTION}
    assert judged(text, download_factor=None).accepted


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
    for size, accepted in ((limit, True), (limit + 40 * episodes, False)):
        found = replace(OFFER, title=text, size=size)
        assert judge(found, name, identity, policy, runtime_minutes=40).accepted is accepted


def test_a_pack_of_unknown_length_is_not_measured() -> None:
    text = "Unknown.Show.S01.1080p.WEB-DL"
    policy = sized(most_per_minute=1)
    assert judged(text, policy).accepted
    name = parse("Pioneer.One.S09.1080p.WEB-DL")
    found = replace(OFFER, title=name.text)
    identity = Identity(Grade.A, PIONEER)
    assert judge(found, name, identity, policy, runtime_minutes=40).accepted


def test_scores_add_up_and_can_be_too_low() -> None:
    group = Condition(ConditionKind.GROUP, "grp")
    hdr = Condition(ConditionKind.DYNAMIC_RANGE, "hdr10")
    formats = (CustomFormat("good group", (group,), 50), CustomFormat("hdr", (hdr,), -20))
    policy = AcquisitionPolicy(formats=formats, least_score=40)
    assert judged("Sintel.2010.1080p.BluRay-GRP", policy).score == 50
    both = judged("Sintel.2010.1080p.HDR.BluRay-GRP", policy)
    assert both.score == 30
    assert (rules(both), token(both, Rule.SCORE)) == ({Rule.SCORE}, "30")


WEB = Condition(ConditionKind.SOURCE, "web-dl")
DISC = Condition(ConditionKind.SOURCE, "bluray")
HD = Condition(ConditionKind.RESOLUTION, "1080p")
NO_GERMAN = Condition(ConditionKind.LANGUAGE, "de", negate=True, required=True)
DUBBED = Condition(ConditionKind.WORDS, "line dubbed")
AAC = Condition(ConditionKind.AUDIO, "AAC")
CUT = Condition(ConditionKind.EDITION, "directors-cut")
HEVC = Condition(ConditionKind.VIDEO_CODEC, "h265", required=True)
AVC = Condition(ConditionKind.VIDEO_CODEC, "h264")


@pytest.mark.parametrize(
    ("conditions", "text", "expected"),
    [
        ((WEB, DISC), "T.2020.1080p.BluRay", 1),
        ((WEB, DISC), "T.2020.1080p.HDTV", 0),
        ((WEB, HD), "T.2020.1080p.WEB-DL", 1),
        ((WEB, HD), "T.2020.720p.WEB-DL", 0),
        ((HD, NO_GERMAN), "T.2020.1080p.WEB-DL", 1),
        ((HD, NO_GERMAN), "T.2020.German.1080p.WEB-DL", 0),
        ((DUBBED,), "T.2020.LINE.DUBBED.1080p.WEB-DL", 1),
        ((DUBBED,), "T.2020.DUBBED.LINE.1080p.WEB-DL", 0),
        ((AAC, CUT), "T.2020.Directors.Cut.1080p.WEB-DL.AAC", 1),
        ((HEVC, AVC), "T.2020.1080p.WEB-DL.x265", 1),
        ((HEVC, AVC), "T.2020.1080p.WEB-DL.x264", 0),
    ],
)
def test_conditions_combine_as_guides_expect(
    conditions: tuple[Condition, ...], text: str, expected: int
) -> None:
    policy = AcquisitionPolicy(formats=(CustomFormat("format", conditions, 1),))
    assert judged(text, policy).score == expected


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


def test_an_age_is_not_judged_without_a_clock() -> None:
    name = parse("Sintel.2010.1080p.BluRay")
    policy = AcquisitionPolicy(delay_minutes=60)
    with pytest.raises(ValueError, match="what time it is"):
        judge(OFFER, name, NOBODY, policy, runtime_minutes=None)


def test_a_contradicted_identity_is_refused_even_with_an_id() -> None:
    name = parse("Sintel.1998.1080p.BluRay")
    identity = grade(name, {"tmdb": "45745"}, [SINTEL])
    judgement = judge(
        replace(OFFER, title=name.text), name, identity, AcquisitionPolicy(), runtime_minutes=15
    )
    assert (rules(judgement), token(judgement, Rule.IDENTITY)) == ({Rule.IDENTITY}, "year")


def test_filters_run_on_a_release_that_an_id_identified() -> None:
    name = parse("Sintel.2010.1080p.HDCAM")
    identity = grade(name, {"tmdb": "45745"}, [SINTEL])
    assert identity.grade is Grade.A
    judgement = judge(OFFER, name, identity, AcquisitionPolicy(), runtime_minutes=15)
    assert not judgement.accepted


@pytest.mark.parametrize(
    ("text", "policy", "rule", "said"),
    [
        pytest.param(
            "鬼吹灯之南海归墟.South.Sea.Tomb.2022.2160p.WEB-DL.杜比视界-AAA",
            AcquisitionPolicy(required_tokens=("WEB-DL",), refused_tokens=("杜比视界",)),
            Rule.REFUSED,
            'the name says "杜比视界", refused',
            id="SUB-14 excluding wins over including",
        ),
        pytest.param(
            "Heated Rivalry S01 2025 2160p HMAX WEB-DL H{@}265 DDP 5{@}1-RAWR",
            AcquisitionPolicy(required_tokens=("中字",)),
            Rule.REQUIRED,
            'the name does not say "中字", which is required',
            id="SUB-17 without evidence nothing is matched",
        ),
        pytest.param(
            "Heated Rivalry S01 2025 2160p HMAX WEB-DL H{@}265 DDP 5{@}1-RAWR",
            AcquisitionPolicy(required_languages=("zh",)),
            Rule.LANGUAGE,
            "the name says no language; one of zh is required",
            id="SUB-17 nor is a language",
        ),
    ],
)
def test_cases_of_rules_about_names(
    text: str, policy: AcquisitionPolicy, rule: Rule, said: str
) -> None:
    judgement = judged(text, policy)
    assert said in [reason.sentence for reason in judgement.rejections if reason.rule is rule]


def test_a_size_that_nobody_says_is_held_against_nobody() -> None:
    """SUB-16: the size field is never set; unset is no limit."""
    text = "People's Police S01E01-E03 2024 2160p WEB-DL AAC"
    assert Rule.SIZE not in rules(judged(text, size=None))
    unbounded = tuple(replace(tier, most_per_minute=None) for tier in TIERS_V1)
    assert Rule.SIZE not in rules(judged(text, AcquisitionPolicy(tiers=unbounded), size=10**13))


@pytest.mark.parametrize(
    ("factor", "most", "accepted"),
    [
        (None, 0.5, False),
        (0.5, 0.5, True),
        (0.75, 0.5, False),
        (0.0, 0.5, True),
        (None, None, True),
    ],
)
def test_an_unknown_promotion_is_neither_free_nor_paid(
    factor: float | None, most: float | None, accepted: bool
) -> None:
    """SUB-19: the rule FREE, and a site-wide free that was read as 50 %."""
    policy = AcquisitionPolicy(most_download_factor=most)
    judgement = judged("Sintel.2010.1080p.BluRay", policy, download_factor=factor)
    assert judgement.accepted is accepted
    if factor is None and not accepted:
        assert "does not say" in judgement.rejections[0].sentence


def test_filters_run_on_a_release_that_only_an_id_points_at() -> None:
    """SUB-19d: it fails the HDR rule and matches by external id."""
    name = parse("Pioneer One S01E01 2160p NOW WEB-DL DDP5 1 Atmos H 265-FLUX")
    identity = grade(name, {"tmdb": "4711"}, [PIONEER])
    policy = AcquisitionPolicy(required_tokens=("HDR",))
    found = replace(OFFER, title=name.text, external_ids={"tmdb": "4711"})
    judgement = judge(found, name, identity, policy, runtime_minutes=40)
    assert identity.grade is Grade.A
    assert rules(judgement) == {Rule.REQUIRED}


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
    judgement = judge(found, name, identity, policy, runtime_minutes=40)
    assert judgement.accepted is accepted
    film = parse("Sintel.2010.2160p.WEB-DL")
    found = replace(OFFER, title=film.text, size=29_000 * MEGABYTE)
    assert judge(found, film, Identity(Grade.A, SINTEL), policy, runtime_minutes=100).accepted


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
            judgement = judge(found, parse(text), identity, policy, runtime_minutes=45)
            assert judgement.accepted is accepted


@pytest.mark.parametrize(
    ("changes", "by_hand"),
    [
        ({"undelayed_top_tier": True}, False),
        ({"undelayed_score": 5, "formats": (CustomFormat("x", (DISC,), 5),)}, False),
        ({}, True),
    ],
)
def test_nothing_better_can_come_so_nothing_is_waited_for(
    changes: dict[str, Any], by_hand: bool
) -> None:
    policy = AcquisitionPolicy(delay_minutes=60, **changes)
    name = parse("Sintel.2010.1080p.BluRay")
    found = replace(OFFER, title=name.text, published=NOW)
    judgement = judge(found, name, NOBODY, policy, runtime_minutes=15, now=NOW, by_hand=by_hand)
    assert judgement.accepted
    assert "does not wait" in next(
        one.sentence for one in judgement.reasons if one.rule is Rule.DELAY
    )
    worse = parse("Sintel.2010.1080p.WEB-DL")
    waits = judge(found, worse, NOBODY, policy, runtime_minutes=15, now=NOW)
    assert rules(waits) == {Rule.DELAY}


def test_a_disc_that_nobody_encoded_is_refused_and_a_remux_is_none() -> None:
    disc = judged("Sintel.2010.1080p.COMPLETE.BLURAY-GRP")
    assert (rules(disc), token(disc, Rule.MODIFIER)) == ({Rule.MODIFIER}, "disc")
    assert judged("Sintel.2010.1080p.BluRay.REMUX.AVC-GRP").accepted
    assert judged(
        "Sintel.2010.1080p.COMPLETE.BLURAY", AcquisitionPolicy(refused_modifiers=())
    ).accepted


def test_a_pack_is_refused_while_an_episode_of_it_is_still_to_air() -> None:
    def pack(last: date) -> Judgement:
        season = Season(
            1, 2024, 2, (Episode(1, air_date=date(2024, 4, 1)), Episode(2, air_date=last))
        )
        work = replace(PIONEER, seasons=(season,))
        name = parse("Pioneer.One.S01.1080p.WEB-DL")
        found = replace(OFFER, title=name.text)
        return judge(
            found, name, Identity(Grade.A, work), AcquisitionPolicy(), runtime_minutes=None, now=NOW
        )

    early = pack(date(2024, 5, 9))
    assert rules(early) == {Rule.UNAIRED}
    assert early.rejections[0].temporary
    assert "2024-05-09" in early.rejections[0].sentence
    assert pack(date(2024, 5, 2)).accepted
