"""The registry and the one way in: `Registry.invoke`."""

import difflib
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import anyio
import structlog
import svcs
from pydantic import BaseModel

from capabilities.kernel import fault_points
from capabilities.kernel.actors import Actor, system
from capabilities.kernel.answers import recorded
from capabilities.kernel.arguments import typed
from capabilities.kernel.asking import APPROVAL_TIMEOUT, Console, Question, ask
from capabilities.kernel.audit_batch import AuditBatch
from capabilities.kernel.authority import Granted, Missing
from capabilities.kernel.calls import Call
from capabilities.kernel.claiming import Attempt, failed_handler, spoken
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.effects import CHECK, Effects, our_fault
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.looking import Looks
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Refused
from capabilities.kernel.replaying import replayed
from capabilities.kernel.spec import Audience, Effect, Spec
from capabilities.kernel.translate import from_ledger, from_world
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import UNSETTLED, Claim, ClaimState

PATIENCE_S = 2.0
_HOUSE = system("reconcile")

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
        console: Console = lambda: None,
    ) -> None:
        """Take the discovered specs, the ledger, the adapters, and how the owner is asked.

        Args:
            specs: the capabilities.
            ledger: where every call is written down.
            parts: the adapters, for handlers.
            approvals_last: how long a request for approval stands.
            console: where the owner finds what waits for them.

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
        self._console = console
        self._effects = Effects(ledger)
        self._looks = Looks(ledger, parts, self._effects)
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
            return our_fault(call.capability)

    async def reconcile(self, claim: Claim, by: Actor = _HOUSE) -> AnyOutcome:
        """Look at the world for one unknown claim; see `capabilities.kernel.looking`.

        What is found done in part is carried on only where ``by`` may call the capability.

        Raises:
            LedgerUnavailableError: nothing could be read or written.
        """
        spec = self._by_name.get(claim.capability)
        return await self._looks.settle(claim, spec, by, PATIENCE_S)

    async def check(self, invocation: str, by: Actor) -> AnyOutcome:
        """What is known of an act, after a look at the world where it was unknown.

        A look by whoever may not call the capability itself changes nothing in the world.

        Raises:
            LedgerUnavailableError: nothing could be read or written.
        """
        claim = await self._ledger.read(lambda conn: claims.by_id(conn, invocation))
        if claim is None:
            return Refused(Code.NOT_FOUND, "There is no such act.")
        if claim.state is ClaimState.UNKNOWN:
            await self.reconcile(claim, by)
        return recorded(await self._now(claim))

    async def call_within(
        self, context: Context, capability: str, arguments: Mapping[str, object]
    ) -> AnyOutcome:
        """Call a capability from inside a handler: the same actor, request and run."""
        call_id = f"{context.call_id}:{capability}"
        return await self.invoke(
            Call(
                capability,
                arguments,
                context.actor,
                call_id,
                context.request,
                run=context.run,
                report=context.report,
            )
        )

    async def give_up_unsettled(self) -> None:
        """Make unknown what ran here and could not be settled, so that a look can settle it."""
        await self._effects.give_up_unsettled()

    def working(self) -> AbstractAsyncContextManager[None]:
        """Let what takes longer than a call may go on, until the end of the block."""
        return self._effects.workshop.opened()

    async def _through(self, spec: Spec, call: Call, given: BaseModel) -> AnyOutcome:
        context = Context(
            actor=call.actor,
            ledger=self._ledger,
            parts=self._parts,
            request=call.request,
            call_id=call.call_id,
            run=call.run,
            report=call.report,
            door=self,
        )
        if spec.effect is Effect.NONE:
            outcome = await self._effects.run(spec, given, context)
            self.audit.note(call, spec, spoken(outcome))
            return outcome
        target = None if spec.target is None else await spec.target(given, context)
        attempt = Attempt(self._ledger, spec, call, given, target)
        if (answer := await self._answered_already(attempt, context)) is not None:
            return answer
        fault_points.at("nobody_met")
        try:
            if spec.check is not None and target is not None:
                await spec.check(given, target, context)
        except HaltError:
            if (answer := await self._answered_already(attempt, context)) is not None:
                return answer
            raise
        granted = await attempt.authority()
        if not isinstance(granted, Granted):
            if (answer := await self._answered_already(attempt, context)) is not None:
                return answer
            return await self._unauthorised(attempt, granted)
        if spec.effect is Effect.OURS:
            return await self._ours(attempt, given, context)
        return await self._world(attempt, given, context)

    async def _answered_already(self, attempt: Attempt, context: Context) -> AnyOutcome | None:
        """The answer of what stands in the way, if anything does.

        Asked again when a call is about to be refused: a twin that was faster may have used up the
        approval, or changed what is checked, and then its answer is this call's too.
        """
        earlier = await attempt.earlier()
        answer = earlier if isinstance(earlier, Refused) else None
        if isinstance(earlier, Claim):
            answer = await self._met(attempt, earlier, context)
        if answer is not None:
            self.audit.note(attempt.call, attempt.spec, spoken(answer))
        return answer

    async def _unauthorised(self, attempt: Attempt, why: Missing | Refused) -> AnyOutcome:
        if isinstance(why, Missing):
            return await self._ask(attempt, why)
        self.audit.note(attempt.call, attempt.spec, spoken(why))
        return why

    async def _ours(self, attempt: Attempt, given: BaseModel, context: Context) -> AnyOutcome:
        outcome = await self._effects.run(attempt.spec, given, context)
        if failed_handler(outcome):
            if (answer := await self._answered_already(attempt, context)) is not None:
                return answer
            self.audit.note(attempt.call, attempt.spec, spoken(outcome))
            return outcome
        done = await attempt.done_at_once(outcome, context)
        if isinstance(done, Claim):
            return await replayed(done, context)
        return await self._ask(attempt, done) if isinstance(done, Missing) else done

    async def _world(self, attempt: Attempt, given: BaseModel, context: Context) -> AnyOutcome:
        while True:
            fault_points.at("before_claim")
            claim = await attempt.claim()
            if not isinstance(claim, Claim):
                return await self._unauthorised(attempt, claim)
            if attempt.is_ours(claim):
                break
            if (met := await self._met(attempt, claim, context)) is not None:
                return met
        fault_points.at("claimed")
        outcome = await self._effects.carry_out(attempt, claim, given, context)
        fault_points.at("before_answer")
        return outcome

    async def _met(self, attempt: Attempt, claim: Claim, context: Context) -> AnyOutcome | None:
        """Answer for a claim that stands in the way; None when the way is free.

        How another act on the same thing ended says nothing about this one, unless it is the same
        act.
        """
        if claim.state is ClaimState.RUNNING:
            claim = await self._awaited(claim)
        elif claim.state is ClaimState.UNKNOWN:
            await self.reconcile(claim, attempt.call.actor)
            claim = await self._now(claim)
        over = claim.state not in UNSETTLED
        elsewhere = claim.state is ClaimState.FAILED and claim.key != attempt.key
        if claim.free_again or elsewhere or (over and not attempt.is_answered_by(claim)):
            return None
        return await replayed(claim, context)

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
        if attempt.pin is None:
            code = Code.DENIED if missing.code is Code.NEEDS_APPROVAL else missing.code
            self.audit.note(attempt.call, attempt.spec, code)
            sentence = f"This needs the owner: {missing.why}. Nothing was done."
            return Refused(code, sentence, {**missing.needs, "who": "owner"})
        return await ask(
            self._ledger,
            Question(
                spec=attempt.spec,
                actor=attempt.call.actor,
                pin=attempt.pin,
                missing=missing,
                run=attempt.call.run,
                call=attempt.call.call_id,
                lasts=self._approvals_last,
                call_plan=attempt.call_plan,
            ),
            self._console,
        )


def _permitted(spec: Spec, actor: Actor) -> bool:
    if spec.audience is Audience.PRIVATE:
        return False
    if spec.audience is Audience.SESSION and actor.kind != "run":
        return False
    if spec.audience is Audience.OWNER and not actor.decides:
        return False
    return actor.may(spec.scope)
