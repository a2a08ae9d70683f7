from ledger.stores.approvals import ApprovalState
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import alone, typist


def test_the_owner_declines_with_a_reason(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    asked = ("decline", approval, "--reason", "too large", "--home", str(rig.home.root))
    with typist(*asked) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("Declined.")
        assert person.leaves() == Exit.DONE
    found = rig.approval(approval)
    assert (found.state, found.reason) == (ApprovalState.DECLINED, "too large")


def test_declining_without_a_reason_is_wrong_usage(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    assert rig.typed("decline", approval) == Exit.USAGE
    assert rig.approval(approval).state == ApprovalState.REQUESTED


def test_without_a_terminal_nothing_is_declined(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    asked = ("decline", approval, "--reason", "no", "--home", str(rig.home.root))
    left = alone(*asked, stdin=f"{PASSPHRASE}\n")
    assert left.returncode == Exit.NEEDS_YOU
    assert rig.approval(approval).state == ApprovalState.REQUESTED
