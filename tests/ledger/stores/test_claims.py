from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.stores import claims
from ledger.stores.claims import (
    LEFT_PARTLY,
    NOT_DONE,
    TRY_AGAIN,
    UNSETTLED,
    Claim,
    ClaimState,
    NewClaim,
    Settlement,
)
from ledger.writer import Transaction
from tests.ledger.moments import START, later

NEW = NewClaim(
    capability="download.submit",
    version=1,
    actor="key:local",
    principal="key:local",
    run=None,
    request="request",
    call_id="call",
    fingerprint="f" * 64,
    key="plan:plan_1:1",
    natural_key="btih:aa",
    worker="worker-1",
    target={"kind": "torrent"},
    plan="plan_1",
    plan_hash="h" * 64,
    plan_revision=1,
    authority="apr_1",
)
DONE = Settlement(ClaimState.SUCCEEDED, {"download": "dl:1"}, sentence="It was done.")
UNDONE = Settlement(ClaimState.FAILED, code="unavailable", evidence={NOT_DONE: True})


def now(tx: Transaction, claim: Claim) -> Claim:
    found = claims.by_id(tx.conn, claim.id)
    assert found is not None
    return found


def test_a_claim_is_running_under_a_token_of_its_own(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    other = claims.claim(tx, replace(NEW, key="plan:plan_2:1"), START)
    assert (made.state, made.attempt, made.claimed_at) == (ClaimState.RUNNING, 1, START)
    assert (made.settled_at, made.result, made.code, made.evidence) == (None, None, None, None)
    assert made.token != other.token
    assert claims.by_key(tx.conn, NEW.key) == made == now(tx, made)
    assert all(getattr(made, name) == getattr(NEW, name) for name in NewClaim.__slots__)


def test_what_was_never_claimed_is_not_found(tx: Transaction) -> None:
    assert claims.by_id(tx.conn, "inv_none") is None
    assert claims.by_key(tx.conn, "none") is None
    assert claims.by_call(tx.conn, "key:local", "none") is None
    assert claims.by_request(tx.conn, "none") is None
    assert claims.unsettled_on(tx.conn, "btih:none") is None


def test_a_settlement_ends_a_claim_once(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    assert claims.settle(tx, made.id, made.token, DONE, later(1))
    settled = now(tx, made)
    assert (settled.state, settled.result, settled.settled_at) == (
        ClaimState.SUCCEEDED,
        {"download": "dl:1"},
        later(1),
    )
    assert not claims.settle(tx, made.id, made.token, UNDONE, later(2))
    assert now(tx, made) == settled


def test_a_settlement_with_another_token_changes_nothing(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    assert not claims.settle(tx, made.id, "another token", DONE, later(1))
    assert now(tx, made) == made


def test_pending_and_unknown_are_no_end_and_may_still_be_settled(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    for state in (ClaimState.PENDING, ClaimState.UNKNOWN):
        assert claims.settle(tx, made.id, made.token, Settlement(state, sentence="?"), later(1))
        assert (now(tx, made).state, now(tx, made).settled_at) == (state, None)
    assert claims.settle(tx, made.id, made.token, DONE, later(2))


def test_a_key_that_was_verified_as_undone_is_claimed_again_under_a_new_token(
    tx: Transaction,
) -> None:
    first = claims.claim(tx, NEW, START)
    claims.settle(tx, first.id, first.token, UNDONE, later(1))
    assert now(tx, first).free_again
    again = claims.claim(tx, replace(NEW, worker="worker-2", call_id="call 2"), later(2))
    assert (again.id, again.attempt, again.state) == (first.id, 2, ClaimState.RUNNING)
    assert (again.worker, again.call_id, again.claimed_at) == ("worker-2", "call 2", later(2))
    assert (again.settled_at, again.code, again.evidence) == (None, None, None)
    assert not claims.settle(tx, first.id, first.token, DONE, later(3))
    assert now(tx, first) == again


def test_a_failure_whose_handler_said_try_again_frees_its_key_too(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    end = Settlement(ClaimState.FAILED, code="unavailable", evidence={TRY_AGAIN: True})
    claims.settle(tx, made.id, made.token, end, START)
    assert now(tx, made).free_again
    assert claims.claim(tx, NEW, later(1)).attempt == 2


def test_only_a_failure_with_a_mark_frees_its_key(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    assert not made.free_again
    claims.settle(tx, made.id, made.token, Settlement(ClaimState.FAILED, code="denied"), START)
    assert not now(tx, made).free_again
    assert not replace(made, state=ClaimState.UNKNOWN, evidence={NOT_DONE: True}).free_again


def test_the_dead_are_disowned_and_the_living_are_not(tx: Transaction) -> None:
    dead = claims.claim(tx, NEW, START)
    alive = claims.claim(tx, replace(NEW, key="k2", worker="worker-2"), START)
    over = claims.claim(tx, replace(NEW, key="k3"), START)
    claims.settle(tx, over.id, over.token, DONE, START)
    assert claims.disown(tx, "worker-2") == [dead.id]
    left = now(tx, dead)
    assert left.state is not ClaimState.RUNNING
    assert (left.state, left.settled_at) == (ClaimState.UNKNOWN, None)
    assert left.token != dead.token
    assert left.sentence is not None
    assert now(tx, alive) == alive
    assert now(tx, over).state == ClaimState.SUCCEEDED
    assert not claims.settle(tx, dead.id, dead.token, DONE, START)
    assert claims.settle(tx, dead.id, left.token, DONE, START)
    assert claims.disown(tx, "worker-2") == []


def test_one_dead_worker_is_disowned_and_the_others_are_not(tx: Transaction) -> None:
    dead = claims.claim(tx, NEW, START)
    also = claims.claim(tx, replace(NEW, key="k2"), later(1))
    alive = claims.claim(tx, replace(NEW, key="k3", worker="worker-2"), START)
    over = claims.claim(tx, replace(NEW, key="k4"), START)
    claims.settle(tx, over.id, over.token, DONE, START)
    assert claims.disown_worker(tx, "worker-1") == [dead.id, also.id]
    assert [now(tx, each).state for each in (dead, also, alive, over)] == [
        ClaimState.UNKNOWN,
        ClaimState.UNKNOWN,
        ClaimState.RUNNING,
        ClaimState.SUCCEEDED,
    ]
    assert not claims.settle(tx, dead.id, dead.token, DONE, START)
    assert claims.disown_worker(tx, "worker-1") == []


def test_an_unknown_claim_is_taken_up_by_one_under_a_new_token(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    assert claims.take_up(tx, made.id, made.token, "worker-2") is None
    claims.make_unknown(tx, made.id, "cut off")
    left = now(tx, made)
    token = claims.take_up(tx, made.id, left.token, "worker-2")
    assert token is not None
    assert claims.take_up(tx, made.id, left.token, "worker-3") is None
    taken = now(tx, made)
    assert (taken.state, taken.worker, taken.attempt) == (ClaimState.RUNNING, "worker-2", 1)
    assert not claims.settle(tx, made.id, left.token, DONE, START)
    assert claims.settle(tx, made.id, token, DONE, START)


def test_only_what_is_running_can_be_made_unknown(tx: Transaction) -> None:
    made = claims.claim(tx, NEW, START)
    claims.settle(tx, made.id, made.token, DONE, START)
    claims.make_unknown(tx, made.id, "nobody knows")
    assert now(tx, made).state == ClaimState.SUCCEEDED


def test_the_newest_unsettled_claim_on_a_thing_is_found_whoever_made_it(tx: Transaction) -> None:
    older = claims.claim(tx, NEW, START)
    newer = claims.claim(tx, replace(NEW, key="k2", principal="owner:ann"), later(1))
    claims.claim(tx, replace(NEW, key="k3", natural_key="btih:bb"), later(2))
    assert claims.unsettled_on(tx.conn, "btih:aa") == newer
    claims.settle(tx, newer.id, newer.token, DONE, later(3))
    assert claims.unsettled_on(tx.conn, "btih:aa") == older
    claims.settle(tx, older.id, older.token, UNDONE, later(3))
    assert claims.unsettled_on(tx.conn, "btih:aa") is None


def test_calls_are_told_apart_by_their_principal(tx: Transaction) -> None:
    mine = claims.claim(tx, NEW, START)
    theirs = claims.claim(tx, replace(NEW, key="k2", principal="key:other"), START)
    assert claims.by_call(tx.conn, "key:local", "call") == mine
    assert claims.by_call(tx.conn, "key:other", "call") == theirs


def test_the_newest_claim_of_a_request_is_found(tx: Transaction) -> None:
    claims.claim(tx, NEW, START)
    newer = claims.claim(tx, replace(NEW, key="k2"), later(1))
    assert claims.by_request(tx.conn, "request") == newer


def test_claims_are_listed_by_state_by_run_and_with_the_unknown_first(tx: Transaction) -> None:
    first = claims.claim(tx, replace(NEW, run="run_1"), START)
    second = claims.claim(tx, replace(NEW, key="k2", run="run_1"), later(1))
    third = claims.claim(tx, replace(NEW, key="k3"), later(2))
    claims.make_unknown(tx, first.id, "?")
    ids = {claim.id: n for n, claim in enumerate((first, second, third), 1)}

    def numbers(found: list[Claim]) -> list[int]:
        return [ids[claim.id] for claim in found]

    assert numbers(claims.in_state(tx.conn, ClaimState.RUNNING)) == [2, 3]
    assert numbers(claims.in_state(tx.conn, ClaimState.RUNNING, limit=1)) == [2]
    assert numbers(claims.of_run(tx.conn, "run_1")) == [1, 2]
    assert numbers(claims.newest(tx.conn)) == [1, 3, 2]
    assert numbers(claims.newest(tx.conn, limit=2)) == [1, 3]


def test_every_claim_in_a_state_is_found_however_many_there_are(tx: Transaction) -> None:
    for n in range(250):
        claims.make_unknown(tx, claims.claim(tx, replace(NEW, key=f"k{n}"), later(n)).id, "?")
    assert len(claims.in_state(tx.conn, ClaimState.UNKNOWN)) == 250


moves = st.lists(
    st.tuples(st.sampled_from(("settle", "disown", "claim")), st.sampled_from(ClaimState)),
    max_size=8,
)


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(moves=moves)
def test_no_history_changes_what_has_succeeded(
    tx: Transaction, moves: list[tuple[str, ClaimState]]
) -> None:
    savepoint = tx.conn.begin_nested()
    tokens = [claims.claim(tx, NEW, START).token]
    id_ = claims.by_key(tx.conn, NEW.key)
    assert id_ is not None
    succeeded = False
    for act, state in moves:
        before = now(tx, id_)
        if act == "settle":
            done = claims.settle(tx, id_.id, tokens[0], Settlement(state), START)
            assert done == (before.token == tokens[0] and before.state in UNSETTLED)
        elif act == "disown":
            claims.disown(tx, "worker-2")
        elif before.free_again:
            tokens.append(claims.claim(tx, NEW, START).token)
        succeeded = succeeded or now(tx, id_).state == ClaimState.SUCCEEDED
        assert not succeeded or now(tx, id_).state == ClaimState.SUCCEEDED
    savepoint.rollback()


def test_what_an_earlier_attempt_left_behind_stays_with_the_next_one(tx: Transaction) -> None:
    first = claims.claim(tx, NEW, START)
    marks = {LEFT_PARTLY: True, TRY_AGAIN: True}
    end = Settlement(ClaimState.FAILED, code="unavailable", evidence=marks)
    assert claims.settle(tx, first.id, first.token, end, START)
    second = claims.claim(tx, NEW, START)
    assert (second.id, second.attempt, second.left_partly) == (first.id, 2, True)
    assert claims.by_id(tx.conn, first.id) == second
