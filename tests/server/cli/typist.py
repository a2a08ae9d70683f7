"""A person at a terminal of their own: a real pseudo-terminal that controls the command."""

import os
import select
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.server.cli import at_a_terminal
from tests.server.cli.rig import environment

PATIENCE_S = 40.0
CTRL_C, CTRL_D = "\x03", "\x04"
MATINEE = (sys.executable, "-c", "from server.cli.entry import main; main()")
ROOT = Path(__file__).parents[3]


class Typist:
    """Reads the screen and types.

    Attributes:
        screen: all that was seen so far.
    """

    def __init__(self, terminal: int, process: subprocess.Popen[bytes]) -> None:
        self.terminal = terminal
        self.process = process
        self.screen = ""
        self._read_up_to = 0

    def sees(self, words: str) -> None:
        """Wait until ``words`` stand on the screen, behind what was seen before."""
        while (at := self.screen.find(words, self._read_up_to)) < 0:
            assert self._look(), f"{words!r} never came; seen: {self.screen}"
        self._read_up_to = at + len(words)

    def types(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def sends(self, raw: bytes) -> None:
        os.write(self.terminal, raw)

    def leaves(self) -> int:
        """The command's exit status, once it has ended."""
        while self._look():
            pass
        return self.process.wait(PATIENCE_S)

    def _look(self) -> bool:
        ready, _, _ = select.select([self.terminal], [], [], PATIENCE_S)
        assert ready, f"nothing more came; seen: {self.screen}"
        try:
            seen = os.read(self.terminal, 4096)
        except OSError:  # how Linux says that the last process at a terminal is gone
            return False
        self.screen += seen.decode(errors="replace").replace("\r\n", "\n")
        return bool(seen)


@contextmanager
def typist(
    *arguments: str, command: Sequence[str] = MATINEE, stdin: str | None = None, **variables: str
) -> Generator[Typist]:
    """Somebody who typed the command; it is killed if it outlives the block."""
    outer, inner = os.openpty()
    more = {} if stdin is None else {"STDIN_IS_A_PIPE": "1"}
    process = subprocess.Popen(
        [sys.executable, at_a_terminal.__file__, str(inner), *command, *arguments],
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(**variables, **more),
        cwd=ROOT,
        start_new_session=True,
        pass_fds=(inner,),
    )
    os.close(inner)
    try:
        if process.stdin is not None:
            process.stdin.write((stdin or "").encode())
            process.stdin.close()
        yield Typist(outer, process)
    finally:
        process.kill()
        process.wait()
        os.close(outer)


def alone(
    *arguments: str, command: Sequence[str] = MATINEE, stdin: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command in a session without any terminal."""
    return subprocess.run(
        [*command, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment(**variables),
        cwd=ROOT,
        start_new_session=True,
        timeout=PATIENCE_S,
        check=False,
    )
