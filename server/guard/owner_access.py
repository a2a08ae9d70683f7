"""The owner's way in: made once with the one-time code, then by passphrase, kept by a session."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import anyio

from capabilities.kernel.actors import Actor, owner
from capabilities.kernel.codes import Code
from ledger.clock import new_token
from ledger.ledger import Ledger
from ledger.stores import access, audit
from ledger.writer import Transaction
from server.guard.faults import DoorError, NotSignedInError
from server.guard.passphrases import Passphrases, refuse_weak
from server.guard.setup_code import as_typed, fresh_code
from server.guard.tries import Door, Limits, count_try, forgive

SESSION_LASTS = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new session; the token is for the cookie and nowhere else."""

    name: str
    until: datetime
    token: str = field(repr=False)


class OwnerAccess:
    """The owner's account in the ledger of one home."""

    def __init__(self, ledger: Ledger, limits: Limits, passphrases: Passphrases) -> None:
        """Build on an opened ledger; everything is kept there."""
        self._ledger = ledger
        self._limits = limits
        self._passphrases = passphrases

    async def exists(self) -> bool:
        """Whether the first start was finished."""
        return await self._ledger.read(access.the_owner) is not None

    async def setup_code(self) -> str | None:
        """A new one-time code to print, which ends every earlier one; None once there is an owner.

        It is stored as a hash only: a code that was lost is replaced at the next start.
        """
        code = fresh_code()

        def put(tx: Transaction) -> str | None:
            if access.the_owner(tx.conn) is not None:
                return None
            access.put_setup_code(tx, as_typed(code), self._ledger.now())
            return code

        return await self._ledger.write(put)

    async def create(self, code: str, name: str, passphrase: str, door: Door) -> SignedIn:
        """Make the owner with the one-time code, which is used up, and sign in.

        Raises:
            DoorError: there is an owner already (conflict), or the passphrase is unfit.
            NotSignedInError: the code is wrong, used or older than a day.
            LockedError: too many tries at the console; at the terminal they wait a little.
        """
        refuse_weak(passphrase)
        if await self.exists():
            raise _second_owner()
        await self._count_try(door)
        stored = await self._passphrases.hashed(passphrase)
        session = self._session(name)

        def make(tx: Transaction) -> None:
            at = self._ledger.now()
            if access.the_owner(tx.conn) is not None:
                raise _second_owner()
            if not access.use_setup_code(tx, as_typed(code), at):
                raise NotSignedInError(
                    "The one-time code is wrong, used or older than a day. `matinee` prints it; "
                    "after `matinee stop`, a new one."
                )
            access.create_owner(tx, name, stored, at)
            self._open(tx, session, door, "owner created")

        await self._ledger.write(make)
        return session

    async def sign_in(self, passphrase: str, door: Door) -> SignedIn:
        """Open a session with the passphrase.

        Raises:
            DoorError: there is no owner yet (precondition).
            NotSignedInError: it is not the passphrase.
            LockedError: too many tries at the console, right or wrong ones alike; at the terminal
                both wait a little.
        """
        person = await self._ledger.read(access.the_owner)
        if person is None:
            raise DoorError(
                Code.PRECONDITION,
                "There is no owner yet. Make one with the one-time code that Matinee prints when "
                "it starts.",
            )
        wrong = await self._count_try(door)
        if not await self._passphrases.matches(passphrase, person.passphrase_hash):
            await self._ledger.write(lambda tx: self._note(tx, f"door:{door}", "sign-in refused"))
            raise NotSignedInError(_not_it(self._limits.pause_after(wrong + 1, door)))
        session = self._session(person.name)
        await self._ledger.write(lambda tx: self._open(tx, session, door, "signed in"))
        return session

    async def sign_out(self, token: str) -> None:
        """End a session; one that has ended already stays ended."""
        at = self._ledger.now()
        await self._ledger.write(lambda tx: access.end_session(tx, token, at))

    async def session(self, token: str) -> Actor | None:
        """The owner behind a living session's token."""
        at = self._ledger.now()
        name = await self._ledger.read(lambda conn: access.session_owner(conn, token, at))
        return None if name is None else owner(name)

    async def _count_try(self, door: Door) -> int:
        """Count a try and have it wait its pause; how many wrong ones came before it."""
        at = self._ledger.now()
        wrong = await self._ledger.write(lambda tx: count_try(tx, door, at, self._limits))
        # Side by side: in a queue, a stranger's tries would keep the owner waiting.
        await anyio.sleep(self._limits.pause_after(wrong, door))
        return wrong

    def _session(self, name: str) -> SignedIn:
        return SignedIn(name, self._ledger.now() + SESSION_LASTS, new_token())

    def _open(self, tx: Transaction, session: SignedIn, door: Door, action: str) -> None:
        forgive(tx, door)
        access.open_session(tx, session.token, session.name, self._ledger.now(), session.until)
        self._note(tx, str(owner(session.name)), action)

    def _note(self, tx: Transaction, actor: str, action: str) -> None:
        audit.write(tx, audit.Entry(self._ledger.now(), actor, action))


def _not_it(pause_s: float) -> str:
    said = "That is not the passphrase."
    return said if not pause_s else f"{said} The next try takes {pause_s:g} s longer."


def _second_owner() -> DoorError:
    return DoorError(Code.CONFLICT, "This home has an owner already. Sign in instead.")
