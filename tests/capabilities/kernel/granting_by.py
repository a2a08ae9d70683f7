"""Grants for tests, made as the owner makes them."""

from datetime import datetime
from typing import Any

from capabilities.kernel.grant_making import GrantFacts, make
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.targets import Reach
from ledger.stores.grants import NewGrant, Scope, Terms
from tests.capabilities.kernel.lamps import ANN, House

FILM = Reach(("work_1",), "film", "embedded", "Films", 40)


async def grant_of(
    here: House,
    action: str = "lamp.light",
    *,
    calls: int | None = None,
    size: int | None = None,
    until: datetime | None = None,
    may_replace: bool = False,
    policy: tuple[str, int] | None = None,
    by: Any = ANN,
    **scope: list[str],
) -> Outcome[GrantFacts]:
    """What comes of making a grant."""
    terms = Terms(Scope.of(scope), calls, size, may_replace, until)
    kind, version = policy or (None, None)
    new = NewGrant(action, terms, "for a test", kind, version)
    return await make(here.ledger, here.registry.specs, new, by=by)


async def granted(here: House, action: str = "lamp.light", **given: Any) -> GrantFacts:
    """A grant, made."""
    outcome = await grant_of(here, action, **given)
    assert isinstance(outcome, Succeeded), outcome
    return outcome.data
