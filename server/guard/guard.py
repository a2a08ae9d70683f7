"""Who is asking, and whether such a request is heard at all: the same for every HTTP door."""

from collections.abc import Iterable

from starlette.requests import HTTPConnection

from capabilities.kernel.actors import Actor
from capabilities.kernel.spec import Spec
from ledger.ledger import Ledger
from server.guard.faults import NotSignedInError
from server.guard.keys import Keys
from server.guard.origins import (
    is_local,
    own_names,
    refuse_cross_site,
    refuse_key_in_address,
    refuse_wrong_host,
)
from server.guard.owner_access import OwnerAccess
from server.guard.passphrases import Passphrases
from server.guard.scopes import known_scopes
from server.guard.tries import Door, Limits

COOKIE = "matinee_session"


class Guard:
    """The doors of one home.

    Attributes:
        owner: the owner's account and sessions.
        keys: clients' keys.
    """

    def __init__(
        self,
        ledger: Ledger,
        specs: Iterable[Spec],
        *,
        host: str = "127.0.0.1",
        allowed_hosts: Iterable[str] = (),
        limits: Limits | None = None,
        passphrases: Passphrases | None = None,
    ) -> None:
        """Build on an opened ledger.

        Args:
            ledger: where everything is kept.
            specs: the capabilities, from which the scopes follow.
            host: the address the server listens on.
            allowed_hosts: further names it answers under.
            limits: how often secrets may be guessed.
            passphrases: how passphrases are hashed.
        """
        self.owner = OwnerAccess(ledger, limits or Limits(), passphrases or Passphrases())
        self.keys = Keys(ledger, known_scopes(specs))
        self._names = own_names(host, allowed_hosts)

    def admit(self, connection: HTTPConnection) -> None:
        """Look at a request before anything else does; the local socket is out of browsers' reach.

        Raises:
            WrongHostError: it is meant for another name.
            DoorError: it came from another site, or holds a key in its address.
        """
        scope = connection.scope
        if not is_local(scope):
            refuse_wrong_host(connection.headers, self._names)
            with_cookie = COOKIE in connection.cookies
            if with_cookie or "authorization" not in connection.headers:
                refuse_cross_site(scope["method"], connection.headers, with_cookie=with_cookie)
        refuse_key_in_address(scope["path"], scope["query_string"].decode("latin-1"))

    async def actor_for(self, connection: HTTPConnection) -> Actor:
        """Who is asking: the owner by cookie, else a client by key, else this computer's key.

        Raises:
            NotSignedInError: nobody known.
        """
        token = connection.cookies.get(COOKIE)
        person = None if token is None else await self.owner.session(token)
        if person is not None:
            return person
        authorization = connection.headers.get("authorization")
        if authorization is not None:
            return await self.keys.bearer(authorization)
        if token is not None:
            raise NotSignedInError("That session has ended. Sign in again.")
        if is_local(connection.scope):
            return await self.keys.local()
        raise NotSignedInError("Sign in as the owner, or send a key as `Authorization: Bearer …`.")


def door_of(connection: HTTPConnection) -> Door:
    """At which door somebody knocks."""
    return Door.TERMINAL if is_local(connection.scope) else Door.CONSOLE
