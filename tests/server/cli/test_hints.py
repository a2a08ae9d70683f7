import re
import shlex
from pathlib import Path

import click
import pytest

from server.cli.hints import USUAL, Hints
from server.cli.home import Home
from server.cli.program import program
from tests.server.cli.rig import Rig
from tests.server.cli.typist import ROOT, alone

OURS = ("server", "agent", "capabilities", "ledger")
FILLED = {
    "back": "off",
    "switch.name": "master",
    "READ_ONLY": "read_only",
    "MASTER": "master",
    "options": "--limit 2",
} | {"kind": "acquisition"}
_NAMED = re.compile(r"`matinee ([a-z-][^`\n\"]*)`")
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


def named_with_arguments() -> list[str]:
    """Every command that some sentence of ours names with more than its own words."""
    sources = [file.read_text() for part in OURS for file in (ROOT / part).rglob("*.py")]
    named = {each for text in sources for each in _NAMED.findall(text)}
    return sorted(each for each in named if re.search(r"[{A-Z]| --", each))


@pytest.mark.parametrize("line", named_with_arguments())
def test_a_command_that_is_named_with_arguments_can_be_typed_as_it_stands(line: str) -> None:
    filled = re.sub(r"\{([^}]*)\}", lambda found: FILLED.get(found[1], "dec_0197c1f2"), line)
    command: click.Command | None = program
    words = shlex.split(filled.removeprefix("--home FOLDER ").replace("PATH", str(ROOT)))
    while isinstance(command, click.Group) and not words[0].startswith("dec_"):
        command = command.get_command(click.Context(command), words.pop(0))
    assert command is not None
    command.make_context(command.name, words)


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
