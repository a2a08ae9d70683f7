"""`matinee status`."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Json, answers
from server.cli.command import Command
from server.cli.exits import Exit
from server.cli.given import Terminal, with_terminal
from server.cli.no_worker import no_worker
from server.cli.printing import Speech
from server.cli.running import running

SHOWN = 5
SWITCHED = {
    "master": "Nothing acts by itself; switched off by",
    "read_only": "The house is read-only; switched on by",
}


@click.command(
    cls=Command,
    example="matinee status",
    document='{"unknown": [...], "acts": {state: n}, "switches": [...], "needs_you": n, '
    '"decisions": [...], "runs": {state: n}, "downloads": {state: n}, "processes": [...], '
    '"at_work": bool, "unopened": [names], "owner_exists": bool, "version": "...", '
    '"address": "...", "home": "..."}',
)
@with_terminal
def command(terminal: Terminal) -> Exit:
    """How everything stands, what needs you first.

    Acts of unknown outcome come first: whether they happened is not known yet. Ends with 3 where
    something needs you or nobody works at runs, with 5 where something is unknown.
    """
    began = not answers(terminal.home)
    with running(terminal.home) as api:
        status = api.get("/status")
        waiting = api.get("/decisions", {"limit": SHOWN})["decisions"]
    if began:
        terminal.speech.words("No server ran here, so one was started; `matinee stop` ends it.")
    whole = {**status, "decisions": waiting, "home": str(terminal.home.root)}
    terminal.speech.data("\n".join(_lines(whole, terminal.speech)))
    terminal.speech.document(whole)
    if status["unknown"]:
        return Exit.UNKNOWN
    all_there = status["owner_exists"] and status["at_work"] and not status["unopened"]
    return Exit.DONE if all_there and not status["needs_you"] else Exit.NEEDS_YOU


def _lines(status: Json, speech: Speech) -> Iterator[str]:
    yield from _unknown(status, speech)
    if not status["owner_exists"]:
        yield speech.hinted("There is no owner yet: type `matinee owner`.")
    if told := no_worker(status):
        yield speech.hinted(told)
    yield from _unopened(status, speech)
    yield from _switches(status)
    yield from _decisions(status, speech)
    yield f"Runs: {_counts(status['runs'])}."
    yield f"Downloads: {_counts(status['downloads'])}."
    if len(status["processes"]) > 1:
        yield f"Processes: {_processes(status['processes'])}."
    yield f"Matinee {status['version']} at {status['address']}, home {status['home']}."


def _unknown(status: Json, speech: Speech) -> Iterator[str]:
    for act in status["unknown"]:
        since = act["claimed_at"][:16].replace("T", " ")
        yield f"Not known yet, since {since}: {cleaned(act['about'])}"
        if act["sentence"]:
            yield f"  {cleaned(act['sentence'])}"
        yield f"  {speech.hinted(act['do'])}"
    if left := status["acts"].get("unknown", 0) - len(status["unknown"]):
        are = "is" if left == 1 else "are"
        more = f"and {left} more that {are} not known: `matinee claims list --state unknown`"
        yield speech.hinted(more)


def _unopened(status: Json, speech: Speech) -> Iterator[str]:
    if names := status["unopened"]:
        yield speech.hinted(
            f"Sealed, and not opened: {', '.join(names)}. What needs it does not work. "
            "`matinee doctor` says why; once it is mended, type `matinee stop`, then `matinee`."
        )


def _switches(status: Json) -> Iterator[str]:
    for each in status["switches"]:
        what = SWITCHED.get(each["name"], each["name"])
        yield f"{what} {each['set_by']}: {cleaned(each['reason'] or '')}"


def _processes(processes: list[Json]) -> str:
    told = Counter(f"{each['role']} on {each['host']}" for each in processes)
    return ", ".join(f"{n} {where}" for where, n in sorted(told.items()))


def _decisions(status: Json, speech: Speech) -> Iterator[str]:
    count: int = status["needs_you"]
    if not count:
        if not status["unopened"] and status["owner_exists"]:
            yield "Nothing needs you."
        return
    yield f"Needs you: {count}."
    waiting: list[dict[str, Any]] = status["decisions"]
    for decision in waiting:
        yield f"  {cleaned(decision['title'])}  ({decision['id']})"
    if count > len(waiting):
        yield speech.hinted(f"  and {count - len(waiting)} more: `matinee decisions`")


def _counts(by_state: dict[str, int]) -> str:
    return ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in by_state.items()) or "none"
