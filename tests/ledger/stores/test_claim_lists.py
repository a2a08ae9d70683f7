from dataclasses import replace

from ledger.stores import claim_lists, claims
from ledger.stores.claim_lists import Sought
from ledger.stores.claims import ClaimState
from ledger.writer import Transaction
from tests.ledger.moments import later
from tests.ledger.stores.test_claims import NEW


def test_claims_are_sought_by_state_capability_and_run_a_page_at_a_time(tx: Transaction) -> None:
    for n in range(5):
        changed = {"run": "run_1"} if n < 3 else {"capability": "organize.execute"}
        made = claims.claim(tx, replace(NEW, key=f"k{n}", **changed), later(n))
        if n in (1, 4):
            claims.make_unknown(tx, made.id, "?")

    def sought(limit: int = 50, offset: int = 0, **wanted: str) -> tuple[list[str], int]:
        found, total = claim_lists.listing(tx.conn, Sought(**wanted), limit=limit, offset=offset)  # pyright: ignore[reportArgumentType]  # words of its fields
        return [claim.key for claim in found], total

    assert sought() == (["k4", "k1", "k3", "k2", "k0"], 5)
    assert sought(2, 1) == (["k1", "k3"], 5)
    assert sought(state="unknown") == (["k4", "k1"], 2)
    assert sought(run="run_1", state="running") == (["k2", "k0"], 2)
    assert sought(capability="organize.execute") == (["k4", "k3"], 2)
    assert sought(capability="none") == ([], 0)
    assert claim_lists.totals(tx.conn) == {ClaimState.UNKNOWN: 2, ClaimState.RUNNING: 3}
