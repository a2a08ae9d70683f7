"""`matinee claims`."""

from collections.abc import Iterator

import click

from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from server.cli.api_client import Json
from server.cli.as_owner import shown_to_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.evidence_view import facts_told
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.ids import meant, named
from server.cli.printing import Speech
from server.cli.reasons import reason_option
from server.cli.refusing import refuse_read_only
from server.cli.running import running
from server.cli.sorts import ACT as ACTS
from server.cli.sorts import RUN

MOST = 100
FOLLOWS = {
    "done": "As done, it counts as having happened: nothing does it again.",
    "not-done": "As not done, it may be done again, also by a run that waits for it and under the "
    "approval that it had. If it did happen after all, it happens twice.",
}
STATES = ("unknown", "running", "pending", "succeeded", "failed")
ACT = (
    '{"id": "...", "state": "...", "about": "...", "capability": "...", "claimed_at": "...", '
    '"seen": {...}|null, "do": "..."|null, ...}'
)


@click.group("claims", epilog="\b\nExample:\n  matinee claims list --state unknown")
def command() -> None:
    """Every act that was written down, and how it ended."""


@command.command(
    "list",
    cls=Command,
    example="matinee claims list --state unknown",
    document=f'{{"invocations": [{ACT}], "totals": {{state: n}}, "page": {{...}}}}',
)
@click.option("--state", type=click.Choice(STATES), help="Only those that stand so.")
@click.option("--capability", metavar="ID", help="Only those of one capability.")
@click.option("--run", metavar="ID", help="Only those of one run.")
@click.option("--limit", type=click.IntRange(1, 200), default=MOST, show_default=True)
@click.option("--cursor", metavar="N", help="The next page, as the page before said.")
@with_terminal
def list_(terminal: Terminal, limit: int, **sought: str | None) -> Exit:
    """List acts, those of unknown outcome first, then the newest.

    Ends with 5 where one of those listed is unknown.
    """
    given = {name: held for name, held in sought.items() if held is not None}
    with running(terminal.home) as api:
        if "run" in given:
            given["run"] = named(api, given["run"], RUN).id
        found = api.get("/invocations", {**given, "limit": limit})
    again = " ".join(f"--{name} {held}" for name, held in given.items() if name != "cursor")
    terminal.speech.data("\n".join(_listed(found, again, limit, terminal.speech)))
    terminal.speech.document(found)
    unknown = any(act["state"] == "unknown" for act in found["invocations"])
    return Exit.UNKNOWN if unknown else Exit.DONE


@command.command(
    "show", cls=Command, example="matinee claims show inv_0197c1f2e4b07d3e", document=ACT
)
@click.argument("id_", metavar="ID")
@with_terminal
def show(terminal: Terminal, id_: str) -> Exit:
    """Show one act: what it was about, since when, what was seen, what to do."""
    with running(terminal.home) as api:
        found = api.get(f"/invocations/{named(api, id_, ACTS).id}")
    return _told(terminal, found)


@command.command(
    "check", cls=Command, example="matinee claims check inv_0197c1f2e4b07d3e", document=ACT
)
@click.argument("id_", metavar="ID")
@with_terminal
def check(terminal: Terminal, id_: str) -> Exit:
    """Look at the world for an act of unknown outcome, now.

    Ends with 5 where it is still not known.
    """
    with running(terminal.home) as api:
        whole = named(api, id_, ACTS).id
        if told := meant(id_, whole):
            terminal.speech.words(told)
        found = api.post(f"/invocations/{whole}/check")
    return _told(terminal, found)


@command.command(
    "settle",
    cls=Command,
    example='matinee claims settle inv_0197c1f2e4b07d3e --as done --reason "I see it there"',
    document='{"invocation": "...", "state": "...", "follows": "...", ...}',
)
@click.argument("id_", metavar="ID")
@click.option(
    "--as",
    "word",
    type=click.Choice(("done", "not-done")),
    required=True,
    help="Whether it happened.",
)
@reason_option("Why; it is kept with it.")
@with_terminal
def settle(terminal: Terminal, id_: str, word: str, reason: str) -> None:
    """Settle an act of unknown outcome by your own word.

    The act is shown first; then your passphrase is asked for on this terminal, and is taken from
    nowhere else. The answer says what follows.
    """
    with running(terminal.home) as api:
        whole = named(api, id_, ACTS).id
        act = api.get(f"/invocations/{whole}")
        if act["state"] != "unknown":
            raise EndError(
                Exit.FAILED,
                f"This is {act['state']}, so there is nothing to settle. Nothing was changed.",
                code="conflict",
            )
        refuse_read_only(api)
        page = "\n".join(_page(act, terminal.speech))
        with shown_to_owner(api, meant(id_, whole), page, FOLLOWS[word]):
            body = {"done": word == "done", "reason": reason}
            answer = api.call(f"/invocations/{whole}/settle", body)
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)


def _told(terminal: Terminal, act: Json) -> Exit:
    terminal.speech.data("\n".join(_page(act, terminal.speech)))
    terminal.speech.document(act)
    return Exit.UNKNOWN if act["state"] == "unknown" else Exit.DONE


def _listed(found: Json, sought: str, limit: int, speech: Speech) -> Iterator[str]:
    rows = [
        [act["state"], act["claimed_at"][:16].replace("T", " "), cleaned(act["about"]), act["id"]]
        for act in found["invocations"]
    ]
    yield columns(rows) if rows else _none(sum(found["totals"].values()))
    if left := found["page"]["left_out"]:
        options = f"{sought} --limit {limit} --cursor {found['page']['next_cursor']}".strip()
        yield speech.hinted(f"and {left} more: `matinee claims list {options}`")


def _none(in_all: int) -> str:
    if not in_all:
        return "Nothing was done yet."
    return f"None of that sort; {counted(in_all, 'act')} in all."


def _page(act: Json, speech: Speech) -> Iterator[str]:
    yield f"{cleaned(act['about'])} ({act['state']})"
    since = act["claimed_at"][:19].replace("T", " ")
    yield f"  {act['capability']} by {act['actor']}, since {since}, attempt {act['attempt']}"
    if act["sentence"]:
        yield f"  {cleaned(act['sentence'])}"
    seen: Json = act["seen"] or {}
    yield from facts_told(seen, "seen: ")
    if act["do"]:
        yield f"  {speech.hinted(act['do'])}"
