"""An act that was written down, as people and programs are shown it."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel

from capabilities.rules.outside_text import cleaned
from ledger.database import Snapshot
from ledger.stores import plans
from ledger.stores.claims import Claim, ClaimState


class InvocationFacts(BaseModel):
    """Who did what to what, by which authority, since when, and what is known of it.

    `seen` is what a look at the world found; `do` is what the reader can do about it, where there
    is something.
    """

    id: str
    capability: str
    version: int
    actor: str
    run: str | None
    state: ClaimState
    code: str | None
    sentence: str | None
    about: str
    target: dict[str, Any] | None
    plan: str | None
    authority: str | None
    attempt: int
    claimed_at: datetime
    settled_at: datetime | None
    seen: dict[str, Any] | None
    do: str | None


def act_facts(conn: Snapshot, claim: Claim) -> InvocationFacts:
    """A claim without its token, its key and its caller's identity."""
    return InvocationFacts(
        id=claim.id,
        capability=claim.capability,
        version=claim.version,
        actor=claim.actor,
        run=claim.run,
        state=claim.state,
        code=claim.code,
        sentence=claim.sentence,
        about=_about(conn, claim),
        target=claim.target,
        plan=claim.plan,
        authority=claim.authority,
        attempt=claim.attempt,
        claimed_at=claim.claimed_at,
        settled_at=claim.settled_at,
        seen=claim.evidence,
        do=_do(claim),
    )


def _about(conn: Snapshot, claim: Claim) -> str:
    """What was acted on, in a person's words where a plan has them."""
    plan = None if claim.plan is None else plans.by_id(conn, claim.plan)
    if plan is not None and plan.card.get("title"):
        return cleaned(str(plan.card["title"]))
    target = claim.target or {}
    named = (target.get("kind"), target.get("natural_key"))
    return " ".join(str(each) for each in named if each) or claim.capability


def _do(claim: Claim) -> str | None:
    match claim.state:
        case ClaimState.UNKNOWN:
            return (
                f"`matinee claims check {claim.id}` looks again; if you know yourself, "
                f"`matinee claims settle {claim.id} --as done --reason …` says so, or that with "
                "`--as not-done`."
            )
        case ClaimState.RUNNING:
            return "It is being worked at; nothing is to be done."
        case ClaimState.PENDING:
            return "It was accepted and goes on outside; `matinee status` shows what comes of it."
        case _:
            return None
