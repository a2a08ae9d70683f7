import sys
import termios

import pytest

from tests.server.cli.typist import CTRL_C, CTRL_D, alone, typist

ASK = """
from server.cli.passphrase import *
import sys
try:
    with controlling_terminal() as person:
        seen = person.ask("Seen: ")
        secret = person.ask_secretly("Secret: ")
        after = person.ask("After: ")
        person.say(f"got {seen!r} {len(secret)} {after!r}")
except NoAnswerError:
    sys.exit(7)
except NoTerminalError:
    sys.exit(8)
except KeyboardInterrupt:
    sys.exit(9)
"""
ASKING = (sys.executable, "-c", ASK)


def test_a_secret_is_not_seen_and_the_echo_comes_back() -> None:
    with typist(command=ASKING) as person:
        person.sees("Seen: ")
        person.types("  plain \n")
        person.sees("Secret: ")
        person.types("horse battery\n")
        person.sees("After: ")
        person.types("visible\n")
        person.sees("got 'plain' 13 'visible'")
        assert person.leaves() == 0
    assert "horse" not in person.screen
    assert "plain" in person.screen.splitlines()[0]
    assert "visible" in person.screen


def test_what_is_typed_before_the_question_is_no_secret() -> None:
    with typist(command=ASKING) as person:
        person.types("first\nearly\n")
        person.sees("Secret: ")
        person.types("x\n")
        person.sees("After: ")
        person.types("y\n")
        person.sees("got 'first' 1 'y'")
        assert person.leaves() == 0


@pytest.mark.parametrize(
    ("raw", "status"), [(CTRL_D.encode(), 7), (b"\xff\xfe\n", 7), (CTRL_C.encode(), 9)]
)
def test_whoever_leaves_or_types_no_text_has_not_answered(raw: bytes, status: int) -> None:
    with typist(command=ASKING) as person:
        person.sees("Seen: ")
        person.types("a\n")
        person.sees("Secret: ")
        person.sends(raw)
        assert person.leaves() == status
        assert termios.tcgetattr(person.terminal)[3] & termios.ECHO


def test_standard_input_is_not_the_terminal() -> None:
    with typist(command=ASKING, stdin="a\nsecret from elsewhere\nb\n") as person:
        person.sees("Seen: ")
        person.types("c\n")
        person.sees("Secret: ")
        person.types("d\n")
        person.sees("After: ")
        person.types("e\n")
        person.sees("got 'c' 1 'e'")
        assert person.leaves() == 0


def test_without_a_controlling_terminal_nobody_is_asked() -> None:
    assert alone(command=ASKING, stdin="a\nb\nc\n").returncode == 8
