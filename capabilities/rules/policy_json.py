"""Policies as JSON objects, as they are stored, exported and edited by hand."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.problems import Problem, UnsatisfiableError

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
        UnsatisfiableError: an unknown field, a value of the wrong form, or a policy that nothing
            can meet; all that is wrong is in it.
    """
    try:
        document = _document(kind).model_validate({"policy": dict(body)})
    except ValidationError as error:
        raise UnsatisfiableError(_problems(error)) from None
    return vars(document)["policy"]


def identity_in_force(body: Mapping[str, Any] | None) -> IdentityPolicy:
    """The identity policy that is published; that of a new home where none is.

    Raises:
        UnsatisfiableError: as `from_json`.
    """
    return IdentityPolicy() if body is None else from_json(IdentityPolicy, body)


def _problems(error: ValidationError) -> Iterator[Problem]:
    for one in error.errors(include_url=False, include_input=False):
        inside = one.get("ctx", {}).get("error")
        if isinstance(inside, UnsatisfiableError):
            yield from inside.problems
        else:
            place = ".".join(str(part) for part in one["loc"][1:])
            yield Problem(
                place, one["msg"].removeprefix("Value error, "), "correct it, or leave it out"
            )
