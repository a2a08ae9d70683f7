"""What publishing an automation policy grants: each grant lasts as long as its version."""

from collections.abc import Iterator, Mapping
from typing import Any

from capabilities.policy.kinds import AnyPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from ledger.stores.grants import NewGrant, Scope, Terms

AUTOMATION = "automation"
GB = 1_000_000_000


def grants_of(policy: AnyPolicy, version: int) -> Iterator[NewGrant]:
    """The grants that a policy comes to; only one about automation comes to any."""
    if not isinstance(policy, AutomationPolicy):
        return
    if policy.acquire:
        size = policy.gigabytes_per_day
        terms = Terms(
            Scope(),
            policy.downloads_per_day,
            None if size is None else size * GB,
            may_replace=policy.upgrade,
            expires_at=None,
        )
        yield _grant("download.submit", terms, version)
    if policy.organize:
        terms = Terms(Scope(), None, None, may_replace=policy.replace, expires_at=None)
        yield _grant("organize.execute", terms, version)


def _grant(action: str, terms: Terms, version: int) -> NewGrant:
    note = f"made by version {version} of the automation policy"
    return NewGrant(action, terms, note, AUTOMATION, version)


def told(grant: NewGrant) -> str:
    """What a grant allows, for a person."""
    terms = grant.terms
    parts = [grant.action]
    if terms.calls_per_day is not None:
        parts.append(f"at most {terms.calls_per_day} a day")
    if terms.bytes_per_day is not None:
        parts.append(f"at most {terms.bytes_per_day / GB:g} GB a day")
    parts.append("also what replaces files" if terms.may_replace else "replacing nothing")
    return ", ".join(parts)


def document(grant: NewGrant) -> Mapping[str, Any]:
    """As a plan holds it."""
    return {
        "action": grant.action,
        "scope": grant.terms.scope.document(),
        "calls_per_day": grant.terms.calls_per_day,
        "bytes_per_day": grant.terms.bytes_per_day,
        "may_replace": grant.terms.may_replace,
    }
