"""Settling what nobody knows: look at the world, then say what was seen."""

from dataclasses import dataclass, replace

import anyio
import svcs

from capabilities.kernel import switches
from capabilities.kernel.actors import Actor
from capabilities.kernel.answers import recorded, settlement
from capabilities.kernel.claiming import settle_in
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.effects import Effects
from capabilities.kernel.faults import ElsewhereError, WorldFaultError
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import Spec
from capabilities.kernel.targets import Target, restored
from ledger.ledger import Ledger
from ledger.stores import claims, decisions
from ledger.stores.approvals import PlanPin
from ledger.stores.claims import LEFT_PARTLY, NOT_DONE, Claim, ClaimState, Settlement
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.writer import Transaction

SETTLING_S = 60.0
"""How long an act without a natural key may still arrive after it was lost sight of."""

NOT_CARRIED_ON = (
    "A part of it is done. This look may not carry it on; one of the owner does, or the next one "
    "in the background."
)


def cause_of(claim: str) -> str:
    """The root cause of a decision about a claim of unknown outcome."""
    return f"unknown:{claim}"


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the world for one claim of unknown outcome, and what follows from it.

    Attributes:
        carries_on: whether what is found done in part may be carried to its end.
    """

    ledger: Ledger
    parts: svcs.Container
    effects: Effects
    spec: Spec
    claim: Claim
    carries_on: bool = True

    @property
    def is_early(self) -> bool:
        """Whether the act may still arrive, so that not finding it would prove nothing."""
        without = (self.claim.target or {}).get("natural_key") is None
        return without and self.effects.lost_for(self.claim) < SETTLING_S

    async def settle(self) -> AnyOutcome:
        """Probe the claim and settle it by what was found.

        Found in the world, whole or in part: adopted as if it had been answered, which carries to
        its end what was begun. Not there: failed, marked as verified undone and free to be tried
        again. Undecidable, or not to be carried on now: it stays unknown, and the owner gets one
        decision.
        """
        target = _target_of(self.spec, self.claim)
        try:
            finding = await found(self.spec, target, self.parts)
        except ElsewhereError:
            return recorded(self.claim)
        match finding.verdict:
            case Verdict.PARTLY if not self.carries_on:
                end = _still_unknown(finding, NOT_CARRIED_ON)
                return await self._end(self.claim, end, self._context())
            case Verdict.APPLIED | Verdict.PARTLY if self.spec.adopt is not None:
                return await self._carried_on(target, finding)
            case Verdict.NOT_APPLIED:
                return await self._end(self.claim, _undone(finding), self._context())
            case _:
                return await self._end(self.claim, _still_unknown(finding), self._context())

    async def _carried_on(self, target: Target, finding: Finding) -> AnyOutcome:
        """Take the claim up, so that nobody else does, and end what it began."""
        ledger, claim = self.ledger, self.claim

        def take(tx: Transaction) -> str | None:
            acts_on = finding.verdict is Verdict.PARTLY
            if acts_on and switches.hold_back(tx.conn, self.spec, claim.actor):
                return None  # it is looked at again until the switch is turned back
            return claims.take_up(tx, claim.id, claim.token, ledger.worker)

        token: str | None = None
        with self.effects.at_work(claim.id):
            with anyio.CancelScope(shield=True):  # so that what was taken up is also ended
                token = await ledger.write(take)
            if token is None:
                now = await ledger.read(lambda conn: claims.by_id(conn, claim.id))
                return recorded(now or claim)
            return await self._ended(replace(claim, token=token), target, finding)

    async def _ended(self, taken: Claim, target: Target, finding: Finding) -> AnyOutcome:
        """Carry on what was taken up, and settle it; where that is cut off, it is as it was."""
        outcome = recorded(self.claim)
        context = self._context()
        end = Settlement(taken.state, code=taken.code, evidence=taken.evidence)
        try:
            end = await self._adopted(target, finding, context)
        except BaseException:
            context.staged.clear()
            raise
        finally:
            with self.effects.to_be_settled(taken), anyio.CancelScope(shield=True):
                outcome = await self._end(taken, end, context)
        return outcome

    def _context(self) -> Context:
        claim = self.claim
        return Context(
            # References in the answer must be good where the call came from.
            actor=Actor("system", "reconcile", claim.principal),
            ledger=self.ledger,
            parts=self.parts,
            request=claim.request,
            call_id=claim.call_id,
            run=claim.run,
            invocation=claim.id,
        )

    async def _adopted(self, target: Target, finding: Finding, context: Context) -> Settlement:
        if self.spec.adopt is None:
            return _still_unknown(finding)
        late = Failed(Code.UNAVAILABLE, "It took too long to carry it on.", retry=True)
        outcome: AnyOutcome = late
        try:
            with anyio.move_on_after(self.spec.timeout):
                outcome = await self.spec.adopt(target, finding, context)
        except HaltError as halt:
            outcome = halt.outcome
        except WorldFaultError as fault:
            context.staged.clear()
            return _still_unknown(finding, f"{fault.system}: {fault.sentence}")
        if isinstance(outcome, Failed) and outcome.retry:
            context.staged.clear()
            return _still_unknown(finding, outcome.sentence)
        end = settlement(outcome)
        # What was found stays, also where it could not be carried to its end.
        left = {LEFT_PARTLY: True} if end.state is ClaimState.FAILED else {}
        return replace(end, evidence={"verified_by": "probe", **finding.evidence, **left})

    async def _end(self, held: Claim, end: Settlement, context: Context) -> AnyOutcome:
        """Settle the claim as ``held``; a look that found nothing new leaves no further trace."""
        end = replace(end, sentence=end.sentence or held.sentence)
        by = str(context.actor)
        nothing_new = (end.state, end.evidence) == (self.claim.state, self.claim.evidence)

        def write(tx: Transaction) -> Claim:
            if nothing_new:
                claims.settle(tx, held.id, held.token, end, self.ledger.now())
            elif settle_in(tx, self.ledger, held, end, by=by, staged=context.staged):
                _tell_owner(tx, self.ledger, self.spec, held, end)
            return claims.by_id(tx.conn, held.id) or held

        if nothing_new and held is self.claim:
            return recorded(held)
        return recorded(await self.ledger.write(write))


async def found(spec: Spec, target: Target, parts: svcs.Container) -> Finding:
    """What a look at the world shows; a world that cannot be asked is one that cannot tell.

    Raises:
        ElsewhereError: another process of this house can look, and this one cannot.
    """
    if spec.probe is None:
        return Finding(Verdict.CANNOT_TELL, {"reason": "nothing can be looked at"})
    try:
        return await spec.probe(target, parts)
    except ElsewhereError:
        raise
    except WorldFaultError as fault:
        return Finding(Verdict.CANNOT_TELL, {"reason": f"{fault.system} could not be asked"})
    except svcs.exceptions.ServiceNotFoundError:
        return Finding(Verdict.CANNOT_TELL, {"reason": "what it was done with is not configured"})


def _target_of(spec: Spec, claim: Claim) -> Target:
    pin = None
    if claim.plan is not None and spec.plan is not None:
        pin = PlanPin(spec.plan, claim.plan, claim.plan_hash or "", claim.plan_revision or 0)
    return restored(claim.target or {"kind": "", "natural_key": None, "facts": {}}, pin)


def _undone(finding: Finding) -> Settlement:
    return Settlement(
        ClaimState.FAILED,
        code=Code.UNAVAILABLE,
        sentence="It was interrupted; a look showed that it had not been done.",
        evidence={NOT_DONE: True, **finding.evidence},
    )


def _still_unknown(finding: Finding, reason: str | None = None) -> Settlement:
    why = {} if reason is None else {"reason": reason}
    return Settlement(
        ClaimState.UNKNOWN,
        code=Code.UNKNOWN_OUTCOME,
        evidence={"verdict": finding.verdict.value, **finding.evidence, **why},
    )


def _tell_owner(tx: Transaction, ledger: Ledger, spec: Spec, claim: Claim, end: Settlement) -> None:
    at = ledger.now()
    if end.state is not ClaimState.UNKNOWN:
        decisions.close_for(
            tx, cause_of(claim.id), by="system:reconcile", resolution=f"{end.state}", at=at
        )
        if claim.run is not None:
            ledger.engine.wake(tx, "run", claim.run)
        return
    decisions.raise_(
        tx,
        NewDecision(
            DecisionKind.OTHER,
            cause_of(claim.id),
            f"{spec.title}: it is not known whether this happened",
            Severity.HIGH,
            evidence=dict(end.evidence or {}),
            options=offered(Option.CHECK, Option.DONE, Option.NOT_DONE),
            run=claim.run,
            subject=claim.id,
        ),
        at,
    )
