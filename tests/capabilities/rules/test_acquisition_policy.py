from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.tiers import SizeRule, Tier
from capabilities.rules.works import WorkKind

HAS_GROUP = Condition(ConditionKind.GROUP, "GRP")
HD = Tier("hd", (Resolution.P1080,), (Source.BLURAY, Source.WEB_DL))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tiers": (), "upgrade_until": None}, "without quality tiers"),
        ({"tiers": (HD, HD), "upgrade_until": None}, "two tiers"),
        ({"tiers": (Tier("", (None,), (None,)),), "upgrade_until": None}, "lacks a name"),
        ({"tiers": (Tier("x", (), (None,)),), "upgrade_until": None}, "lacks a name"),
        ({"tiers": (Tier("x", (None,), (Source.CAM,)),), "upgrade_until": None}, "is refused"),
        ({"tiers": (Tier("x", (None,), (None,), 9, 3),), "upgrade_until": None}, "must rise"),
        ({"tiers": (HD,), "upgrade_until": "4K"}, "none of the tiers"),
        pytest.param({"required_tokens": ("4K", "1080p", "720p")}, "two values of resolution",
                     id="SUB-15 one rule asks 4K and 1080p and 720p"),
        pytest.param({"sizes": (SizeRule("Gone", WorkKind.FILM, 5),)}, "which does not exist",
                     id="SUB-19f a rule that names what was deleted"),
        ({"sizes": (SizeRule("720p", WorkKind.FILM, 9, 3),)}, "must rise"),
        ({"sizes": 2 * (SizeRule("720p", WorkKind.FILM),)}, "two sizes"),
        ({"least_gain": 0}, "least_gain: every release"),
        ({"most_download_factor": 1.5}, "share of a download"),
        ({"most_download_factor": 0.5, "free_leech_only": True}, "says nothing"),
        ({"undelayed_score": 5}, "more than the formats reach"),
        ({"formats": (CustomFormat("x", (Condition(ConditionKind.SOURCE, "tape"),), 1),)},
         "nothing a name can say"),
        ({"formats": (CustomFormat("x", (Condition(ConditionKind.PATTERN, "("),), 1),)},
         "no regular expression"),
        ({"formats": (CustomFormat("x", (Condition(ConditionKind.YEAR, "1999"),), 1),)},
         "is no range"),
        ({"formats": (CustomFormat("x", (Condition(ConditionKind.WORDS, "--"),), 1),)},
         "hits nothing"),
        ({"formats": (CustomFormat("x", (HAS_GROUP,), 1), CustomFormat("x", (HAS_GROUP,), 2))},
         "two formats"),
        ({"required_tokens": ("x264", "HEVC")}, "two values of video_codec"),
        ({"required_tokens": ("4320p",)}, "no tier holds it"),
        ({"required_tokens": ("HDCAM",)}, "refused or no tier"),
        ({"required_tokens": ("web",), "tiers": (HD,), "upgrade_until": None,
          "refused_sources": (Source.WEB_DL,)}, "refused or no tier"),
        ({"required_tokens": ("--",)}, "no letters or digits"),
        ({"refused_tokens": ("",)}, "no letters or digits"),
        ({"required_tokens": ("WEB-DL",), "refused_tokens": ("web",)}, "required and refused"),
        ({"required_groups": ("A", "b"), "refused_groups": ("a", "B")}, "required and refused"),
        ({"required_languages": ("de",), "refused_languages": ("de",)}, "required and refused"),
        ({"least_score": 10}, "the formats reach 0"),
        ({"formats": (CustomFormat("x", (), 1),)}, "lacks a name or a condition"),
        ({"least_seeders": -1}, "must not be negative"),
        ({"delay_minutes": 3000, "most_age_days": 2}, "too old before the delay ends"),
    ],
)  # fmt: skip
def test_what_nothing_can_meet_is_refused_when_built(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        AcquisitionPolicy(**changes)


def test_all_that_is_wrong_is_told_at_once_with_its_cure() -> None:
    with pytest.raises(UnsatisfiableError) as wrong:
        AcquisitionPolicy(tiers=(HD,), upgrade_until="4K", least_score=9, least_seeders=-1)
    problems = wrong.value.problems
    assert [one.field for one in problems] == ["upgrade_until", "least_score", "least_seeders"]
    assert problems[0].cure == "name one of hd"
    assert all(one.why and one.cure for one in problems)


def condition(value: str, *, negate: bool = False) -> Condition:
    return Condition(ConditionKind.RESOLUTION, value, negate=negate, required=True)


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ((condition("1080p"), condition("720p")), "two values of resolution"),
        ((condition("1080p"), condition("1080p", negate=True)), "and its absence"),
    ],
)
def test_a_format_that_nothing_can_have_is_refused(
    conditions: tuple[Condition, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        AcquisitionPolicy(formats=(CustomFormat("odd", conditions, 5),))


def test_what_can_be_met_is_accepted() -> None:
    policy = AcquisitionPolicy(
        required_tokens=("1080p", "web"),
        required_groups=("A", "B"),
        refused_groups=("A",),
        formats=(CustomFormat("x", (condition("1080p"), condition("720p", negate=True)), 5),),
        least_score=5,
        delay_minutes=60,
        most_age_days=30,
    )
    assert policy.least_score == 5
