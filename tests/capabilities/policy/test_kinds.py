from typing import get_args

import pytest

from capabilities.policy.kinds import AnyPolicy, PolicyKind, policy_of
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.problems import UnsatisfiableError

FORMS: dict[PolicyKind, AnyPolicy] = {
    "acquisition": AcquisitionPolicy(),
    "identity": IdentityPolicy(),
    "organize": OrganizePolicy(),
    "automation": AutomationPolicy(),
}


def test_an_empty_body_of_every_kind_is_what_a_new_home_has() -> None:
    assert {kind: policy_of(kind, {}) for kind in get_args(PolicyKind)} == FORMS


@pytest.mark.parametrize("kind", FORMS)
def test_a_field_that_a_kind_does_not_have_is_named(kind: PolicyKind) -> None:
    with pytest.raises(UnsatisfiableError, match="colour"):
        policy_of(kind, {"colour": "red"})
