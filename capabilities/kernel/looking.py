"""Who may look at an unknown claim, and when: one at a time, not too early, and not for ever."""

from functools import partial

import anyio
import structlog
import svcs

from capabilities.kernel.actors import Actor
from capabilities.kernel.answers import recorded
from capabilities.kernel.effects import Effects
from capabilities.kernel.outcomes import AnyOutcome
from capabilities.kernel.reconcile import Look
from capabilities.kernel.spec import Spec
from capabilities.kernel.workshop import ANSWER_WITHIN_S
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import Claim, ClaimState

log = structlog.get_logger()


class Looks:
    """The looks of this process at acts of unknown outcome."""

    def __init__(self, ledger: Ledger, parts: svcs.Container, effects: Effects) -> None:
        """Take what a look needs."""
        self._ledger = ledger
        self._parts = parts
        self._effects = effects
        self._locks: dict[str, anyio.Lock] = {}

    async def settle(
        self, claim: Claim, spec: Spec | None, by: Actor, patience_s: float
    ) -> AnyOutcome:
        """Look at the world for one claim, if it is still unknown; see `reconcile.Look`.

        A claim is looked at by one at a time, and what takes long to be carried on goes on after
        an answer within ``patience_s`` seconds. Where ``by`` lacks the scope of ``spec``, nothing
        is carried on. What fails unexpectedly leaves it unknown, and so does a capability
        (``spec``) that there is no more.

        Raises:
            LedgerUnavailableError: nothing could be read or written.
        """
        async with self._locks.setdefault(claim.id, anyio.Lock()):
            now = await self._now(claim)
            if now.state is not ClaimState.UNKNOWN:
                self._locks.pop(claim.id, None)
                self._effects.known(claim)
                return recorded(now)
            if spec is None:
                return recorded(now)
            may = by.may(spec.scope)
            look = Look(self._ledger, self._parts, self._effects, spec, now, carries_on=may)
            if look.is_early:
                return recorded(now)
            if spec.timeout <= ANSWER_WITHIN_S:
                return await _settled(look)
            outcome = await self._effects.workshop.do(partial(_if_possible, look), patience_s)
            return recorded(await self._now(claim)) if outcome is None else outcome

    async def _now(self, claim: Claim) -> Claim:
        return await self._ledger.read(lambda conn: claims.by_id(conn, claim.id)) or claim


async def _settled(look: Look) -> AnyOutcome:
    try:
        return await look.settle()
    except LedgerUnavailableError:
        raise
    except Exception:
        claim = look.claim
        log.exception("a look failed", capability=claim.capability, invocation=claim.id)
        return recorded(claim)


async def _if_possible(look: Look) -> AnyOutcome:
    """For a look that nobody may wait for: a ledger that went away is only noted."""
    try:
        return await _settled(look)
    except LedgerUnavailableError as fault:
        log.warning("a look could not be written down", why=str(fault))
        return recorded(look.claim)
