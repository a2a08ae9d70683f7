"""Who may use a route."""

from typing import Annotated

from fastapi import Depends, Request

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from server.api.parts import Parts
from server.guard.faults import DoorError
from server.guard.guard import door_of
from server.guard.scopes import READ
from server.guard.tries import Door


async def _caller(request: Request, parts: Parts) -> Actor:
    return await parts.guard.actor_for(request)


Caller = Annotated[Actor, Depends(_caller)]
"""Whoever is known; what they may do is for the registry to say."""


def _reader(actor: Caller) -> Actor:
    if not actor.may(READ):
        raise DoorError(Code.DENIED, f"This key lacks the scope {READ!r}.")
    return actor


Reader = Annotated[Actor, Depends(_reader)]
"""Whoever may read."""


def _owner(actor: Caller) -> Actor:
    if not actor.decides:
        raise DoorError(Code.DENIED, "Only the signed-in owner may do this; a key never does.")
    return actor


SignedInOwner = Annotated[Actor, Depends(_owner)]
"""The owner, by the session's cookie."""


def _at_the_terminal(request: Request) -> None:
    if door_of(request) is not Door.TERMINAL:
        raise DoorError(
            Code.DENIED, "Only the computer that Matinee runs on may do this: use `matinee stop`."
        )


AtTheTerminal = Depends(_at_the_terminal)
"""Whoever came through the local Unix socket."""
