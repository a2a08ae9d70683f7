"""Policies as JSON objects, as they are stored, exported and edited by hand."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from capabilities.rules.policy import (
    AcquisitionPolicy,
    AutomationPolicy,
    IdentityPolicy,
    OrganizePolicy,
)

PolicyT = TypeVar("PolicyT", AcquisitionPolicy, IdentityPolicy, OrganizePolicy, AutomationPolicy)


@cache
def _document(kind: type[object]) -> type[BaseModel]:
    """A model around the policy, whose strictness reaches every dataclass inside."""
    strict = ConfigDict(extra="forbid")
    return create_model(f"{kind.__name__}Document", __config__=strict, policy=(kind, ...))


def to_json(
    policy: AcquisitionPolicy | IdentityPolicy | OrganizePolicy | AutomationPolicy,
) -> dict[str, Any]:
    """The policy as a JSON object with every field in it."""
    document = _document(type(policy)).model_validate({"policy": policy})
    return document.model_dump(mode="json")["policy"]


def from_json(kind: type[PolicyT], body: Mapping[str, Any]) -> PolicyT:
    """The policy that the object describes; fields it lacks keep their default.

    Raises:
        ValueError: an unknown field, a value of the wrong form, or a policy that nothing can meet;
            the message is one sentence per finding.
    """
    try:
        document = _document(kind).model_validate({"policy": dict(body)})
    except ValidationError as error:
        raise ValueError(_sentences(error)) from None
    return vars(document)["policy"]


def _sentences(error: ValidationError) -> str:
    lines: list[str] = []
    for one in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in one["loc"][1:])
        message = one["msg"].removeprefix("Value error, ")
        lines.append(f"{place}: {message}" if place else message)
    return "; ".join(lines)
