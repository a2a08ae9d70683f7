import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction
from tests.ledger.moments import START, later

PAYLOAD: dict[str, Any] = {"files": ["Sintel.mkv", "片头.mkv"], "bytes": 129, "all": True}
PLAN = Plan(
    id="plan_1",
    type="acquisition",
    state=PlanState.DRAFT,
    revision=1,
    payload_hash="what the caller held",
    payload=PAYLOAD,
    card={"title": "Sintel"},
    parent=None,
    run="run_1",
    created_by="key:local",
    created_at=START,
)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
payloads = st.dictionaries(st.text(), json_values, max_size=5)


def changed(plan: Plan, **fields: object) -> Plan:
    return Plan(**{name: fields.get(name, getattr(plan, name)) for name in Plan.__slots__})  # pyright: ignore[reportArgumentType]  # any of its fields


def test_a_hash_is_known_to_others_by_its_rule() -> None:
    assert plans.payload_hash({"b": 1, "a": "é"}) == (
        # printf '{"a":"é","b":1}' | sha256sum
        "aa58fba8483623bed37c1b02edfccbdd9a53123837c20bfa4cb4049993a2872e"
    )


@settings(deadline=None, max_examples=50)
@given(payloads)
def test_a_hash_does_not_depend_on_order_nor_on_having_been_stored(payload: dict[str, Any]) -> None:
    backwards = dict(reversed(payload.items()))
    stored = json.loads(json.dumps(payload))
    assert plans.payload_hash(payload) == plans.payload_hash(backwards)
    assert plans.payload_hash(payload) == plans.payload_hash(stored)


@settings(deadline=None, max_examples=50)
@given(payloads, payloads)
def test_other_payloads_have_other_hashes(one: dict[str, Any], other: dict[str, Any]) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (plans.payload_hash(one) == plans.payload_hash(other)) == same


def test_a_plan_is_stored_with_the_hash_of_its_payload_whatever_the_caller_held(
    tx: Transaction,
) -> None:
    plans.add(tx, PLAN)
    found = plans.by_id(tx.conn, "plan_1")
    assert found == changed(PLAN, payload_hash=plans.payload_hash(PAYLOAD))
    assert found is not None
    assert found.pin.payload_hash == plans.payload_hash(found.payload)
    assert (found.pin.type, found.pin.id, found.pin.revision) == ("acquisition", "plan_1", 1)
    assert plans.by_id(tx.conn, "plan_none") is None


def test_moving_a_plan_leaves_what_it_says(tx: Transaction) -> None:
    plans.add(tx, PLAN)
    before = plans.by_id(tx.conn, "plan_1")
    assert before is not None
    plans.move(tx, "plan_1", PlanState.SUBMITTED)
    assert plans.by_id(tx.conn, "plan_1") == changed(before, state=PlanState.SUBMITTED)


def test_plans_are_found_by_run_and_by_parent(tx: Transaction) -> None:
    plans.add(tx, changed(PLAN, id="plan_2", created_at=later(1)))
    plans.add(tx, PLAN)
    plans.add(tx, changed(PLAN, id="plan_3", run=None, parent="plan_1"))
    assert [plan.id for plan in plans.of_run(tx.conn, "run_1")] == ["plan_1", "plan_2"]
    assert [plan.id for plan in plans.children(tx.conn, "plan_1")] == ["plan_3"]
