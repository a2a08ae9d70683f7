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
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.tiers import SizeRule, Tier
from capabilities.rules.works import WorkKind

HAS_GROUP = Condition(ConditionKind.GROUP, "GRP")
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


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"upgrade": True}, "upgrade"),
        ({"replace": True}, "replace"),
        ({"downloads_per_day": 3}, "downloads_per_day"),
        ({"acquire": True, "gigabytes_per_day": 0}, "gigabytes_per_day"),
    ],
)
def test_automation_that_can_never_come_into_force_is_refused(
    changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(UnsatisfiableError, match=f"^{field}: "):
        AutomationPolicy(**changes)


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


def test_a_media_server_is_given_time_to_see_a_file() -> None:
    assert OrganizePolicy().seen_within_minutes == 60
    assert OrganizePolicy(seen_within_minutes=1).seen_within_minutes == 1
    with pytest.raises(ValueError, match="seen_within_minutes"):
        OrganizePolicy(seen_within_minutes=0)


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


def test_a_body_of_the_first_version_is_read_as_it_was_written() -> None:
    body = to_json(AcquisitionPolicy(least_seeders=3))
    for later in ("upgrade_until_score", "least_gain", "propers", "sizes", "most_download_factor",
                  "undelayed_top_tier", "undelayed_score"):  # fmt: skip
        del body[later]
    assert from_json(AcquisitionPolicy, body) == AcquisitionPolicy(least_seeders=3)
    automation = {"acquire": True, "upgrade": False, "organize": True, "replace": False}
    assert from_json(AutomationPolicy, automation).acquire


def test_fields_that_json_lacks_keep_their_default() -> None:
    assert from_json(AcquisitionPolicy, {"least_seeders": 3}) == AcquisitionPolicy(least_seeders=3)


@pytest.mark.parametrize(
    ("accepted", "said"),
    [
        (["A", "D"], ["grade D means several works"]),
        (["D", "E", "D"], ["grade D means several works", "grade E points to no work"]),
    ],
)
def test_no_grade_is_accepted_at_which_there_is_no_single_work(
    accepted: list[str], said: list[str]
) -> None:
    with pytest.raises(UnsatisfiableError) as wrong:
        from_json(IdentityPolicy, {"accepted": accepted})
    told = wrong.value.problems
    assert [problem.field for problem in told] == ["accepted"] * len(said)
    assert all(problem.why.startswith(start) for problem, start in zip(told, said, strict=True))


def test_a_title_without_a_year_may_be_accepted() -> None:
    policy = from_json(IdentityPolicy, {"accepted": ["A", "B", "C"]})
    assert policy.accepted == (Grade.A, Grade.B, Grade.C)
