import json

import pytest

from ledger.stores.approvals import ApprovalState
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import alone, typist


def withdrawn(rig: Rig, typed: str) -> str:
    asked = ("approval", "withdraw", typed, "--reason", "not tonight")
    with typist(*asked, "--home", str(rig.home.root)) as person:
        person.sees("Download Sintel (2010), bluray 1080p, to Films")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    return person.screen


def test_the_owner_takes_back_what_was_asked(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    approval, decision = rig.ask_for_approval()
    assert "Withdrawn." in withdrawn(rig, decision)
    found = rig.approval(approval)
    assert (found.state, found.reason) == (ApprovalState.WITHDRAWN, "not tonight")
    assert rig.typed("approval", "show", approval) == Exit.DONE
    assert "\nwithdrawn." in capsys.readouterr().out


def test_approvals_are_listed_by_state(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    waiting, _ = rig.ask_for_approval()
    gone, _ = rig.ask_for_approval()
    withdrawn(rig, gone)

    def listed(*more: str) -> list[str]:
        assert rig.typed("approval", "list", "--json", *more) == Exit.DONE
        return [each["id"] for each in json.loads(capsys.readouterr().out)["approvals"]]

    assert waiting in listed()
    assert gone not in listed()
    assert gone in listed("--state", "withdrawn")
    assert waiting not in listed("--state", "withdrawn", "--state", "lapsed")
    assert {waiting, gone} <= set(listed("--state", "all"))
    assert rig.typed("approval", "list") == Exit.DONE
    assert f"Download Sintel (2010), bluray 1080p, to Films  {waiting}" in capsys.readouterr().out
    assert rig.typed("approval", "list", "--state", "lapsed") == Exit.DONE
    assert capsys.readouterr().out == "There is none.\n"


def test_a_decided_one_says_by_whom_and_why(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    approval, _ = rig.ask_for_approval()
    with typist(
        "decline", approval, "--reason", "too large", "--home", str(rig.home.root)
    ) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    assert rig.typed("approval", "show", approval) == Exit.DONE
    assert f"declined, decided by owner:{OWNER}: too large." in capsys.readouterr().out


def test_nothing_is_taken_back_without_the_owner(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    asked = ("approval", "withdraw", approval, "--reason", "x", "--home", str(rig.home.root))
    assert alone(*asked, stdin=f"{PASSPHRASE}\n").returncode == Exit.NEEDS_YOU
    assert rig.approval(approval).state == ApprovalState.REQUESTED


def test_what_is_meant_by_the_beginning_of_an_id_is_said_before_the_passphrase(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    asked = ("approval", "withdraw", approval[:12], "--reason", "x", "--home", str(rig.home.root))
    with typist(*asked) as person:
        person.sees(f"{approval[:12]} is {approval}.")
        person.sees("Passphrase: ")
        person.types("\n")
        person.leaves()
    assert rig.approval(approval).state == ApprovalState.REQUESTED
