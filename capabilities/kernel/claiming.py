"""The ledger's side of a call: claim before the effect, settle after it, with one token."""

from collections.abc import Iterable
from dataclasses import replace

import anyio
import structlog
from anyio.lowlevel import checkpoint_if_cancelled
from pydantic import BaseModel

from capabilities.kernel import fault_points
from capabilities.kernel.answers import recorded, settlement
from capabilities.kernel.authority import Act, Granted, Missing, find
from capabilities.kernel.call_plan import call_plan
from capabilities.kernel.calls import Call, about, fingerprint, key_of, request_of
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context, Write
from capabilities.kernel.deciding import fulfilled
from capabilities.kernel.outcomes import AnyOutcome, Failed, Refused, Succeeded, word
from capabilities.kernel.spec import Dedupe, Spec
from capabilities.kernel.targets import Target
from capabilities.kernel.translate import from_cut_commit
from ledger.database import Snapshot
from ledger.faults import LedgerUnavailableError, LedgerUnclearError
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, claims, plans
from ledger.stores.approvals import PlanPin
from ledger.stores.claims import LEFT_PARTLY, NOT_DONE, Claim, ClaimState, NewClaim, Settlement
from ledger.writer import Transaction

NEVER_BEGUN = Settlement(
    ClaimState.FAILED,
    code=Code.UNAVAILABLE,
    sentence="The call was cut off before it was begun; nothing was done.",
    evidence={NOT_DONE: True, "reason": "cut off before it was begun"},
)

log = structlog.get_logger()


class Attempt:
    """One call's way through the ledger: its key, what it was answered before, its claim."""

    def __init__(
        self, ledger: Ledger, spec: Spec, call: Call, given: BaseModel, target: Target | None
    ) -> None:
        """Compute the identity of the call; nothing is written yet."""
        self._ledger = ledger
        self.spec = spec
        self.call = call
        self.target = target
        self.fingerprint = fingerprint(given)
        self.key = key_of(spec, call, self.fingerprint, target)
        self.call_plan = call_plan(spec, given, target)
        self._token: str | None = None

    @property
    def pin(self) -> PlanPin | None:
        """What an approval of it binds to: its plan, or else the plan of the call."""
        if self.call_plan is not None:
            return self.call_plan.pin
        return None if self.target is None else self.target.pin

    @property
    def natural_key(self) -> str | None:
        """What the effect is about in the world, across requests; see `calls.about`."""
        return about(self.target)

    def is_answered_by(self, claim: Claim) -> bool:
        """Whether what ``claim`` came to is the answer of this call too.

        The same key is the same call. Where the effect has an identity in the world, that counts;
        elsewhere the input must be the same, and a call that is an intent of its own acts itself.
        """
        if claim.key == self.key:
            return True
        if claim.capability != self.spec.id or self.target is None:
            return False
        if self.target.natural_key is not None:
            return True
        same = claim.version == self.spec.version and claim.fingerprint == self.fingerprint
        return same and self.spec.dedupe is Dedupe.REQUEST

    async def earlier(self) -> Claim | Refused | None:
        """The claim that stands in the way: the same call, or an unsettled one on the same thing.

        A client key or call id that was used for another input is a conflict.
        """
        return await self._ledger.read(self._in_the_way)

    async def authority(self) -> Granted | Missing | Refused:
        """What would allow it now."""
        at = self._ledger.now()
        return await self._ledger.read(lambda conn: find(conn, self._act, at))

    @property
    def _act(self) -> Act:
        return Act(self.spec, self.call.actor, self.target, self.pin)

    async def claim(self) -> Claim | Refused | Missing:
        """Write the claim, with its authority and its key looked at in the same transaction.

        A claim that somebody else wrote meanwhile is returned as it is: not ours, other token. A
        caller that is cancelled meanwhile is told afterwards, and its claim is settled as not
        done: nobody will work at it. Where it is not known whether a claim stands, the act is not
        begun.
        """
        standing: list[Claim | Refused | Missing] = []
        try:
            with anyio.CancelScope(shield=True):
                standing.append(await self._ledger.write(self._claim_in))
            await checkpoint_if_cancelled()
        except LedgerUnclearError as cut:
            raise LedgerUnavailableError(
                "the connection to the database was cut before the act was begun"
            ) from cut
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._let_go()
            raise
        return standing[0]

    def is_ours(self, claim: Claim) -> bool:
        """Whether this attempt wrote ``claim``, rather than meeting it (a twin of the call may)."""
        return claim.token == self._token

    async def settle(self, claim: Claim, outcome: AnyOutcome, context: Context) -> AnyOutcome:
        """End the claim, with what the handler staged, the audit row, and the approval's use."""

        def write(tx: Transaction) -> bool:
            return self._settle_in(tx, claim, outcome, context)

        if await self._ledger.write(write):
            return outcome
        current = await self._ledger.read(lambda conn: claims.by_id(conn, claim.id))
        return recorded(current) if current is not None else outcome

    async def done_at_once(
        self, outcome: AnyOutcome, context: Context
    ) -> AnyOutcome | Missing | Claim:
        """Claim and settle in one transaction: for what changes only our own tables.

        A claim that a twin of the call wrote meanwhile is returned as it is, and nothing is done.
        Where the connection is cut in the commit, it is not known whether it was done.
        """
        stands: list[str] = []

        def write(tx: Transaction) -> AnyOutcome | Missing | Claim:
            claim = self._claim_in(tx)
            if not isinstance(claim, Claim) or not self.is_ours(claim):
                return claim
            self._settle_in(tx, claim, outcome, context)
            stands.append(claim.id)
            return outcome

        try:
            return await self._ledger.write(write)
        except LedgerUnclearError as cut:
            return from_cut_commit(cut, stands[-1] if stands else None)

    async def _let_go(self) -> None:
        """Settle as not done the claim that this attempt wrote, if it did; it was not acted on."""

        def write(tx: Transaction) -> None:
            made = claims.by_key(tx.conn, self.key)
            if made is not None and self.is_ours(made):
                end = _with_what_was_left(NEVER_BEGUN, made)
                settle_in(tx, self._ledger, made, end, by=str(self.call.actor))

        try:
            await self._ledger.write(write)
        except LedgerUnavailableError as away:  # it is given up later, as nobody works at it
            log.warning("a claim could not be let go", key=self.key, why=str(away))

    def _settle_in(
        self, tx: Transaction, claim: Claim, outcome: AnyOutcome, context: Context
    ) -> bool:
        end, by = _with_what_was_left(settlement(outcome), claim), str(context.actor)
        return settle_in(tx, self._ledger, claim, end, by=by, staged=context.staged)

    def _in_the_way(self, conn: Snapshot) -> Claim | Refused | None:
        if _used_otherwise(conn, self):
            return Refused(
                Code.CONFLICT,
                "This idempotency key was used for another call. Nothing was done; "
                "choose a new key.",
            )
        same = claims.by_key(conn, self.key)
        if same is not None and not same.free_again:
            return same
        return None if self.natural_key is None else claims.unsettled_on(conn, self.natural_key)

    def _claim_in(self, tx: Transaction) -> Claim | Refused | Missing:
        standing = self._in_the_way(tx.conn)
        if standing is not None:
            return standing
        at = self._ledger.now()
        granted = find(tx.conn, self._act, at)
        if not isinstance(granted, Granted):
            return granted
        made = claims.claim(tx, self._new(granted, self._stored_pin(tx)), at)
        fault_points.at("in_claim")
        self._token = made.token
        return made

    def _stored_pin(self, tx: Transaction) -> PlanPin | None:
        """The plan that the claim is booked on; that of a call only where somebody asked for it."""
        if self.pin is None or self.call_plan is None:
            return self.pin
        return None if plans.by_id(tx.conn, self.pin.id) is None else self.pin

    def _new(self, granted: Granted, pin: PlanPin | None) -> NewClaim:
        return NewClaim(
            capability=self.spec.id,
            version=self.spec.version,
            actor=str(self.call.actor),
            principal=self.call.actor.principal,
            run=self.call.run,
            request=request_of(self.call),
            call_id=self.call.call_id,
            fingerprint=self.fingerprint,
            key=self.key,
            natural_key=self.natural_key,
            worker=self._ledger.worker,
            target=None if self.target is None else self.target.stored(),
            plan=None if pin is None else pin.id,
            plan_hash=None if pin is None else pin.payload_hash,
            plan_revision=None if pin is None else pin.revision,
            authority=granted.source,
            bytes_reserved=granted.reserves,
        )


