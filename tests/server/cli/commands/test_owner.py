from pathlib import Path

import pytest

from ledger.stores import access
from server.cli.exits import Exit
from tests.server.cli.rig import Rig, rigged
from tests.server.cli.typist import alone, typist

WORDS = "several words, easy to keep"


def test_the_code_and_a_passphrase_typed_twice_make_the_owner(tmp_path: Path) -> None:
    with rigged(tmp_path, owned=False) as rig:
        code = rig.one_time_code()
        with typist("owner", "--name", "anna", "--home", str(tmp_path)) as person:
            person.sees("One-time code: ")
            person.types(f"{code.lower()}\n")
            person.sees("New passphrase: ")
            person.types("short\n")
            person.sees("it needs at least 10.")
            for first, second in ((WORDS, "another"), (WORDS, WORDS)):
                person.sees("New passphrase: ")
                person.types(f"{first}\n")
                person.sees("The same again: ")
                person.types(f"{second}\n")
            person.sees("You are the owner of this home, anna.")
            assert person.leaves() == Exit.DONE
        owner = rig.read(access.the_owner)
    assert "The two differ." in person.screen
    assert f"`matinee --home {tmp_path}` on another terminal shows it." in person.screen
    assert WORDS not in person.screen
    assert owner is not None
    assert owner.name == "anna"


def test_without_a_terminal_nobody_becomes_the_owner(tmp_path: Path) -> None:
    with rigged(tmp_path, owned=False) as rig:
        typed = f"{rig.one_time_code()}\n{WORDS}\n{WORDS}\n"
        left = alone("owner", "--home", str(tmp_path), stdin=typed)
        assert left.returncode == Exit.NEEDS_YOU
        assert rig.read(access.the_owner) is None


def test_a_wrong_code_makes_no_owner(tmp_path: Path) -> None:
    with rigged(tmp_path, owned=False), typist("owner", "--home", str(tmp_path)) as person:
        person.sees("One-time code: ")
        person.types("0000-0000-0000-0000\n")
        for prompt in ("New passphrase: ", "The same again: "):
            person.sees(prompt)
            person.types(f"{WORDS}\n")
        person.sees("The one-time code is wrong, used or older than a day.")
        assert person.leaves() == Exit.NEEDS_YOU


def test_a_home_has_one_owner(rig: Rig) -> None:
    with typist("owner", "--home", str(rig.home.root)) as person:
        person.sees("This home has an owner already. Nothing was changed.")
        assert person.leaves() == Exit.FAILED


def test_a_passphrase_is_no_argument(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("owner", "--passphrase", WORDS) == Exit.USAGE
    assert "No such option" in capsys.readouterr().err
