"""Policies as JSON, as they are stored, exported and edited by hand."""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, from_json as json_value

from capabilities.rules.policy import (
    AcquisitionPolicy,
    AutomationPolicy,
    IdentityPolicy,
    OrganizePolicy,
)

PolicyT = TypeVar(
    "PolicyT", AcquisitionPolicy, IdentityPolicy, OrganizePolicy, AutomationPolicy
)


class _Document(BaseModel, Generic[PolicyT]):
    """A policy on its way in or out; what the policy does not know is refused at any depth."""

    model_config = ConfigDict(extra="forbid")

    policy: PolicyT


def to_json(policy: PolicyT) -> dict[str, Any]:
    """The policy as a JSON object with every field in it."""
    document = _Document[type(policy)](policy=policy)
    return document.model_dump(mode="json")["policy"]
