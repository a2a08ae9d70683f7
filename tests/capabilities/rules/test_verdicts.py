from dataclasses import replace
from datetime import UTC, datetime, timedelta
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
from capabilities.rules.tiers import Tier
from capabilities.rules.verdicts import Judgement, judge
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
        ((HEVC, AVC), "T.2020.1080p.WEB-DL.x265", 0),
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
