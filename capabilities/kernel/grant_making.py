"""The owner's grants: made, made smaller, withdrawn. Nobody makes one wider, the owner neither."""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from capabilities.kernel import switches
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.grant_terms import Shortening, invalid, refuse_empty, shortened
from capabilities.kernel.granting import left_of, matches, policy_holds
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Audience, Kind, Spec
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import audit, grants, policies, works
from ledger.stores.grants import Grant, NewGrant, Scope
from ledger.writer import Transaction


class GrantFacts(BaseModel):
    """A grant, and how its day stands; budgets are per UTC day, None is no limit.

    ``stands``: neither withdrawn nor expired, and the policy it is bound to is published still.
    """

    id: str
    action: str
    scope: dict[str, list[str]]
    calls_per_day: int | None
    bytes_per_day: int | None
    calls_left: int | None
    bytes_left: int | None
    renews_at: datetime
    may_replace: bool
    policy_kind: str | None
    policy_version: int | None
    note: str
    made_by: str
    created_at: datetime
    expires_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_by: str | None
    reason: str | None
    stands: bool


def facts_of(conn: Snapshot, grant: Grant, at: datetime) -> GrantFacts:
    """A grant as it is shown."""
    left = left_of(grant, grants.used(conn, grant.id, at), at)
    held: dict[str, Any] = {field.name: getattr(grant, field.name) for field in fields(grant)}
    return GrantFacts(
        **held,
        calls_left=left.calls,
        bytes_left=left.bytes,
        renews_at=left.renews_at,
        stands=grant.stands(at) and policy_holds(conn, grant),
    )


async def make(
    ledger: Ledger, specs: Iterable[Spec], new: NewGrant, *, by: Actor
) -> Outcome[GrantFacts]:
    """Record the owner's grant. Works may be named by id or by key; ids are kept."""
    grantable = grantable_by(specs, new.action)

    def write(tx: Transaction) -> Grant:
        at = ledger.now()
        _refuse_stranger(by)
        if (barred := switches.read_only(tx.conn)) is not None:
            raise HaltError(barred)
        _refuse_unfit(tx.conn, new, grantable, at)
        terms = replace(new.terms, scope=_with_ids(tx.conn, new.terms.scope))
        id_ = grants.add(tx, replace(new, terms=terms), str(by), at)
        return _noted(tx, ledger, id_, by, "grant made")

    return await _carried_out(ledger, write, "Granted.")


async def shorten(
    ledger: Ledger, id_: str, change: Shortening, *, by: Actor
) -> Outcome[GrantFacts]:
    """Make a grant smaller: an earlier end, smaller budgets, a narrower scope.

    What would make it wider in any part is refused as `denied`, and nothing of it is done.
    """

    def write(tx: Transaction) -> Grant:
        _refuse_stranger(by)
        at = ledger.now()
        before = _living(tx, id_, at)
        if change.expires_at is not None and change.expires_at <= at:
            raise invalid("To end a grant at once, withdraw it.")
        narrowed = change.scope
        if narrowed.works is not None:
            narrowed = _with_ids(tx.conn, narrowed)
        after = shortened(before.terms, replace(change, scope=narrowed))
        grants.set_terms(tx, id_, after)
        return _noted(tx, ledger, id_, by, "grant shortened")

    return await _carried_out(ledger, write, "Shortened.")


async def withdraw(ledger: Ledger, id_: str, *, by: Actor, reason: str) -> Outcome[GrantFacts]:
    """End a grant for ever. What was claimed under it before goes on."""

    def write(tx: Transaction) -> Grant:
        _refuse_stranger(by)
        at = ledger.now()
        _living(tx, id_, at)
        grants.withdraw(tx, id_, by=str(by), reason=reason, at=at)
        return _noted(tx, ledger, id_, by, "grant withdrawn")

    return await _carried_out(ledger, write, "Withdrawn.")


async def _carried_out(
    ledger: Ledger, write: Callable[[Transaction], Grant], said: str
) -> Outcome[GrantFacts]:
    def work(tx: Transaction) -> GrantFacts:
        return facts_of(tx.conn, write(tx), ledger.now())

    try:
        return Succeeded(await ledger.write(work), said)
    except HaltError as halt:
        return halt.outcome


def _noted(tx: Transaction, ledger: Ledger, id_: str, by: Actor, action: str) -> Grant:
    grant = _named(tx.conn, id_)
    summary = {
        "action": grant.action,
        "scope": grant.scope,
        "calls_per_day": grant.calls_per_day,
        "bytes_per_day": grant.bytes_per_day,
        "may_replace": grant.may_replace,
        "expires_at": None if grant.expires_at is None else grant.expires_at.isoformat(),
        "reason": grant.reason,
    }
    audit.write(tx, audit.Entry(ledger.now(), str(by), action, authority=id_, summary=summary))
    return grant


def grantable_by(specs: Iterable[Spec], action: str) -> frozenset[str]:
    """The capabilities that an action means and that a grant can allow at all."""
    return frozenset(
        spec.id
        for spec in specs
        if spec.kind in {Kind.PROPOSE, Kind.EXECUTE}
        and spec.audience is not Audience.PRIVATE
        and not spec.always_asks
        and matches(action, spec.id)
    )


def _refuse_stranger(by: Actor) -> None:
    if not by.decides:
        raise HaltError(
            Refused(Code.DENIED, "Only the signed-in owner grants anything.", {"who": "owner"})
        )


def _refuse_unfit(conn: Snapshot, new: NewGrant, grantable: frozenset[str], at: datetime) -> None:
    terms = new.terms
    if not grantable:
        raise invalid(f"No act that can be granted is called {new.action[:80]!r}.")
    strange = (terms.scope.capabilities or frozenset()) - grantable
    if strange:
        raise invalid(f"The action does not take in {min(strange)[:80]!r}.")
    if terms.expires_at is not None and terms.expires_at <= at:
        raise invalid("A grant cannot end before it begins.")
    refuse_empty(terms)
    _refuse_policy(conn, new)


def _refuse_policy(conn: Snapshot, new: NewGrant) -> None:
    if (new.policy_kind is None) != (new.policy_version is None):
        raise invalid("A policy is named by its kind and its version together.")
    if new.policy_kind is None:
        return
    published = policies.published(conn, new.policy_kind)
    if published is None or published.version != new.policy_version:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"Version {new.policy_version} of the policy {new.policy_kind[:40]!r} is not the "
                "published one. Nothing was granted.",
                {"published": None if published is None else published.version},
            )
        )


def _with_ids(conn: Snapshot, scope: Scope) -> Scope:
    """The scope with every work by its id.

    Raises:
        HaltError: not found, naming the work that is unknown.
    """
    if scope.works is None:
        return scope
    ids: set[str] = set()
    for named in scope.works:
        work = works.by_id(conn, named) or works.by_key(conn, named)
        if work is None:
            raise HaltError(Refused(Code.NOT_FOUND, f"There is no work {named[:80]!r}."))
        ids.add(work.id)
    return replace(scope, works=frozenset(ids))


def _living(tx: Transaction, id_: str, at: datetime) -> Grant:
    grant = _named(tx.conn, id_)
    if not grant.stands(at):
        how = "expired" if grant.withdrawn_at is None else "withdrawn"
        raise HaltError(
            Refused(
                Code.CONFLICT,
                f"This grant is {how} already. Nothing was changed.",
                {"withdrawn_by": grant.withdrawn_by, "reason": grant.reason},
            )
        )
    return grant


def _named(conn: Snapshot, id_: str) -> Grant:
    grant = grants.by_id(conn, id_)
    if grant is None:
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such grant."))
    return grant
