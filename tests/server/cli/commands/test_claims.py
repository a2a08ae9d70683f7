import json
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.stores import claims
from ledger.stores.claims import ClaimState
from server.cli.exits import Exit
from tests.ledger.stores.test_claims import NEW
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig, rigged
from tests.server.cli.typist import alone, typist

RUN = f"run_{'1' * 32}"


def unknown(rig: Rig, sentence: str = "The client did not answer.") -> str:
    """The act that was left unknown last."""
    return rig.leave_unknown(sentence)


def state(rig: Rig, id_: str) -> ClaimState:
    found = rig.read(lambda conn: claims.by_id(conn, id_))
    assert found is not None
    return found.state


def test_nothing_was_done_in_a_new_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rigged(tmp_path) as rig:
        assert rig.typed("claims", "list") == Exit.DONE
    assert capsys.readouterr().out == "Nothing was done yet.\n"


def test_what_is_unknown_is_listed_first_and_can_be_sought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged(tmp_path) as rig:
        id_ = unknown(rig)
        for n in range(2):
            new = replace(NEW, key=f"k{n}", plan=None, run=RUN)
            rig.write(lambda tx, new=new: claims.claim(tx, new, rig.ledger.now()))
        assert rig.typed("claims", "list") == Exit.UNKNOWN
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines] == ["unknown", "running", "running"]
        assert lines[0].endswith(id_)
        assert rig.typed("claims", "list", "--run", RUN, "--limit", "1") == Exit.DONE
        page = capsys.readouterr().out
        assert f"and 1 more: {rig.hint(f'claims list --run {RUN} --limit 1 --cursor 1')}" in page
        assert rig.typed("claims", "list", "--capability", "no.such") == Exit.DONE
        assert "None of that sort; 3 acts in all." in capsys.readouterr().out
        assert rig.typed("claims", "list", "--state", "unknown", "--json") == Exit.UNKNOWN
        document = json.loads(capsys.readouterr().out)
        assert [each["id"] for each in document["invocations"]] == [id_]
        assert document["totals"] == {"unknown": 1, "running": 2}


def test_one_is_shown_with_what_was_seen_and_what_to_do(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = unknown(rig, "It hung up.\x1b[2J")
    assert rig.typed("claims", "show", id_) == Exit.UNKNOWN
    page = capsys.readouterr().out
    assert "download.submit (unknown)" in page
    assert "It hung up. [2J" in page
    assert f"{rig.hint(f'claims check {id_}')} looks again" in page
    assert rig.typed("claims", "check", id_) == Exit.UNKNOWN
    assert "(unknown)" in capsys.readouterr().out
    assert rig.typed("claims", "show", "inv_none") == Exit.FAILED


@pytest.mark.parametrize(
    ("word", "ends", "told"),
    [
        ("done", ClaimState.SUCCEEDED, "Settled as done. It counts as done"),
        ("not-done", ClaimState.FAILED, "Settled as not done. It counts as not done"),
    ],
)
def test_the_owner_settles_one_with_the_passphrase_typed_at_the_terminal(
    rig: Rig, word: str, ends: ClaimState, told: str
) -> None:
    id_ = unknown(rig)
    given = ("--as", word, "--reason", "I looked", "--home", str(rig.home.root))
    with typist("claims", "settle", id_, *given) as person:
        person.sees("download.submit (unknown)")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees(told)
        assert person.leaves() == Exit.DONE
    assert state(rig, id_) is ends
    again = alone("claims", "settle", id_, *given)
    assert again.returncode == Exit.FAILED
    assert "nothing to settle" in again.stderr


def test_without_the_owner_at_the_terminal_nothing_is_settled(rig: Rig) -> None:
    id_ = unknown(rig)
    given = ("--as", "done", "--reason", "I looked", "--home", str(rig.home.root))
    without = alone("claims", "settle", id_, *given, stdin=f"{PASSPHRASE}\n")
    assert without.returncode == Exit.NEEDS_YOU
    assert "there is none here" in without.stderr
    with typist("claims", "settle", id_, *given) as person:
        person.sees("Passphrase: ")
        person.types("not the passphrase\n")
        assert person.leaves() == Exit.NEEDS_YOU
    assert state(rig, id_) is ClaimState.UNKNOWN
    assert alone("claims", "settle", id_, "--as", "done").returncode == Exit.USAGE


def test_the_beginning_of_an_id_will_do_and_is_said_before_an_act(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = unknown(rig)
    assert rig.typed("claims", "show", id_[:12]) == Exit.UNKNOWN
    assert id_ in capsys.readouterr().out
    assert rig.typed("claims", "check", id_[:12]) == Exit.UNKNOWN
    assert f"{id_[:12]} is {id_}." in capsys.readouterr().err
    given = ("--as", "done", "--reason", "I looked", "--home", str(rig.home.root))
    with typist("claims", "settle", id_[:12], *given) as person:
        person.sees(f"{id_[:12]} is {id_}.")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    assert state(rig, id_) is ClaimState.SUCCEEDED


def test_acts_of_a_run_are_sought_by_the_beginning_of_its_id(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("ask", "x", "--no-follow") == Exit.DONE
    run = capsys.readouterr().out.strip()
    new = replace(NEW, key="of a run", plan=None, run=run)
    id_ = rig.write(lambda tx: claims.claim(tx, new, rig.ledger.now())).id
    assert rig.typed("claims", "list", "--run", run[:12], "--json") == Exit.DONE
    listed = json.loads(capsys.readouterr().out)["invocations"]
    assert [each["id"] for each in listed] == [id_]
