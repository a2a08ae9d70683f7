import pytest

from ledger.stores.decisions import DecisionKind
from server.cli.api_client import connected
from server.cli.exits import EndError
from server.cli.finding import approval_of, decision_of, whole_id
from tests.server.cli.rig import Rig


def test_approval_plan_and_decision_lead_to_the_same_approval(rig: Rig) -> None:
    approval, decision = rig.ask_for_approval()
    plan = rig.approval(approval).plan
    with connected(rig.home) as api:
        for whole in (approval, decision, plan):
            for typed in (whole, whole[:-20]):
                assert whole_id(api, typed) == whole
            assert approval_of(api, whole)["id"] == approval


def test_a_decision_and_its_approval_lead_to_the_same_decision(rig: Rig) -> None:
    approval, decision = rig.ask_for_approval()
    rig.settle(decision)
    with connected(rig.home) as api:
        assert decision_of(api, approval)["id"] == decision
        assert decision_of(api, decision)["approval"] == approval
        with pytest.raises(EndError, match="No decision carries this approval"):
            decision_of(api, "apr_none")


def test_a_decision_about_something_else_asks_for_no_approval(rig: Rig) -> None:
    id_ = rig.decide(DecisionKind.OTHER, "Shall it?")
    with connected(rig.home) as api, pytest.raises(EndError, match="asks for no approval"):
        approval_of(api, id_)
    rig.settle(id_)


def test_what_is_none_of_them_is_not_found(rig: Rig) -> None:
    with connected(rig.home) as api:
        assert whole_id(api, "inv_0123456789") == "inv_0123456789"
        with pytest.raises(EndError) as fault:
            approval_of(api, "something\x1b")
    assert fault.value.code == "not_found"
    assert "\x1b" not in fault.value.sentence
