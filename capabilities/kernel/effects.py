"""Running handlers: under their time limit, and where they act, under their claim to its end."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import anyio
import structlog
from pydantic import BaseModel

from capabilities.kernel import fault_points
from capabilities.kernel.claiming import Attempt
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Pending, Refused, Unknown
from capabilities.kernel.spec import Effect, Spec
from capabilities.kernel.translate import from_world
from capabilities.kernel.workshop import ANSWER_WITHIN_S, Workshop
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import Claim, Held

STRAY_S = 10.0
"""How long a claim of ours must be seen with nobody at it, before it is given up."""
NOT_SETTLED = "It ended, and how could not be written down."
CHECK = "`matinee status` lists what is unknown; it is looked at again soon"
FOLLOW = "`matinee claims show` with this handle tells how it stands; the same call answers too"

log = structlog.get_logger()


class Effects:
    """The acts of this process.

    Attributes:
        workshop: where those go on that take longer than a call may.
        unsettled: what ran here and whose end may not have been written down.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Nothing is under way."""
        self._ledger = ledger
        self._lost: dict[tuple[str, int], float] = {}
        self._at_work = Counter[str]()
        self._strays: dict[Held, float] = {}
        self.workshop = Workshop()
        self.unsettled: set[Held] = set()

    async def carry_out(
        self, attempt: Attempt, claim: Claim, given: BaseModel, context: Context
    ) -> AnyOutcome:
        """Act under ``claim`` and settle it; what takes long is answered as pending meanwhile."""
        act = partial(self._act, attempt, claim, given, context)
        if attempt.spec.timeout <= ANSWER_WITHIN_S:
            return await act()
        outcome = await self.workshop.do(act, ANSWER_WITHIN_S)
        if outcome is not None:
            return outcome
        return Pending(claim.id, "It is under way and takes longer than a call may.", FOLLOW)

    async def give_up_unsettled(self) -> None:
        """Make unknown what ran here and could not be settled, so that a look can settle it.

        Raises:
            LedgerUnavailableError: it still cannot be written down.
        """
        for held in tuple(self.unsettled):
            await self._give_up(held)
            self.unsettled.discard(held)
        await self._give_up_strays()

    @contextmanager
    def at_work(self, id_: str) -> Generator[None]:
        """Somebody here works at a claim until the end of the block, so it is no stray."""
        self._at_work[id_] += 1
        try:
            yield
        finally:
            self._at_work[id_] -= 1
            if not self._at_work[id_]:
                del self._at_work[id_]

    async def _give_up_strays(self) -> None:
        """Claims of ours that nobody works at: their commit was not answered, and yet it stood.

        One that was just written may not have reached its caller, so it must be seen again, a
        while later, under the same token.
        """
        me = self._ledger.worker
        running = await self._ledger.read(lambda conn: claims.running_of(conn, me))
        now = self._ledger.clock.monotonic()
        self._strays = {
            held: self._strays.get(held, now) for held in running if held.id not in self._at_work
        }
        for held, since in tuple(self._strays.items()):
            if now - since >= STRAY_S:
                await self._give_up(held)

    async def _give_up(self, held: Held) -> None:
        id_, token = held
        await self._ledger.write(
            partial(claims.make_unknown, id_=id_, sentence=NOT_SETTLED, token=token)
        )

    def lost_for(self, claim: Claim) -> float:
        """Seconds since this process learned that the act's end is not known, at the least.

        By the monotonic clock, so that no change of the wall clock makes it longer. A claim of
        another process is counted from the first time that this is asked.
        """
        now = self._ledger.clock.monotonic()
        return now - self._lost.setdefault((claim.id, claim.attempt), now)

    def known(self, claim: Claim) -> None:
        """Forget how long a claim was unknown, for it is no longer."""
        self._lost.pop((claim.id, claim.attempt), None)

    async def run(self, spec: Spec, given: BaseModel, context: Context) -> AnyOutcome:
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
            outcome = our_fault(spec.title)
            if acts:
                outcome = Unknown("Matinee failed in the middle of this; it may be done.", CHECK)
        context.staged.clear()
        return outcome

    async def _act(
        self, attempt: Attempt, claim: Claim, given: BaseModel, context: Context
    ) -> AnyOutcome:
        under_claim = replace(context, invocation=claim.id, staged=[])
        cut_off = Unknown(
            "The call was cut off; whether it was done is not known yet.", CHECK, claim.id
        )
        outcome: AnyOutcome = cut_off
        with self.at_work(claim.id):
            try:
                outcome = _after_claim(await self.run(attempt.spec, given, under_claim), claim)
            except anyio.get_cancelled_exc_class():
                under_claim.staged.clear()
                raise
            finally:
                outcome = await self._settled(attempt, claim, outcome, under_claim) or cut_off
                if isinstance(outcome, Unknown):
                    self.lost_for(claim)
        return outcome

    async def _settled(
        self, attempt: Attempt, claim: Claim, outcome: AnyOutcome, context: Context
    ) -> AnyOutcome | None:
        """Settle the claim, whoever is cancelled; None where that could not be written down."""
        try:
            with self.to_be_settled(claim), anyio.CancelScope(shield=True):
                fault_points.at("before_settle")
                outcome = await attempt.settle(claim, outcome, context)
                fault_points.at("settled")
        except Exception:
            log.exception("a claim could not be settled", invocation=claim.id)
            return None
        return outcome

    @contextmanager
    def to_be_settled(self, claim: Claim) -> Generator[None]:
        """Where this block is left by an exception, the claim is given up at the next occasion.

        It is not before: what is still being written is not taken from whoever writes it.
        """
        try:
            yield
        except BaseException:
            self.unsettled.add(Held(claim.id, claim.token))
            raise


def our_fault(what: str) -> Failed:
    """The failure of a call that broke by a fault of ours; the log has the details."""
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


def _after_claim(outcome: AnyOutcome, claim: Claim) -> AnyOutcome:
    """A refusal comes before the claim; behind it, the same words are a failure.

    What is unknown says under which claim, so that it can be checked.
    """
    match outcome:
        case Refused(code=code, sentence=sentence):
            return Failed(code, sentence, "Nothing was changed.")
        case Unknown(invocation=None):
            return replace(outcome, invocation=claim.id)
        case _:
            return outcome
