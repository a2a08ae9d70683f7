from dataclasses import replace

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.identity import grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.reasons import Rule
from capabilities.rules.verdicts import Circumstances, judge
from tests.capabilities.rules.shelf import PIONEER, SINTEL
from tests.capabilities.rules.verdict_of import MEGABYTE, NOBODY, OFFER, judged, rules, token


def test_an_ordinary_release_is_accepted_in_its_tier() -> None:
    judgement = judged("Sintel.2010.1080p.BluRay.x264-GRP")
    assert judgement.accepted
    assert (judgement.tier, judgement.place) == ("Blu-ray 1080p", 0)
    assert judgement.preferred_size == 80 * MEGABYTE * 15


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


def test_an_age_is_not_judged_without_a_clock() -> None:
    name = parse("Sintel.2010.1080p.BluRay")
    policy = AcquisitionPolicy(delay_minutes=60)
    with pytest.raises(ValueError, match="what time it is"):
        judge(OFFER, name, NOBODY, policy)


def test_a_contradicted_identity_is_refused_even_with_an_id() -> None:
    name = parse("Sintel.1998.1080p.BluRay")
    identity = grade(name, {"tmdb": "45745"}, [SINTEL])
    judgement = judge(
        replace(OFFER, title=name.text), name, identity, AcquisitionPolicy(), Circumstances(15)
    )
    assert (rules(judgement), token(judgement, Rule.IDENTITY)) == ({Rule.IDENTITY}, "year")


def test_filters_run_on_a_release_that_an_id_identified() -> None:
    name = parse("Sintel.2010.1080p.HDCAM")
    identity = grade(name, {"tmdb": "45745"}, [SINTEL])
    assert identity.grade is Grade.A
    judgement = judge(OFFER, name, identity, AcquisitionPolicy(), Circumstances(15))
    assert not judgement.accepted


def test_filters_run_on_a_release_that_only_an_id_points_at() -> None:
    """SUB-19d: it fails the HDR rule and matches by external id."""
    name = parse("Pioneer One S01E01 2160p NOW WEB-DL DDP5 1 Atmos H 265-FLUX")
    identity = grade(name, {"tmdb": "4711"}, [PIONEER])
    policy = AcquisitionPolicy(required_tokens=("HDR",))
    found = replace(OFFER, title=name.text, external_ids={"tmdb": "4711"})
    judgement = judge(found, name, identity, policy, Circumstances(40))
    assert identity.grade is Grade.A
    assert rules(judgement) == {Rule.REQUIRED}