def settle_in(
    tx: Transaction,
    ledger: Ledger,
    claim: Claim,
    end: Settlement,
    *,
    by: str,
    staged: Iterable[Write] = (),
) -> bool:
    """Settle inside a transaction; a stale token changes nothing but leaves its evidence."""
    at = ledger.now()
    settled = claims.settle(tx, claim.id, claim.token, end, at)
    fault_points.at("in_settlement")
    summary: dict[str, object] = {"sentence": end.sentence, "attempt": claim.attempt}
    if settled:
        for write in staged:
            write(tx)
        if end.state == ClaimState.SUCCEEDED and claim.authority is not None:
            approvals.consume(tx, claim.authority, claim.id)
            fulfilled(tx, ledger, claim)
        if end.evidence and "reason" in end.evidence:
            summary["reason"] = end.evidence["reason"]
    else:
        summary["result"] = end.result
    audit.write(
        tx,
        audit.Entry(
            at,
            by,
            "settled" if settled else "late settlement",
            claim.capability,
            end.state,
            claim.authority,
            claim.id,
            claim.run,
            summary,
        ),
    )
    return settled


def _with_what_was_left(end: Settlement, claim: Claim) -> Settlement:
    """A failure does not undo what an earlier attempt left behind."""
    if end.state is not ClaimState.FAILED or not claim.left_partly:
        return end
    return replace(end, evidence={**(end.evidence or {}), LEFT_PARTLY: True})


def failed_handler(outcome: AnyOutcome) -> bool:
    """Whether a handler ended without having changed anything, so that nothing is to be kept."""
    return isinstance(outcome, Refused | Failed)


def spoken(outcome: AnyOutcome) -> str:
    """The outcome's code for the audit: its word, or the code of a refusal or failure."""
    if isinstance(outcome, Refused | Failed):
        return outcome.code
    return "replayed" if isinstance(outcome, Succeeded) and outcome.replayed else word(outcome)


def _used_otherwise(conn: Snapshot, attempt: Attempt) -> bool:
    """Whether the client's key, or else the call's id, stands for another call already."""
    if attempt.call.client_key is None:
        booked = claims.by_call(conn, attempt.call.actor.principal, attempt.call.call_id)
    else:
        booked = claims.by_request(conn, request_of(attempt.call))
    this = (attempt.spec.id, attempt.fingerprint)
    return booked is not None and (booked.capability, booked.fingerprint) != this
