"""`matinee` alone: a server runs, and whoever typed it knows where and what comes next."""

import time

from server.cli.exits import Exit
from server.cli.given import Terminal
from server.cli.home import Home
from server.cli.one_time_code import kept
from server.cli.running import running

LONGEST_S = 5.0
PAUSE_S = 0.02


def start(terminal: Terminal) -> Exit:
    """Start a server in the background if none runs; say its address, and the one-time code."""
    with running(terminal.home) as api:
        status = api.get("/status")
    code = None if status["owner_exists"] else _code(terminal.home)
    welcome(terminal, status["address"], code)
    terminal.speech.document(
        {
            "address": status["address"],
            "home": str(terminal.home.root),
            "version": status["version"],
            "owner_exists": status["owner_exists"],
            "code": code,
        }
    )
    return Exit.DONE


def welcome(terminal: Terminal, address: str, code: str | None) -> None:
    """Say where the server is, and before there is an owner how to become it."""
    terminal.speech.data(address)
    terminal.speech.words(f"Matinee works in {terminal.home.root}")
    if code is not None:
        terminal.speech.words(
            f"One-time code: {code}\n"
            "There is no owner yet. Type `matinee owner` and enter the code."
        )


def _code(home: Home) -> str | None:
    """The code, for which a server that has just begun to answer needs another moment."""
    until = time.monotonic() + LONGEST_S
    while (code := kept(home)) is None and time.monotonic() < until:
        time.sleep(PAUSE_S)
    return code
