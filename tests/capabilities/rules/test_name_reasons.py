import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.reasons import Rule
from tests.capabilities.rules.verdict_of import judged, rules, token


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


def test_a_disc_that_nobody_encoded_is_refused_and_a_remux_is_none() -> None:
    disc = judged("Sintel.2010.1080p.COMPLETE.BLURAY-GRP")
    assert (rules(disc), token(disc, Rule.MODIFIER)) == ({Rule.MODIFIER}, "disc")
    assert judged("Sintel.2010.1080p.BluRay.REMUX.AVC-GRP").accepted
    assert judged(
        "Sintel.2010.1080p.COMPLETE.BLURAY", AcquisitionPolicy(refused_modifiers=())
    ).accepted


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


def test_scores_add_up_and_can_be_too_low() -> None:
    group = Condition(ConditionKind.GROUP, "grp")
    hdr = Condition(ConditionKind.DYNAMIC_RANGE, "hdr10")
    formats = (CustomFormat("good group", (group,), 50), CustomFormat("hdr", (hdr,), -20))
    policy = AcquisitionPolicy(formats=formats, least_score=40)
    assert judged("Sintel.2010.1080p.BluRay-GRP", policy).score == 50
    both = judged("Sintel.2010.1080p.HDR.BluRay-GRP", policy)
    assert both.score == 30
    assert (rules(both), token(both, Rule.SCORE)) == ({Rule.SCORE}, "30")


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
