"""That nobody works at runs, as a person is told it."""

from contextlib import suppress

from server.cli.api_client import Api, Json
from server.cli.exits import EndError

STANDS = ("queued", "running")
"""Runs in these states go on only where a process works at them."""


START = "`matinee serve --role worker` starts one."


def no_worker(status: Json) -> str | None:
    """What to say where no process works at runs; None where one does."""
    told = standing_still(status)
    return None if told is None else f"{told}: {START}"


def standing_still(status: Json) -> str | None:
    """The same without what helps, and without a full stop."""
    if status["at_work"]:
        return None
    waiting = sum(status["runs"].get(state, 0) for state in STANDS)
    match waiting:
        case 0:
            return "No worker is at work, so no run would go on"
        case 1:
            return "No worker is at work, and 1 run waits for one"
        case _:
            return f"No worker is at work, and {waiting} runs wait for one"


def no_worker_at(api: Api) -> str | None:
    """The same, asked of the server; a key that may not read the status is told nothing."""
    with suppress(EndError):
        return no_worker(api.get("/status"))
    return None
