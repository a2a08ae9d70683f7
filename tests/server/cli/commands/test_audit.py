import json

import pytest

from ledger.stores import audit
from ledger.stores.audit import Entry
from ledger.tables.effects import audit as rows
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import alone, typist


def happened(rig: Rig, *actions: str) -> list[int]:
    """Entries, oldest first; their rows."""
    at = rig.ledger.now()
    rig.write(lambda tx: audit.write(tx, *(Entry(at, "key:local", action) for action in actions)))
    return [row.seq for row in rig.read(lambda conn: audit.newest(conn, limit=len(actions)))[::-1]]


def test_a_whole_trail_is_told_with_its_end(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    happened(rig, "a", "b")
    assert rig.typed("audit", "verify") == Exit.DONE
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("The audit trail is whole: ")
    assert last.startswith(f"It ends with {rig.ledger.worker}:")


def test_an_edited_row_is_named_and_ends_with_1(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    edited = happened(rig, "a", "b", "c")[1]
    before = rig.read(audit.newest)[1]

    def set_actor(name: str) -> None:
        change = rows.update().where(rows.c.seq == edited).values(actor=name)
        rig.write(lambda tx: tx.conn.execute(change) and None)

    set_actor("owner:eve")
    try:
        assert rig.typed("audit", "verify") == Exit.FAILED
        told = capsys.readouterr().out
        assert f"Row {edited}, link" in told
        assert "it was edited or put in" in told
        assert "does not hold" in told
        assert rig.typed("audit", "verify", "--json") == Exit.FAILED
        assert json.loads(capsys.readouterr().out)["faults"][0]["seq"] == edited
    finally:
        set_actor(before.actor)


def test_the_owner_lists_what_was_done(rig: Rig) -> None:
    rows_ = happened(rig, "opened the door", "closed the door")
    home = ("--home", str(rig.home.root))
    with typist("audit", "list", "--limit", "1", "--before", str(rows_[1]), *home) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    assert "opened the door" in person.screen
    assert "closed the door" not in person.screen
    assert f"add `--before {rows_[0]}`" in person.screen


def test_the_words_given_with_an_act_are_listed_with_it(rig: Rig) -> None:
    at = rig.ledger.now()
    turned = Entry(at, "owner:anna", "switch turned", summary={"reason": "guests\x1b[2J"})
    lost = Entry(at, "system:audit", "rows lost", summary={"lost": 2, "why": "no room"})
    rig.write(lambda tx: audit.write(tx, turned, lost))
    with typist("audit", "list", "--limit", "3", "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    lines = person.screen.splitlines()
    assert any("switch turned" in line and line.endswith("guests [2J") for line in lines)
    assert any("rows lost" in line and line.endswith("no room") for line in lines)


def test_the_trail_is_not_listed_without_the_owner(rig: Rig) -> None:
    left = alone("audit", "list", "--home", str(rig.home.root), stdin=f"{PASSPHRASE}\n")
    assert left.returncode == Exit.NEEDS_YOU
    assert "owner created" not in left.stdout


def test_a_run_without_rows_has_none_to_list(rig: Rig) -> None:
    with typist("audit", "list", "--run", "run_x", "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    assert "Nothing was done yet." in person.screen
