"""Draft a policy, and tell what it would change before anybody publishes it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from anyio import to_thread
from pydantic import BaseModel, BeforeValidator, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.policy.automation_grants import grants_of, told
from capabilities.policy.bodies import Import, merged, parsed, savable, with_formats
from capabilities.policy.consequences import Consequences
from capabilities.policy.differences import ChangeFacts, differences
from capabilities.policy.drafts import Draft, card_of, keep, plan_of, refuse_anothers
from capabilities.policy.kinds import AnyPolicy, PolicyKind, policy_of
from capabilities.policy.outlook import Basis, basis, outlook
from capabilities.policy.renaming import Renaming
from capabilities.policy.rereading import Rereading
from capabilities.rules.arr_numbers import App
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy_json import to_json
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.trash_import import Imported
from ledger.database import Snapshot
from ledger.stores import grants, policies
from ledger.stores.grants import Grant
from ledger.stores.policies import PolicyRow, PolicyState

LONGEST_BODY = 200_000
LONGEST_FORMATS = 600_000
MOST_CHANGES = 20
MOST_NAMED = 15


def _as_text(given: Any) -> Any:
    """Take an object where its JSON text is wanted: some clients send it so."""
    return json.dumps(given) if isinstance(given, dict | list) else given


class Input(BaseModel, extra="forbid"):
    """A kind, and one of policy, patch and from_version; formats alone or with one of them."""

    kind: Annotated[PolicyKind, Field(description="Which policy.")]
    policy: Annotated[
        str | None,
        BeforeValidator(_as_text),
        Field(description="The whole policy, a JSON object.", max_length=LONGEST_BODY),
    ] = None
    patch: Annotated[
        str | None,
        BeforeValidator(_as_text),
        Field(
            description="Fields to change in the published one, a JSON object; null is default.",
            max_length=LONGEST_BODY,
        ),
    ] = None
    from_version: Annotated[
        int | None, Field(description="Go back to this earlier version.", ge=1, le=1_000_000)
    ] = None
    formats: Annotated[
        str | None,
        BeforeValidator(_as_text),
        Field(
            description="Custom formats to add: JSON exported by Radarr, Sonarr, or a guide.",
            max_length=LONGEST_FORMATS,
        ),
    ] = None
    app: Annotated[App | None, Field(description="Whose numbers the formats are in.")] = None
    scores: Annotated[
        str, Field(description="Which score set of the guide counts.", max_length=60)
    ] = "default"


class ImportFacts(BaseModel):
    """What came of the formats; those left out are named with the reason."""

    formats: int
    left_out: list[str]
    left_out_in_all: int
    unscored: list[str]
    unscored_left_out: int


class Output(BaseModel):
    """A draft: nothing is in force before it is published with policy__apply."""

    plan: str
    revision: int
    payload_hash: str
    kind: PolicyKind
    version: int
    base_version: int
    changes: list[ChangeFacts]
    changes_left_out: int
    consequences: Consequences | None
    rereading: Rereading | None
    renaming: Renaming | None
    grants_made: list[str]
    grants_lapsing: list[str]
    grants_lapsing_left_out: int
    imported: ImportFacts | None
    requires_approval: bool


@capability(
    "policy.preview",
    version=1,
    title="Draft a policy",
    kind=Kind.PREVIEW,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.CALL,  # what it would change depends on what is known by then
    scope="plan",
    toolset=Toolset.ADMIN,
    use_when="Draft a change of a policy and see what it would do: known releases accepted, "
    "rejected or identified differently, library items that could be upgraded, names of files, "
    "grants made and lapsing. Rules that nothing can meet are refused with the field and the cure.",
    not_when="Nothing is in force before policy__apply. To read a policy use policy__inspect.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=40,
    example={"kind": "acquisition", "patch": '{"least_seeders": 3}'},
)
async def preview(given: Input, context: Context) -> Outcome[Output]:
    """Validate the draft, compare it with the published version, and keep it."""
    there = await context.ledger.read(lambda conn: _there(conn, given, context))
    policy, imported = await to_thread.run_sync(_drafted, given, there)
    body, before = to_json(policy), await to_thread.run_sync(_published, there)
    changes = differences(_whole(before, there), body)
    if not changes:
        return _nothing_new(there.published, imported)
    found = await to_thread.run_sync(outlook, there.basis, before, policy, there.now)
    granted = list(grants_of(policy, there.version))
    draft = Draft(
        kind=given.kind,
        body=body,
        version=there.version,
        base_version=there.published.version,
        from_version=given.from_version,
        grants=granted,
        lapsing=there.lapsing,
    )
    plan = plan_of(draft, card_of(draft, changes, found.lines(), context), context)
    context.stage(lambda tx: keep(tx, context, draft, plan))
    (reference,) = await context.refer("plan", plan.id)
    output = Output(
        plan=reference,
        revision=plan.revision,
        payload_hash=plan.payload_hash,
        kind=given.kind,
        version=there.version,
        base_version=there.published.version,
        changes=changes[:MOST_CHANGES],
        changes_left_out=max(0, len(changes) - MOST_CHANGES),
        consequences=found.consequences,
        rereading=found.rereading,
        renaming=found.renaming,
        grants_made=[told(grant) for grant in granted],
        grants_lapsing=[grant.action for grant in there.lapsing[:MOST_NAMED]],
        grants_lapsing_left_out=max(0, len(there.lapsing) - MOST_NAMED),
        imported=None if imported is None else _facts(imported),
        requires_approval=not context.actor.decides,
    )
    return Succeeded(output, f"Drafted: {plan.card['title']}. Nothing is in force yet.")


@dataclass(frozen=True, slots=True)
class _There:
    """What is there already, read in one go."""

    kind: PolicyKind
    published: PolicyRow
    version: int
    earlier: PolicyRow | None
    lapsing: Sequence[Grant]
    basis: Basis
    now: datetime


def _there(conn: Snapshot, given: Input, context: Context) -> _There:
    published = policies.published(conn, given.kind)
    if published is None:
        raise HaltError(Refused(Code.PRECONDITION, f"No {given.kind} policy is published."))
    number, earlier = given.from_version, None
    if number is not None:
        earlier = policies.version_of(conn, given.kind, number)
        if earlier is None or earlier.state == PolicyState.DRAFT:
            sentence = f"There is no version {number} of the {given.kind} policy to go back to."
            raise HaltError(Refused(Code.NOT_FOUND, sentence, {"do": "See policy__inspect."}))
    refuse_anothers(conn, given.kind, context)
    return _There(
        kind=given.kind,
        published=published,
        version=policies.next_version(conn, given.kind),
        earlier=earlier,
        lapsing=grants.bound_to(conn, given.kind, published.version),
        basis=basis(conn, given.kind),
        now=context.ledger.now(),
    )


def _drafted(given: Input, there: _There) -> tuple[AnyPolicy, Imported | None]:
    named = [each for each in (given.policy, given.patch, given.from_version) if each is not None]
    if len(named) > 1 or not (named or given.formats is not None):
        raise _invalid("Give one of policy, patch and from_version, or formats.")
    if (given.formats is None) != (given.app is None):
        raise _invalid("Formats and app go together: radarr or sonarr.")
    body = there.published.body
    if given.policy is not None:
        body = parsed(given.policy, "policy")
    elif given.patch is not None:
        body = merged(body, parsed(given.patch, "patch"))
    elif there.earlier is not None:
        body = there.earlier.body
    policy = savable(given.kind, body)
    if given.formats is None or given.app is None:
        return policy, None
    body, imported = with_formats(policy, Import(given.formats, given.app, given.scores))
    return savable(given.kind, body), imported


def _published(there: _There) -> AnyPolicy | UnsatisfiableError:
    """What is in force, or why it cannot be: a draft is the way out of that."""
    try:
        return policy_of(there.kind, there.published.body)
    except UnsatisfiableError as wrong:
        return wrong


def _whole(before: AnyPolicy | UnsatisfiableError, there: _There) -> Mapping[str, Any]:
    return there.published.body if isinstance(before, UnsatisfiableError) else to_json(before)


def _nothing_new(published: PolicyRow, imported: Imported | None) -> Refused:
    left_out = [] if imported is None else _facts(imported).left_out
    return Refused(
        Code.PRECONDITION,
        f"The draft says what version {published.version} says already. Nothing was drafted.",
        {"published": published.version, "left_out": left_out},
    )


def _facts(imported: Imported) -> ImportFacts:
    left_out = imported.left_out
    return ImportFacts(
        formats=len(imported.formats),
        left_out=[cleaned(f"{one.name}: {one.why}", 240) for one in left_out[:MOST_NAMED]],
        left_out_in_all=len(left_out),
        unscored=[cleaned(name, 80) for name in imported.unscored[:MOST_NAMED]],
        unscored_left_out=max(0, len(imported.unscored) - MOST_NAMED),
    )


def _invalid(sentence: str) -> HaltError:
    example = {"kind": "acquisition", "patch": '{"least_seeders": 3}'}
    return HaltError(Refused(Code.INVALID_INPUT, sentence, {"example": example}))
