"""The registry and the one way in: `Registry.invoke`."""

import difflib
from collections.abc import Iterable
from datetime import timedelta
from functools import partial

import anyio
import structlog
import svcs
from pydantic import BaseModel

from capabilities.kernel.actors import Actor
from capabilities.kernel.answers import recorded
from capabilities.kernel.arguments import typed
from capabilities.kernel.asking import APPROVAL_TIMEOUT, Question, ask
from capabilities.kernel.audit_batch import AuditBatch
from capabilities.kernel.authority import Missing
from capabilities.kernel.calls import Call
from capabilities.kernel.claiming import Attempt, failed_handler, spoken
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Refused, Unknown
from capabilities.kernel.reconcile import reconcile
from capabilities.kernel.spec import Audience, Effect, Spec
from capabilities.kernel.translate import from_ledger, from_world
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import Claim, ClaimState

PATIENCE_S = 2.0
NOT_SETTLED = "it ended, and how could not be written down"
CHECK = "`matinee status` lists what is unknown; it is looked at again soon"

log = structlog.get_logger()


class Registry:
    """Every capability of the house, and the pipeline each call goes through."""

    def __init__(
        self,
        specs: Iterable[Spec],
        ledger: Ledger,
        parts: svcs.Container,
        *,
        approvals_last: timedelta = APPROVAL_TIMEOUT,
    ) -> None:
        """Take the discovered specs, the ledger, the adapters, and how long a request stands.

        Raises:
            ValueError: two capabilities share an id or a tool name.
        """
        self._by_name: dict[str, Spec] = {}
        self.specs = tuple(specs)
        for spec in self.specs:
            for name in {spec.id, spec.tool}:
                if name in self._by_name:
                    raise ValueError(f"the name {name!r} is declared twice")
                self._by_name[name] = spec
        self._ledger = ledger
        self._parts = parts
        self._approvals_last = approvals_last
        self._looks: dict[str, anyio.Lock] = {}
        self._unsettled: set[str] = set()
        self.audit = AuditBatch(ledger)

    def shown_to(self, actor: Actor) -> list[Spec]:
        """What ``actor`` may see and call, in a stable order."""
        return [spec for spec in self.specs if _permitted(spec, actor)]

    def find(self, name: str, actor: Actor) -> Spec:
        """The capability behind an id or tool name.

        Raises:
            HaltError: not found; a name that exists but is not for this actor answers alike.
        """
        spec = self._by_name.get(name)
        if spec is not None and _permitted(spec, actor):
            return spec
        known = [each.tool for each in self.shown_to(actor)]
        near = difflib.get_close_matches(name.replace(".", "__"), known, n=3)
        hint = f"Did you mean {', '.join(near)}?" if near else "List the tools to see their names."
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no capability {name[:80]!r}.", hint))

    async def invoke(self, call: Call) -> AnyOutcome:
        """Resolve, validate, check scope, authorise, claim, run, settle, answer.

        Never raises for what a call did or was; a cancelled caller gets its cancellation, and the
        effect that was under way is recorded as unknown.
        """
        try:
            spec = self.find(call.capability, call.actor)
            given = typed(spec, call.arguments)
            return await self._through(spec, call, given)
        except HaltError as halt:
            return halt.outcome
        except WorldFaultError as fault:
            # Only what is looked at before a claim lets one through.
            return from_world(fault, acts=False, check=CHECK)
        except LedgerUnavailableError as fault:
            return from_ledger(fault)
        except Exception:
            log.exception("a call failed", capability=call.capability, call=call.call_id)
            return _our_fault(call.capability)

    async def reconcile(self, claim: Claim) -> AnyOutcome:
        """Look at the world for one unknown claim; see `capabilities.kernel.reconcile`.

        A claim is looked at by one at a time. What fails unexpectedly leaves it unknown.

        Raises:
            LedgerUnavailableError: nothing could be read or written.
        """
        async with self._looks.setdefault(claim.id, anyio.Lock()):
            now = await self._now(claim)
            spec = self._by_name.get(claim.capability)
            if now.state is not ClaimState.UNKNOWN:
                self._looks.pop(claim.id, None)
                return recorded(now)
            if spec is None:
                return recorded(now)
            try:
                return await reconcile(self._ledger, self._parts, spec, now)
            except LedgerUnavailableError:
                raise
            except Exception:
                log.exception("a look failed", capability=claim.capability, invocation=claim.id)
                return recorded(now)

    async def give_up_unsettled(self) -> None:
        """Make unknown what ran here and could not be settled, so that a look can settle it."""
        for id_ in tuple(self._unsettled):
            await self._ledger.write(partial(claims.make_unknown, id_=id_, sentence=NOT_SETTLED))
            self._unsettled.discard(id_)

    async def _through(self, spec: Spec, call: Call, given: BaseModel) -> AnyOutcome:
        context = Context(
            actor=call.actor,
            ledger=self._ledger,
            parts=self._parts,
            request=call.request,
            call_id=call.call_id,
            run=call.run,
            report=call.report,
        )
        if spec.effect is Effect.NONE:
            outcome = await self._run(spec, given, context)
            self.audit.note(call, spec, spoken(outcome))
            return outcome
        target = None if spec.target is None else await spec.target(given, context)
        attempt = Attempt(self._ledger, spec, call, given, target)
        earlier = await attempt.earlier()
        if isinstance(earlier, Refused):
            self.audit.note(call, spec, spoken(earlier))
            return earlier
        if earlier is not None:
            answer = await self._met(attempt, earlier)
            if answer is not None:
                self.audit.note(call, spec, spoken(answer))
                return answer
        if spec.check is not None and target is not None:
            await spec.check(given, target, context)
        if isinstance(missing := await attempt.authority(call.actor), Missing):
            return await self._ask(attempt, missing)
        if spec.effect is Effect.OURS:
            return await self._ours(attempt, given, context)
        return await self._world(attempt, given, context)

    async def _ours(self, attempt: Attempt, given: BaseModel, context: Context) -> AnyOutcome:
        outcome = await self._run(attempt.spec, given, context)
        if failed_handler(outcome):
            self.audit.note(attempt.call, attempt.spec, spoken(outcome))
            return outcome
        done = await attempt.done_at_once(outcome, context)
        return await self._ask(attempt, done) if isinstance(done, Missing) else done

    async def _world(self, attempt: Attempt, given: BaseModel, context: Context) -> AnyOutcome:
        claim = await attempt.claim()
        if isinstance(claim, Missing):
            return await self._ask(attempt, claim)
        if isinstance(claim, Refused):
            return claim
        if not attempt.is_ours(claim):
            return await self._met(attempt, claim) or await self._world(attempt, given, context)
        under_claim = Context(
            actor=context.actor,
            ledger=context.ledger,
            parts=context.parts,
            request=context.request,
            call_id=context.call_id,
            run=context.run,
            invocation=claim.id,
            report=context.report,
        )
        cut_off = Unknown(
            "The call was cut off; whether it was done is not known yet.", CHECK, claim.id
        )
        outcome: AnyOutcome = cut_off
        try:
            outcome = _after_claim(await self._run(attempt.spec, given, under_claim))
        except anyio.get_cancelled_exc_class():
            under_claim.staged.clear()
            raise
        finally:
            try:
                with anyio.CancelScope(shield=True):
                    outcome = await attempt.settle(claim, outcome, under_claim)
            except Exception:
                log.exception("a claim could not be settled", invocation=claim.id)
                self._unsettled.add(claim.id)
                outcome = cut_off
        return outcome

    async def _run(self, spec: Spec, given: BaseModel, context: Context) -> AnyOutcome:
        """What the handler says; where it was cut off or broke, nothing it staged is kept."""
        acts = spec.effect is Effect.WORLD
        try:
            with anyio.move_on_after(spec.timeout):
                return await spec.handler(given, context)
            outcome = _too_late(spec)
        except HaltError as halt:
            return halt.outcome
        except WorldFaultError as fault:
            return from_world(fault, acts=acts, check=CHECK)
        except LedgerUnavailableError:
            if not acts:
                raise
            outcome = Unknown("The ledger failed in the middle of this; it may be done.", CHECK)
        except Exception:
            log.exception("a handler failed", capability=spec.id, call=context.call_id)
            outcome = _our_fault(spec.title)
            if acts:
                outcome = Unknown("Matinee failed in the middle of this; it may be done.", CHECK)
        context.staged.clear()
        return outcome

    async def _met(self, attempt: Attempt, claim: Claim) -> AnyOutcome | None:
        """Answer for a claim that stands in the way; None when the way is free.

        How another plan for the same thing failed says nothing about this one.
        """
        if claim.state is ClaimState.RUNNING:
            claim = await self._awaited(claim)
        elif claim.state is ClaimState.UNKNOWN:
            await self.reconcile(claim)
            claim = await self._now(claim)
        failed_elsewhere = claim.state is ClaimState.FAILED and claim.key != attempt.key
        return None if claim.free_again or failed_elsewhere else recorded(claim)

    async def _awaited(self, claim: Claim) -> Claim:
        """The claim once it is settled, or as it stands when patience ends."""
        with anyio.move_on_after(PATIENCE_S):
            async with self._ledger.feed.listening() as bell:
                while (claim := await self._now(claim)).state is ClaimState.RUNNING:
                    await bell.receive()
        return claim

    async def _now(self, claim: Claim) -> Claim:
        return await self._ledger.read(lambda conn: claims.by_id(conn, claim.id)) or claim

    async def _ask(self, attempt: Attempt, missing: Missing) -> AnyOutcome:
        if attempt.target is None or attempt.target.pin is None:
            self.audit.note(attempt.call, attempt.spec, Code.DENIED)
            sentence = f"This needs the owner: {missing.why}. Nothing was done."
            return Refused(Code.DENIED, sentence, {"who": "owner"})
        return await ask(
            self._ledger,
            Question(
                spec=attempt.spec,
                actor=attempt.call.actor,
                pin=attempt.target.pin,
                why=missing.why,
                run=attempt.call.run,
                call=attempt.call.call_id,
                lasts=self._approvals_last,
            ),
        )


def _our_fault(what: str) -> Failed:
    return Failed(
        Code.INTERNAL,
        f"Matinee failed while running {what!r}; nothing was changed.",
        "This is a fault of Matinee; the log has the details.",
    )


def _too_late(spec: Spec) -> AnyOutcome:
    if spec.effect is Effect.WORLD:
        return Unknown("No answer came in time; it may have been done.", CHECK)
    sentence = f"{spec.title} took longer than {spec.timeout:.0f} s and was stopped."
    return Failed(Code.TIMEOUT, sentence, "Nothing was changed.", retry=True)


def _after_claim(outcome: AnyOutcome) -> AnyOutcome:
    """A refusal comes before the claim; behind it, the same words are a failure."""
    if isinstance(outcome, Refused):
        return Failed(outcome.code, outcome.sentence, "Nothing was changed.")
    return outcome


def _permitted(spec: Spec, actor: Actor) -> bool:
    if spec.audience is Audience.PRIVATE:
        return False
    if spec.audience is Audience.SESSION and actor.kind != "run":
        return False
    return actor.may(spec.scope)
