import json

import pytest

from ledger.stores import switches
from ledger.stores.switches import SwitchName
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import alone, typist


def turned(rig: Rig, how: str, name: str, reason: str = "a test") -> str:
    """Turn a switch as the owner; what was seen."""
    asked = ("switch", how, name, "--reason", reason, "--home", str(rig.home.root))
    with typist(*asked) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    return person.screen


def test_a_new_home_acts_and_may_be_changed(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("switch", "show", "--json") == Exit.DONE
    found = json.loads(capsys.readouterr().out)["switches"]
    assert {each["name"]: each["on"] for each in found} == {"master": True, "read_only": False}


def test_the_owner_turns_a_switch_and_everybody_sees_why(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "master is off." in turned(rig, "off", "master", "guests\x1b[2J")
    held = rig.read(lambda conn: switches.get(conn, SwitchName.MASTER))
    assert (held.on, held.set_by) == (False, f"owner:{OWNER}")
    assert rig.typed("switch", "show") == Exit.DONE
    shown = capsys.readouterr().out
    assert f"master     off  by owner:{OWNER}: guests" in shown
    assert "\x1b" not in shown
    turned(rig, "on", "master")
    turned(rig, "on", "read_only")
    turned(rig, "off", "read_only")
    standing = {each.name: each.on for each in rig.read(switches.every)}
    assert standing == {SwitchName.MASTER: True, SwitchName.READ_ONLY: False}


def test_no_switch_is_turned_without_the_owner(rig: Rig) -> None:
    before = rig.read(switches.every)
    asked = ("switch", "off", "master", "--reason", "x", "--home", str(rig.home.root))
    assert alone(*asked, stdin=f"{PASSPHRASE}\n").returncode == Exit.NEEDS_YOU
    with typist(*asked) as person:
        person.sees("Passphrase: ")
        person.types("not the passphrase\n")
        assert person.leaves() == Exit.NEEDS_YOU
    assert rig.read(switches.every) == before


def test_a_switch_needs_its_name_and_a_reason(rig: Rig) -> None:
    assert rig.typed("switch", "off", "master") == Exit.USAGE
    assert rig.typed("switch", "off", "everything", "--reason", "x") == Exit.USAGE
