"""The four kinds of policy, each with the form of its body."""

from collections.abc import Mapping
from typing import Any, Literal, assert_never

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import from_json

PolicyKind = Literal["acquisition", "identity", "organize", "automation"]
AnyPolicy = AcquisitionPolicy | IdentityPolicy | OrganizePolicy | AutomationPolicy


def policy_of(kind: PolicyKind, body: Mapping[str, Any]) -> AnyPolicy:
    """The policy that a body describes; fields it lacks keep their default.

    Raises:
        UnsatisfiableError: it is none, or nothing can meet it; all that is wrong is in it.
    """
    match kind:
        case "acquisition":
            return from_json(AcquisitionPolicy, body)
        case "identity":
            return from_json(IdentityPolicy, body)
        case "organize":
            return from_json(OrganizePolicy, body)
        case "automation":
            return from_json(AutomationPolicy, body)
        case _:
            assert_never(kind)
