from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind, DecisionState
from server.cli.api_client import connected
from server.cli.sorts import (
    APPROVAL,
    APPROVAL_STATES,
    DECISION,
    DECISION_STATES,
    PLAN,
    RUN,
    pages,
)
from tests.server.cli.rig import CARD, Rig

TITLE = str(CARD["title"])


def test_every_state_that_there_is_is_looked_through() -> None:
    assert set(APPROVAL_STATES) == set(ApprovalState)
    assert set(DECISION_STATES) == set(DecisionState)


def test_a_list_is_read_to_its_end(rig: Rig) -> None:
    ids = [rig.decide(DecisionKind.OTHER, f"Question {n}") for n in range(5)]
    with connected(rig.home) as api:
        read = [each["id"] for each in pages(api, "/decisions", "decisions", {"limit": 2})]
    assert set(ids) <= set(read)
    assert len(read) == len(set(read))
    for id_ in ids:
        rig.settle(id_)


def test_each_is_listed_with_what_a_person_knows_it_by(rig: Rig) -> None:
    approval, decision = rig.ask_for_approval()
    plan = rig.approval(approval).plan
    settled = rig.decide(DecisionKind.OTHER, "Settled\x1b[2J")
    rig.settle(settled)
    assert rig.typed("ask", "a goal", "--no-follow") == 0
    with connected(rig.home) as api:
        assert (approval, TITLE) in list(APPROVAL.listed(api))
        assert (plan, TITLE) in list(PLAN.listed(api))
        decisions = dict(DECISION.listed(api))
        runs = dict(RUN.listed(api))
    assert decisions[decision] == TITLE
    assert decisions[settled] == "Settled [2J"
    assert list(runs.values()) == ["a goal"]
