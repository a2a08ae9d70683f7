import shlex
from pathlib import Path

import pytest

from server.cli.hints import USUAL, Hints
from server.cli.home import Home
from tests.server.cli.rig import Rig
from tests.server.cli.typist import alone

SAID = "Type `matinee`, `matinee stop` or `matinee mcp`; `matinee[keyring]` is a package."


def test_a_home_that_was_named_is_named_in_every_command() -> None:
    told = Hints.of(Home(Path("/srv/films")), {}).told(SAID)
    assert told == (
        "Type `matinee --home /srv/films`, `matinee --home /srv/films stop` or "
        "`matinee --home /srv/films mcp`; `matinee[keyring]` is a package."
    )


def test_a_home_that_is_found_without_is_not_named() -> None:
    home = Home(Path("/srv/films"))
    assert Hints.of(home, {"MATINEE_HOME": "/srv/films"}).told(SAID) == SAID
    assert Hints.of(home, {"MATINEE_HOME": "/srv/other"}).told(SAID) != SAID
    assert USUAL.told(SAID) == SAID
    assert USUAL.line("status") == "matinee status"


def test_a_command_for_another_home_is_left_alone() -> None:
    other = "`matinee --home FOLDER status` shows it."
    assert Hints.of(Home(Path("/srv/films")), {}).told(other) == other


@pytest.mark.parametrize("folder", ["/a b", "/it's", "/a`id`b", "/$(id)", "/a\\1"])
def test_a_shell_reads_the_same_home_back(folder: str) -> None:
    hints = Hints.of(Home(Path(folder)), {})
    assert shlex.split(hints.line("approve", "dec_1")) == [
        "matinee",
        "--home",
        folder,
        "approve",
        "dec_1",
    ]
    told = hints.told("Type `matinee stop`.").removeprefix("Type `").removesuffix("`.")
    assert shlex.split(told) == ["matinee", "--home", folder, "stop"]


def test_what_the_server_answers_names_the_home_on_a_terminal_and_not_in_a_document(
    rig: Rig,
) -> None:
    id_ = rig.leave_unknown("It hung up.")
    home = ("--home", str(rig.home.root))
    for typed in ((*home, "claims", "show", id_), ("claims", "show", id_, *home)):
        assert rig.hint(f"claims check {id_}") in alone(*typed).stdout
    assert f"`matinee claims check {id_}`" in alone("claims", "show", id_, "--json", *home).stdout
    variable = alone("claims", "show", id_, MATINEE_HOME=str(rig.home.root))
    assert f"`matinee claims check {id_}`" in variable.stdout
