"""Settling what nobody knows: look at the world, then say what was seen."""

from dataclasses import replace
from datetime import timedelta

import svcs

from capabilities.kernel.actors import Actor
from capabilities.kernel.answers import recorded, settlement
from capabilities.kernel.claiming import settle_in
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import Spec
from capabilities.kernel.targets import Target, restored
from ledger.ledger import Ledger
from ledger.stores import claims, decisions
from ledger.stores.approvals import PlanPin
from ledger.stores.claims import NOT_DONE, Claim, ClaimState, Settlement
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from ledger.writer import Transaction

SETTLING = timedelta(minutes=1)
"""How long an act without a natural key may still arrive after it was sent."""


async def reconcile(ledger: Ledger, parts: svcs.Container, spec: Spec, claim: Claim) -> AnyOutcome:
    """Probe one unknown claim and settle it by what was found.

    Found in the world, whole or in part: adopted as if it had been answered, which carries to its
    end what was begun. Not there: failed, marked as verified undone and free to be tried again.
    Undecidable, or not to be carried on now: it stays unknown, and the owner gets one decision.
    Where doing it twice would be two acts, nothing is looked at before it had time to arrive.
    """
    target = _target_of(spec, claim)
    if target.natural_key is None and ledger.now() - claim.claimed_at < SETTLING:
        return recorded(claim)
    context = Context(
        # References in the answer must be good where the call came from.
        actor=Actor("system", "reconcile", claim.principal),
        ledger=ledger,
        parts=parts,
        request=claim.request,
        call_id=claim.call_id,
        run=claim.run,
        invocation=claim.id,
    )
    finding = await _look(spec, target, parts)
    match finding.verdict:
        case Verdict.APPLIED | Verdict.PARTLY:
            end = await _adopted(spec, target, finding, context)
        case Verdict.NOT_APPLIED:
            end = Settlement(
                ClaimState.FAILED,
                code=Code.UNAVAILABLE,
                sentence="It was interrupted; a look showed that it had not been done.",
                evidence={NOT_DONE: True, **finding.evidence},
            )
        case Verdict.CANNOT_TELL:
            end = _still_unknown(finding)
    end = replace(end, sentence=end.sentence or claim.sentence)
    if (end.state, end.evidence) == (claim.state, claim.evidence):
        return recorded(claim)

    def write(tx: Transaction) -> Claim:
        if settle_in(tx, ledger, claim, end, context):
            _tell_owner(tx, ledger, spec, claim, end)
        current = claims.by_id(tx.conn, claim.id)
        return current if current is not None else claim

    return recorded(await ledger.write(write))


def _target_of(spec: Spec, claim: Claim) -> Target:
    pin = None
    if claim.plan is not None and spec.plan is not None:
        pin = PlanPin(spec.plan, claim.plan, claim.plan_hash or "", claim.plan_revision or 0)
    return restored(claim.target or {"kind": "", "natural_key": None, "facts": {}}, pin)


async def _look(spec: Spec, target: Target, parts: svcs.Container) -> Finding:
    if spec.probe is None:
        return Finding(Verdict.CANNOT_TELL, {"reason": "nothing can be looked at"})
    try:
        return await spec.probe(target, parts)
    except WorldFaultError as fault:
        return Finding(Verdict.CANNOT_TELL, {"reason": f"{fault.system} could not be asked"})
    except svcs.exceptions.ServiceNotFoundError:
        return Finding(Verdict.CANNOT_TELL, {"reason": "what it was done with is not configured"})


async def _adopted(spec: Spec, target: Target, finding: Finding, context: Context) -> Settlement:
    if spec.adopt is None:
        return _still_unknown(finding)
    try:
        outcome = await spec.adopt(target, finding, context)
    except HaltError as halt:
        outcome = halt.outcome
    except WorldFaultError as fault:
        context.staged.clear()
        return _still_unknown(finding, f"{fault.system}: {fault.sentence}")
    if isinstance(outcome, Failed) and outcome.retry:
        context.staged.clear()
        return _still_unknown(finding, outcome.sentence)
    evidence = {"verified_by": "probe", **finding.evidence}
    return replace(settlement(outcome), evidence=evidence)


def _still_unknown(finding: Finding, reason: str | None = None) -> Settlement:
    why = {} if reason is None else {"reason": reason}
    return Settlement(
        ClaimState.UNKNOWN,
        code=Code.UNKNOWN_OUTCOME,
        evidence={"verdict": finding.verdict.value, **finding.evidence, **why},
    )


def _tell_owner(tx: Transaction, ledger: Ledger, spec: Spec, claim: Claim, end: Settlement) -> None:
    key = f"unknown:{claim.id}"
    if end.state is not ClaimState.UNKNOWN:
        decisions.close_for(
            tx, key, by="system:reconcile", resolution=f"{end.state}", at=ledger.now()
        )
        return
    decisions.raise_(
        tx,
        NewDecision(
            DecisionKind.OTHER,
            key,
            f"{spec.title}: it is not known whether this happened",
            Severity.HIGH,
            evidence=dict(end.evidence or {}),
            options=[{"id": "check", "title": "Check now"}],
            run=claim.run,
            subject=claim.id,
        ),
        ledger.now(),
    )
