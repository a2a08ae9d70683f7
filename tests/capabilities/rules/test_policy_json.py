from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from capabilities.rules.policy_json import from_json, to_json
from capabilities.rules.tiers import Tier
from capabilities.rules.works import WorkKind


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


def condition(value: str, *, negate: bool = False) -> Condition:
    return Condition(ConditionKind.RESOLUTION, value, negate=negate, required=True)


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
                  "undelayed_top_tier", "undelayed_score", "patience", "seeding"):  # fmt: skip
        del body[later]
    assert from_json(AcquisitionPolicy, body) == AcquisitionPolicy(least_seeders=3)
    automation = {"acquire": True, "upgrade": False, "organize": True, "replace": False}
    assert from_json(AutomationPolicy, automation).acquire


def test_fields_that_json_lacks_keep_their_default() -> None:
    assert from_json(AcquisitionPolicy, {"least_seeders": 3}) == AcquisitionPolicy(least_seeders=3)
