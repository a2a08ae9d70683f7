from typing import Any

import pytest

from capabilities.rules.evidence import Grade
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.policy import (
    AcquisitionPolicy,
    AutomationPolicy,
    IdentityPolicy,
    LibraryRoot,
    OrganizeMode,
    OrganizePolicy,
)
from capabilities.rules.policy_json import from_json, to_json
from capabilities.rules.tiers import Tier, improves, place_of
from capabilities.rules.works import WorkKind

HD = Tier("hd", (Resolution.P1080,), (Source.BLURAY, Source.WEB_DL))


def test_version_one_of_each_policy_is_what_the_design_says() -> None:
    acquisition = AcquisitionPolicy()
    assert acquisition.least_seeders == 1
    assert acquisition.tiers[0].resolutions == (Resolution.P1080,)
    assert {Source.CAM, Source.TELESYNC, Source.TELECINE, Source.SCREENER} <= set(
        acquisition.refused_sources
    )
    assert IdentityPolicy().accepted == (Grade.A, Grade.B)
    assert OrganizePolicy().mode is OrganizeMode.HARDLINK
    assert OrganizePolicy().root_of(WorkKind.SERIES) == "series"
    assert not any(to_json(AutomationPolicy()).values())


def test_upgrades_end_at_1080p() -> None:
    policy = AcquisitionPolicy()
    best = place_of(policy.tiers, Resolution.P1080, Source.BLURAY)
    web = place_of(policy.tiers, Resolution.P1080, Source.WEB_DL)
    uhd = place_of(policy.tiers, Resolution.P2160, Source.BLURAY)
    assert best is not None
    assert web is not None
    assert uhd is not None
    assert improves(policy.tiers, policy.upgrade_until, held=web, offered=best)
    assert not improves(policy.tiers, policy.upgrade_until, held=best, offered=uhd)
    assert not improves(policy.tiers, policy.upgrade_until, held=web, offered=uhd)
    assert not improves(policy.tiers, policy.upgrade_until, held=web, offered=web)
    assert not improves(policy.tiers, None, held=web, offered=best)


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
        ({"required_tokens": ("4K", "1080p", "720p")}, "two values of resolution"),
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


@pytest.mark.parametrize(
    "roots",
    [
        (LibraryRoot(WorkKind.FILM, "films"),),
        (LibraryRoot(WorkKind.FILM, "a"), LibraryRoot(WorkKind.FILM, "b")),
        (LibraryRoot(WorkKind.FILM, "../films"), LibraryRoot(WorkKind.SERIES, "series")),
        (LibraryRoot(WorkKind.FILM, ""), LibraryRoot(WorkKind.SERIES, "series")),
        (LibraryRoot(WorkKind.FILM, "/a//b"), LibraryRoot(WorkKind.SERIES, "series")),
    ],
)
def test_library_roots_are_one_clean_path_per_kind(roots: tuple[LibraryRoot, ...]) -> None:
    with pytest.raises(ValueError, match="root"):
        OrganizePolicy(roots=roots)


@pytest.mark.parametrize(
    "policy",
    [
        AcquisitionPolicy(),
        AcquisitionPolicy(
            tiers=(Tier("any", (None, Resolution.P1080), (None, Source.REMUX), 1, 3, 2),),
            upgrade_until=None,
            required_tokens=("1080p",),
            refused_languages=("de",),
            formats=(CustomFormat("x", (condition("1080p"),), -5),),
            most_age_days=9,
        ),
        IdentityPolicy((Grade.A,)),
        OrganizePolicy(mode=OrganizeMode.COPY),
        AutomationPolicy(acquire=True),
    ],
)
def test_a_policy_survives_its_json(
    policy: AcquisitionPolicy | IdentityPolicy | OrganizePolicy | AutomationPolicy,
) -> None:
    body = to_json(policy)
    match policy:
        case AcquisitionPolicy():
            assert from_json(AcquisitionPolicy, body) == policy
        case IdentityPolicy():
            assert from_json(IdentityPolicy, body) == policy
        case OrganizePolicy():
            assert from_json(OrganizePolicy, body) == policy
        case AutomationPolicy():
            assert from_json(AutomationPolicy, body) == policy


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"colour": "red"}, "colour: Unexpected keyword argument"),
        ({"tiers": [{"name": "x", "resolutions": [None], "sources": [None], "y": 1}]}, "y: Unex"),
        ({"refused_sources": ["tape"]}, "refused_sources.0: Input should be"),
        ({"least_score": 10}, "a score of 10 is required, the formats reach 0"),
    ],
)
def test_json_that_is_no_policy_is_refused_in_a_sentence(body: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_json(AcquisitionPolicy, body)


def test_fields_that_json_lacks_keep_their_default() -> None:
    assert from_json(AcquisitionPolicy, {"least_seeders": 3}) == AcquisitionPolicy(least_seeders=3)
