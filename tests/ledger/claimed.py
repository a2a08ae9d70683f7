"""A claim of one worker, for tests in which it loses it."""

from datetime import datetime

from ledger.clock import new_id
from ledger.stores import claims
from ledger.stores.claims import Claim
from ledger.writer import Transaction
from tests.ledger.rows import new_claim


def a_claim(tx: Transaction, worker: str, at: datetime) -> Claim:
    """A running claim of ``worker``."""
    key = new_id("key")
    new = new_claim(request=key, call_id=key, fingerprint="f" * 64, key=key, worker=worker)
    return claims.claim(tx, new, at)
