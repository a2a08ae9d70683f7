"""Commands of a few lines, typed at a real terminal and without one."""

import sys

from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import CTRL_D, alone, typist

HEAD = """
import sys
from pathlib import Path
from server.cli.as_owner import as_owner, shown_to_owner
from server.cli.exits import EndError
from server.cli.home import Home
from server.cli.running import running

home = Home(Path(sys.argv[1]))

def keys(api):
    try:
        return f"{len(api.get('/keys')['keys'])} keys seen"
    except EndError as end:
        return f"refused: {end.code}"

def act():
"""
WHOLE = """
    with as_owner(home) as (api, person):
        person.say(keys(api))
"""
SHOWN = """
    with running(home) as api:
        with shown_to_owner(api, None, "First.", "Second."):
            print("Inside:", keys(api))
        print("After:", keys(api))
"""
TAIL = """
try:
    act()
except EndError as end:
    print(end.sentence)
    sys.exit(end.status)
"""


def command(body: str) -> tuple[str, ...]:
    return sys.executable, "-c", f"{HEAD}{body}{TAIL}"


def test_the_owner_acts_in_their_own_session_and_may_be_spoken_to(rig: Rig) -> None:
    with typist(str(rig.home.root), command=command(WHOLE)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("1 keys seen")
        assert person.leaves() == Exit.DONE


def test_what_it_is_for_is_shown_before_the_passphrase_and_the_session_ends_with_the_block(
    rig: Rig,
) -> None:
    with typist(str(rig.home.root), command=command(SHOWN)) as person:
        person.sees("First.\nSecond.\nPassphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("Inside: 1 keys seen")
        person.sees("After: refused: ")
        assert person.leaves() == Exit.DONE


def test_a_wrong_passphrase_and_none_let_nothing_be_done(rig: Rig) -> None:
    for body in (WHOLE, SHOWN):
        for typed in ("not the passphrase\n", CTRL_D):
            with typist(str(rig.home.root), command=command(body)) as person:
                person.sees("Passphrase: ")
                person.types(typed)
                assert person.leaves() == Exit.NEEDS_YOU
            assert "seen" not in person.screen


def test_without_a_terminal_nobody_is_the_owner(rig: Rig) -> None:
    for body in (WHOLE, SHOWN):
        left = alone(str(rig.home.root), command=command(body), stdin=f"{PASSPHRASE}\n")
        assert left.returncode == Exit.NEEDS_YOU
        assert left.stdout.startswith("This needs the owner at a terminal")
