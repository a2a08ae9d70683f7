"""Asking the person at the controlling terminal, and nobody else.

What comes on standard input, as an argument or in the environment may come from an agent with a
shell; the controlling terminal (tty(4)) is where the person sits. Its passphrase is read with the
echo off.
"""

import os
import termios
from collections.abc import Generator
from contextlib import contextmanager

DEVICE = "/dev/tty"
_LINE = 4096


class NoTerminalError(Exception):
    """This process has no controlling terminal: nobody can be asked."""


class NoAnswerError(Exception):
    """The person ended the input instead of answering, or typed what is no text."""


class ControllingTerminal:
    """An open controlling terminal."""

    def __init__(self, handle: int) -> None:
        """Take an open descriptor of the device."""
        self._handle = handle

    def say(self, text: str) -> None:
        """Write a line."""
        self._write(f"{text}\n")

    def ask(self, prompt: str) -> str:
        """One line, seen while it is typed, without the spaces around it.

        Raises:
            NoAnswerError: the input ended.
        """
        self._write(prompt)
        return self._line().strip()

    def ask_secretly(self, prompt: str) -> str:
        """One line, not seen while it is typed, exactly as it is typed.

        What was typed before the question is thrown away.

        Raises:
            NoAnswerError: the input ended.
        """
        with self._without_echo():
            self._write(prompt)
            try:
                return self._line()
            finally:
                self._write("\n")

    @contextmanager
    def _without_echo(self) -> Generator[None]:
        before = termios.tcgetattr(self._handle)
        silent = list(before)
        silent[3] = before[3] & ~termios.ECHO
        termios.tcsetattr(self._handle, termios.TCSAFLUSH, silent)
        try:
            yield
        finally:
            termios.tcsetattr(self._handle, termios.TCSANOW, before)

    def _line(self) -> str:
        line = b""
        while not line.endswith(b"\n"):
            part = os.read(self._handle, _LINE)
            if not part:
                raise NoAnswerError
            line += part
        try:
            return line.decode().removesuffix("\n")
        except UnicodeDecodeError as wrong:
            raise NoAnswerError from wrong

    def _write(self, text: str) -> None:
        rest = text.encode(errors="replace")
        while rest:
            rest = rest[os.write(self._handle, rest) :]


@contextmanager
def controlling_terminal() -> Generator[ControllingTerminal]:
    """The terminal of whoever started this process.

    Raises:
        NoTerminalError: there is none, as in a job, a container or another program's child.
    """
    try:
        handle = os.open(DEVICE, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as refused:
        raise NoTerminalError from refused
    try:
        yield ControllingTerminal(handle)
    finally:
        os.close(handle)
