import json

import pytest

from ledger.stores.approvals import ApprovalState
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import CTRL_C, CTRL_D, alone, typist


def test_the_owner_approves_with_the_passphrase_typed_at_the_terminal(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    with typist("approve", approval, "--home", str(rig.home.root)) as person:
        person.sees("Download Sintel (2010), bluray 1080p, to Films")
        person.sees("4.20 GB on the download disk")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("Approved, once, for exactly this plan.")
        assert person.leaves() == Exit.DONE
    found = rig.approval(approval)
    assert (found.state, found.decided_by) == (ApprovalState.APPROVED, f"owner:{OWNER}")
    assert PASSPHRASE not in person.screen


def test_another_passphrase_approves_nothing(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    with typist("approve", approval, "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types("not the passphrase\n")
        person.sees("That is not the passphrase.")
        assert person.leaves() == Exit.NEEDS_YOU
    assert rig.approval(approval).state == ApprovalState.REQUESTED


@pytest.mark.parametrize("typed", ["\n", CTRL_D])
def test_no_passphrase_approves_nothing(rig: Rig, typed: str) -> None:
    approval, _ = rig.ask_for_approval()
    with typist("approve", approval, "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(typed)
        person.sees("Nothing was typed, so nothing was done.")
        assert person.leaves() == Exit.NEEDS_YOU
    assert rig.approval(approval).state == ApprovalState.REQUESTED


def test_ctrl_c_at_the_question_approves_nothing(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    with typist("approve", approval, "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(CTRL_C)
        assert person.leaves() == Exit.INTERRUPTED
    assert rig.approval(approval).state == ApprovalState.REQUESTED


def test_a_passphrase_from_anywhere_but_the_terminal_approves_nothing(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    places = {"MATINEE_PASSPHRASE": PASSPHRASE, "PASSPHRASE": PASSPHRASE, "MATINEE_KEY": ""}
    asked = ("approve", approval, "--home", str(rig.home.root))
    without = alone(*asked, stdin=f"{PASSPHRASE}\n{PASSPHRASE}\n", **places)
    assert without.returncode == Exit.NEEDS_YOU
    assert "there is none here" in without.stderr
    for argument in (PASSPHRASE, f"--passphrase={PASSPHRASE}"):
        assert alone(*asked, argument).returncode == Exit.USAGE
    with typist(*asked, stdin=f"{PASSPHRASE}\n", **places) as person:
        person.sees("Passphrase: ")
        person.types("\n")
        assert person.leaves() == Exit.NEEDS_YOU
    assert rig.approval(approval).state == ApprovalState.REQUESTED


def test_a_plan_and_a_decision_name_the_approval_that_waits_for_them(rig: Rig) -> None:
    for named in ("plan", "decision"):
        approval, decision = rig.ask_for_approval()
        typed = rig.approval(approval).plan if named == "plan" else decision
        with typist("approve", typed, "--home", str(rig.home.root)) as person:
            person.sees("Passphrase: ")
            person.types(f"{PASSPHRASE}\n")
            assert person.leaves() == Exit.DONE
        assert rig.approval(approval).state == ApprovalState.APPROVED


def test_what_was_decided_is_not_decided_again(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    asked = ("approve", approval, "--home", str(rig.home.root))
    with typist(*asked) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    again = alone(*asked, "--json")
    assert again.returncode == Exit.FAILED
    assert f"This is approved by owner:{OWNER} already." in again.stderr
    assert json.loads(again.stdout)["error"]["code"] == "conflict"


def test_what_does_not_exist_cannot_be_approved(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed in ("plan_none", "apr_none", "dec_none"):
        assert rig.typed("approve", typed) == Exit.FAILED
    assert "No approval waits for 'plan_none'" in capsys.readouterr().err


def test_the_card_cannot_steer_the_terminal(rig: Rig) -> None:
    hostile = "\x1b]52;c;aGk=\x07\x1b[2JApproved already\u202e"
    approval, _ = rig.ask_for_approval(title=hostile, why=hostile)
    with typist("approve", approval, "--home", str(rig.home.root), NO_COLOR="1") as person:
        person.sees("Passphrase: ")
        assert "\x1b" not in person.screen
        assert "\u202e" not in person.screen
        person.types("\n")
        person.leaves()


def test_what_is_meant_by_the_beginning_of_an_id_is_said_before_the_passphrase(rig: Rig) -> None:
    approval, decision = rig.ask_for_approval()
    with typist("approve", decision[:12], "--home", str(rig.home.root)) as person:
        person.sees(f"{decision[:12]} is {decision}.")
        person.sees("Download Sintel (2010), bluray 1080p, to Films")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    assert rig.approval(approval).state == ApprovalState.APPROVED
