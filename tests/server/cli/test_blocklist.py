import json

import pytest

from ledger.stores import blocklist
from ledger.stores.blocklist import BlockRow
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import alone, typist

BLOCKLIST = ("policy", "blocklist")


def typed_as_owner(rig: Rig, *arguments: str) -> str:
    """Type it, with the passphrase at the terminal; what was seen."""
    with typist(*BLOCKLIST, *arguments, "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    return person.screen


def held(rig: Rig) -> list[BlockRow]:
    return rig.read(lambda conn: blocklist.listing(conn, removed=False, limit=100))[0]


def test_a_person_blocks_a_release_sees_it_and_lets_it_be_taken_again(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed(*BLOCKLIST, "list") == Exit.DONE
    assert capsys.readouterr().out == "Nothing is blocked.\n"
    title = "Sintel.2010\x1b[2J-FAKE"
    given = ("--hash", "AB" * 20, "--title", title, "--indexer", "one", "--reason", "a fake")
    seen = typed_as_owner(rig, "add", *given)
    (entry,) = held(rig)
    assert f"Its entry is {entry.id}." in seen
    assert (entry.info_hash, entry.title, entry.by) == ("ab" * 20, title, f"owner:{OWNER}")
    assert rig.typed(*BLOCKLIST, "list") == Exit.DONE
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    for part in (entry.id, "Sintel.2010 [2J-FAKE abababababab…", "at one for every work", "a fake"):
        assert part in shown
    assert "may be taken again" in typed_as_owner(
        rig, "remove", entry.id, "--reason", "it was none"
    )
    assert held(rig) == []
    assert rig.typed(*BLOCKLIST, "list", "--all") == Exit.DONE
    assert f"removed by owner:{OWNER}" in capsys.readouterr().out


def test_nothing_is_blocked_without_the_owner_at_the_terminal(rig: Rig) -> None:
    asked = (*BLOCKLIST, "add", "--title", "T", "--reason", "x", "--home", str(rig.home.root))
    assert alone(*asked, stdin=f"{PASSPHRASE}\n").returncode == Exit.NEEDS_YOU
    assert held(rig) == []


@pytest.mark.parametrize("wrong", [("--reason", "x"), ("--title", "T")])
def test_a_block_needs_something_to_name_and_a_reason(rig: Rig, wrong: tuple[str, ...]) -> None:
    assert rig.typed(*BLOCKLIST, "add", *wrong) == Exit.USAGE


def test_the_document_is_what_the_server_says(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed(*BLOCKLIST, "list", "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["entries"] == []
