"""What the API is built from, and how a route reaches it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from capabilities.kernel.registry import Registry
from ledger.ledger import Ledger
from server.diagnostics.diagnosis import Diagnosis
from server.guard.guard import Guard
from server.secrets_at_rest.sealed import SealedSecrets
from server.settings import Settings


@dataclass(frozen=True, slots=True)
class ApiParts:
    """The house as the API sees it.

    Attributes:
        stop: asks the process to end; returns at once.
        public_address: where people reach this server now, without a final slash.
    """

    ledger: Ledger
    registry: Registry
    guard: Guard
    secrets: SealedSecrets
    diagnosis: Diagnosis
    settings: Settings
    version: str
    stop: Callable[[], None]
    public_address: Callable[[], str]


def _parts(request: Request) -> ApiParts:
    return cast("ApiParts", request.app.state.parts)


Parts = Annotated[ApiParts, Depends(_parts)]
