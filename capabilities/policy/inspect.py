"""Read a policy: what is in force, its versions, and what its formats make of a name."""

import json
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.policy.kinds import AnyPolicy, PolicyKind, policy_of
from capabilities.policy.policy_plan import drafted
from capabilities.policy.trial import TrialFacts, tried
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy_json import to_json
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.usable_policy import usable_identity
from ledger.database import Snapshot
from ledger.stores import blocklist, policies
from ledger.stores.plans import Plan
from ledger.stores.policies import PolicyRow, PolicyState

VERSIONS_SHOWN = 12
NAMES_SHOWN = 40
BODY_BYTES = 15_000
BODY_BYTES_BESIDE_TRIAL = 5_000


class Input(BaseModel, extra="forbid"):
    """Which policy; a version other than the published one, and a name to be tried."""

    kind: Annotated[PolicyKind, Field(description="Which policy.")]
    version: Annotated[
        int | None,
        Field(description="Another version than the published one.", ge=1, le=1_000_000),
    ] = None
    name: Annotated[
        str | None,
        Field(
            description="A release name, to see what an acquisition policy says of it.",
            max_length=300,
        ),
    ] = None
    format: Annotated[
        str | None,
        Field(description="Only this custom format, every condition of it.", max_length=200),
    ] = None


class VersionFacts(BaseModel):
    """One version; a draft has the plan that would publish it."""

    version: int
    state: PolicyState
    by: str | None
    created_at: datetime
    published_at: datetime | None
    from_version: int | None
    plan: str | None
    payload_hash: str | None


class Output(BaseModel):
    """A policy; parts that are too long for one answer are left out of its body by name.

    Attributes:
        card: of a draft, what its owner reads before publishing it.
    """

    kind: PolicyKind
    version: int
    state: PolicyState
    body: dict[str, Any]
    parts_left_out: list[str]
    versions: list[VersionFacts]
    versions_in_all: int
    trial: TrialFacts | None
    card: dict[str, Any] | None = None


@capability(
    "policy.inspect",
    version=1,
    title="Inspect a policy",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ADMIN,
    use_when="Read a policy and its versions, or try a release name on it: every rule that speaks, "
    "and every condition of its custom formats with the word it hit.",
    not_when="It changes nothing; draft a change with policy__preview.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=20,
    example={"kind": "acquisition"},
)
async def inspect(given: Input, context: Context) -> Outcome[Output]:
    """Read one version, and try the name where one is given."""
    row, rows, total, plan = await context.ledger.read(lambda conn: _read(conn, given))
    if row is None:
        wanted = "published version" if given.version is None else f"version {given.version}"
        return Failed(Code.NOT_FOUND, f"There is no {wanted} of the {given.kind} policy.")
    policy, wrong = await to_thread.run_sync(_held, given.kind, row)
    trial = None
    if given.name is not None and wrong is not None:
        return Refused(Code.PRECONDITION, f"No name can be tried on this version: {wrong}.")
    if given.name is not None and isinstance(policy, AcquisitionPolicy):
        at, identity = context.ledger.now(), await context.ledger.read(_identity)
        blocked = await context.ledger.read(lambda conn: blocklist.standing(conn, None))
        trying = partial(tried, blocked=blocked)
        trial = await to_thread.run_sync(
            trying, policy, given.name, given.format, at, identity.words
        )
    whole = dict(row.body) if policy is None else to_json(policy)
    body, left_out = _bounded(whole, BODY_BYTES if trial is None else BODY_BYTES_BESIDE_TRIAL)
    output = Output(
        kind=given.kind,
        version=row.version,
        state=PolicyState(row.state),
        body=body,
        parts_left_out=left_out,
        versions=[_facts(each, plan) for each in rows],
        versions_in_all=total,
        trial=trial,
        card=plan.card if plan is not None and row.state == PolicyState.DRAFT else None,
    )
    unusable = "" if wrong is None else f" It cannot be used: {wrong}."
    sentence = f"Version {row.version} of the {given.kind} policy, {row.state}.{unusable}"
    return Succeeded(output, sentence)


def _held(kind: PolicyKind, row: PolicyRow) -> tuple[AnyPolicy | None, str | None]:
    """The policy, or why it can be none any more: its owner must see it all the same."""
    try:
        return policy_of(kind, row.body), None
    except UnsatisfiableError as wrong:
        return None, cleaned(str(wrong), 300)


def _read(
    conn: Snapshot, given: Input
) -> tuple[PolicyRow | None, list[PolicyRow], int, Plan | None]:
    rows, total = policies.history(conn, given.kind, limit=VERSIONS_SHOWN)
    if given.version is None:
        row = policies.published(conn, given.kind)
    else:
        row = policies.version_of(conn, given.kind, given.version)
    return row, rows, total, drafted(conn, given.kind)


def _identity(conn: Snapshot) -> IdentityPolicy:
    return usable_identity(policies.published(conn, "identity"))


def _facts(row: PolicyRow, plan: Plan | None) -> VersionFacts:
    is_draft = row.state == PolicyState.DRAFT
    return VersionFacts(
        version=row.version,
        state=PolicyState(row.state),
        by=row.by,
        created_at=row.created_at,
        published_at=row.published_at,
        from_version=row.from_version,
        plan=plan.id if is_draft and plan is not None else None,
        payload_hash=plan.payload_hash if is_draft and plan is not None else None,
    )


def _bounded(held: dict[str, Any], room: int) -> tuple[dict[str, Any], list[str]]:
    """The body within ``room`` bytes: fields and formats that do not fit are named instead."""
    formats: list[dict[str, Any]] = held.pop("formats", [])
    body: dict[str, Any] = {}
    left_out: list[str] = []
    for field, part in held.items():
        if (room := room - _size(part)) >= 0:
            body[field] = part
        else:
            left_out.append(field)
    kept: list[dict[str, Any]] = []
    for custom in formats:
        if (room := room - _size(custom)) >= 0:
            kept.append(custom)
        else:
            left_out.append(cleaned(f"format {custom['name']} ({custom['score']:+d})", 60))
    if formats:
        body["formats"] = kept
    return body, left_out[:NAMES_SHOWN]


def _size(part: object) -> int:
    return len(json.dumps(part, ensure_ascii=False).encode())
