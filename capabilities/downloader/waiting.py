"""How much waits for each media server."""

from collections import Counter

from capabilities.rules.verification import verification_from
from ledger.database import Snapshot
from ledger.stores import verifications


def waiting_for(conn: Snapshot) -> Counter[str]:
    """How many imports wait for a media server to show their files, by the server's name."""
    found = Counter[str]()
    for body in verifications.waiting(conn):
        known = verification_from(body)
        if known.accepted is None:
            found.update({check.server for check in known.open if check.server is not None})
    return found
