"""`matinee ask`."""

import sys
from collections.abc import Iterator

import click

from server.cli.api_client import Json
from server.cli.command import Command
from server.cli.exits import Exit
from server.cli.follow import Follower, status_of
from server.cli.given import Terminal, with_terminal
from server.cli.harmless import harmless
from server.cli.no_worker import no_worker_at
from server.cli.refusing import switched_off
from server.cli.running import running


@click.command(
    cls=Command,
    example='matinee ask "Bring Night Train (1959) home in 1080p"',
    document='{"run": "...", "state": "...", "reason": "..."|null, "report": {...}|null, '
    '"usage": {...}}; with --no-follow {"run": "...", "state": "queued"}',
)
@click.argument("goal")
@click.option("--propose-first", is_flag=True, help="Carry nothing out before you have chosen.")
@click.option("--no-follow", is_flag=True, help="Start the run, print its id, and leave.")
@with_terminal
def command(terminal: Terminal, goal: str, *, propose_first: bool, no_follow: bool) -> Exit:
    """Give the agent a goal, follow it, and print its report.

    Where it needs your approval, the card is shown and your passphrase asked for on this terminal;
    without one it ends with 3 and the run goes on waiting. Ctrl-C asks the run to stop, a second
    one leaves at once; the run needs nobody to follow it. Where no worker is at work, the run waits
    for one, and you are told so. With the master switch off it looks, searches and drafts plans,
    and does nothing else.
    """
    if not goal.strip():
        raise click.BadParameter("Say what the agent is to do.", param_hint="GOAL")
    body = {"goal": goal, "propose_first": propose_first}
    with running(terminal.home) as api:
        if told := switched_off(api):
            terminal.speech.words(told)
        run = api.call("/agent/runs", body).data["id"]
        if no_follow:
            if told := no_worker_at(api):
                terminal.speech.words(told)
            terminal.speech.data(run)
            terminal.speech.document({"run": run, "state": "queued"})
            return Exit.DONE
        follower = Follower(api, run, terminal.speech)
        ended = follower.follow()
    terminal.speech.data("\n".join(_report(terminal, ended)))
    facts = {name: ended.get(name) for name in ("state", "reason", "report", "usage")}
    terminal.speech.document({"run": run, **facts})
    status = _status(ended, follower)
    if status is not Exit.DONE:
        terminal.speech.words(f"It was {run}.")
    return status


def _status(ended: Json, follower: Follower) -> Exit:
    """A run without a model needs its owner to set one up."""
    from agent.upstreams import NO_UPSTREAM  # it takes the ledger's library, which help does not

    report: Json = ended.get("report") or {}
    if report.get("conclusion") == NO_UPSTREAM.sentence:
        return Exit.NEEDS_YOU
    return status_of(ended, interrupted=follower.interrupted)


def _report(terminal: Terminal, run: Json) -> Iterator[str]:
    """The facts, then the model's last words, unless they were seen on this terminal already."""
    report = run.get("report")
    if report is None:
        yield harmless(run.get("reason") or f"The run is {run['state']}.")
        return
    yield from map(terminal.speech.hinted, map(harmless, report["lines"]))
    words = report.get("model_words")
    seen = not terminal.speech.quiet and sys.stderr.isatty() and sys.stdout.isatty()
    if words is not None and not seen:
        yield f"\nThe model's words, checked by nobody:\n{harmless(words['text'])}"
