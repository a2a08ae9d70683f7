"""A claim of one worker, for tests in which it loses it."""

from datetime import datetime

from ledger.clock import new_id
from ledger.stores import claims
from ledger.stores.claims import Claim, NewClaim
from ledger.writer import Transaction


def a_claim(tx: Transaction, worker: str, at: datetime) -> Claim:
    """A running claim of ``worker``."""
    key = new_id("key")
    new = NewClaim(
        capability="download.submit",
        version=1,
        actor="key:local",
        principal="key:local",
        run=None,
        request=key,
        call_id=key,
        fingerprint="f" * 64,
        key=key,
        natural_key=None,
        worker=worker,
        target=None,
        plan=None,
        plan_hash=None,
        plan_revision=None,
        authority=None,
    )
    return claims.claim(tx, new, at)
