"""`matinee stop`."""

import time

import click

from server.cli.api_client import answers, connected
from server.cli.command import Command
from server.cli.doctor.process import is_held
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.home import Home
from server.cli.home_role import worker_in

LONGEST_S = 30.0
PAUSE_S = 0.05


@click.command(cls=Command, example="matinee stop", document='{"stopped": bool}')
@with_terminal
def command(terminal: Terminal) -> None:
    """Stop the server of this home.

    What was approved goes on at the next start: the ledger holds it.
    """
    was_running = answers(terminal.home)
    if not was_running and worker_in(terminal.home):
        raise EndError(
            Exit.FAILED,
            "A worker works in this home and takes no commands. Ctrl-C or SIGTERM ends it.",
            code="precondition",
        )
    if was_running:
        with connected(terminal.home) as api:
            api.post("/stop")
        _wait_until_gone(terminal.home)
    terminal.speech.words("Stopped." if was_running else "No server runs for this home.")
    terminal.speech.document({"stopped": was_running})


def _wait_until_gone(home: Home) -> None:
    until = time.monotonic() + LONGEST_S
    while answers(home) or is_held(home):
        if time.monotonic() >= until:
            raise EndError(
                Exit.FAILED,
                f"The server was asked to stop and still works after {LONGEST_S:.0f} s. "
                "It may be finishing a write; look with `matinee doctor`.",
            )
        time.sleep(PAUSE_S)
