import json

import pytest

from capabilities.kernel.blocking import BlockFacts
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


def test_an_entry_is_removed_by_the_beginning_of_its_id_and_shown_first(rig: Rig) -> None:
    typed_as_owner(rig, "add", "--title", "T.2020-FAKE", "--reason", "a fake")
    (entry,) = held(rig)
    short = entry.id[: len("block_") + 8]
    seen = typed_as_owner(rig, "remove", short, "--reason", "it was none")
    assert f"{short} is {entry.id}." in seen
    assert "T.2020-FAKE: a fake" in seen
    assert held(rig) == []


@pytest.mark.parametrize("id_", ["block_" + "0" * 32, "block_00000000", "nonsense"])
def test_an_entry_that_is_not_there_is_refused_before_the_passphrase(
    rig: Rig, capsys: pytest.CaptureFixture[str], id_: str
) -> None:
    assert rig.typed(*BLOCKLIST, "remove", id_, "--reason", "x") == Exit.FAILED
    assert rig.hint("policy blocklist list") in capsys.readouterr().err


def test_an_entry_that_was_removed_is_refused_before_the_passphrase(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_as_owner(rig, "add", "--title", "Gone", "--reason", "a fake")
    (entry,) = held(rig)
    typed_as_owner(rig, "remove", entry.id, "--reason", "it was none")
    assert rig.typed(*BLOCKLIST, "remove", entry.id, "--reason", "x") == Exit.FAILED
    assert "removed from the blocklist already" in capsys.readouterr().err


def test_a_hash_that_is_none_is_refused_before_the_passphrase(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed(*BLOCKLIST, "add", "--hash", "zzz", "--reason", "x") == Exit.USAGE
    assert "That is no info-hash: it has 40 or 64" in capsys.readouterr().err


def test_what_is_blocked_already_keeps_its_reason_and_says_so(rig: Rig) -> None:
    first = typed_as_owner(rig, "add", "--title", "Twice", "--reason", "a fake")
    assert "keeps its reason" not in first
    again = typed_as_owner(rig, "add", "--title", "Twice", "--reason", "too big")
    assert "It was there already, and keeps its reason: a fake." in again


def test_the_document_is_what_the_server_says(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed(*BLOCKLIST, "list", "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["entries"] == [
        {**BlockFacts.model_validate(each).model_dump(mode="json")} for each in held(rig)
    ]
