"""Become the session of a terminal, then the command: what a shell does for whoever sits there.

Usage: at_a_terminal.py DESCRIPTOR COMMAND... Standard input is left alone where it is no terminal.
"""

import fcntl
import os
import signal
import sys
import termios


def main() -> None:
    handle, *command = sys.argv[1:]
    terminal = int(handle)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for stream in (1, 2) if os.environ.get("STDIN_IS_A_PIPE") else (0, 1, 2):
        os.dup2(terminal, stream)
    # What was begun in the background has it ignored; who sits at a terminal has not.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(command[0], command)  # noqa: S606  # the command under test, by its path


if __name__ == "__main__":
    main()
