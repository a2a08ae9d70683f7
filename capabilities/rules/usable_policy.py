"""A policy in force, for whoever acts by it: usable, or the refusal that says what to do."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy_json import PolicyT, from_json, identity_in_force
from capabilities.rules.problems import UnsatisfiableError

LONGEST_WHY: Final = 300
_NAMES: Final[Mapping[type[object], str]] = {
    AcquisitionPolicy: "acquisition",
    IdentityPolicy: "identity",
    OrganizePolicy: "organize",
    AutomationPolicy: "automation",
}


def usable(kind: type[PolicyT], body: Mapping[str, Any]) -> PolicyT:
    """The policy that a published body describes.

    Raises:
        HaltError: precondition; nothing can be done by it, e.g. since it was written by another
            version of Matinee. It says why, and that another one has to be published.
    """
    try:
        return from_json(kind, body)
    except UnsatisfiableError as wrong:
        raise _unusable(_NAMES[kind], wrong) from wrong


class Published(Protocol):
    """A published version, as it is kept."""

    @property
    def body(self) -> Mapping[str, Any]:
        """What it says."""
        ...


def usable_identity(published: Published | None) -> IdentityPolicy:
    """The identity policy that is in force; that of a new home where none is published.

    Raises:
        HaltError: as `usable`.
    """
    try:
        return identity_in_force(None if published is None else published.body)
    except UnsatisfiableError as wrong:
        raise _unusable("identity", wrong) from wrong


def _unusable(kind: str, wrong: UnsatisfiableError) -> HaltError:
    sentence = f"The {kind} policy in force cannot be used: {cleaned(str(wrong), LONGEST_WHY)}."
    needs = {"do": "Publish one that can be, with policy__preview and policy__apply."}
    return HaltError(Refused(Code.PRECONDITION, sentence, needs))
