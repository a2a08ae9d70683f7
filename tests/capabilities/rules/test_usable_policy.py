from dataclasses import dataclass
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import to_json
from capabilities.rules.usable_policy import usable, usable_identity


def refused(kind: Any, body: dict[str, Any]) -> Refused:
    with pytest.raises(HaltError) as halted:
        usable(kind, body)
    outcome = halted.value.outcome
    assert isinstance(outcome, Refused)
    return outcome


def test_a_policy_that_can_be_used_is_read() -> None:
    assert usable(AcquisitionPolicy, {"least_seeders": 3}) == AcquisitionPolicy(least_seeders=3)
    assert usable(OrganizePolicy, to_json(OrganizePolicy())) == OrganizePolicy()


@pytest.mark.parametrize(
    ("kind", "body", "told"),
    [
        (AcquisitionPolicy, {"least_seeders": -1}, "The acquisition policy"),
        (OrganizePolicy, {"roots": []}, "The organize policy"),
        (AutomationPolicy, {"upgrade": True}, "The automation policy"),
        (IdentityPolicy, {"accepted": ["Z"]}, "The identity policy"),
    ],
)
def test_one_that_cannot_be_used_is_refused_with_its_fault_and_the_way_out(
    kind: Any, body: dict[str, Any], told: str
) -> None:
    outcome = refused(kind, body)
    assert outcome.code is Code.PRECONDITION
    assert outcome.sentence.startswith(f"{told} in force cannot be used: {next(iter(body))}")
    assert outcome.needs == {
        "do": "Publish one that can be, with policy__preview and policy__apply."
    }


def test_however_much_is_wrong_the_refusal_stays_short() -> None:
    outcome = refused(AcquisitionPolicy, {f"field{n}": n for n in range(500)})
    assert len(outcome.sentence) < 400


@dataclass(frozen=True)
class Kept:
    body: dict[str, Any]


def test_the_published_identity_policy_is_read() -> None:
    assert usable_identity(Kept({"accepted": ["A"]})).accepted == (Grade.A,)


def test_without_a_published_identity_policy_that_of_a_new_home_counts() -> None:
    assert usable_identity(None) == IdentityPolicy()
    with pytest.raises(HaltError) as halted:
        usable_identity(Kept({"accepted": ["Z"]}))
    assert isinstance(halted.value.outcome, Refused)
    assert "The identity policy in force cannot be used: accepted" in halted.value.outcome.sentence
