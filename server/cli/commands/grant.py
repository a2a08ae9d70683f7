"""`matinee grant`."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from server.cli.api_client import Json
from server.cli.as_owner import as_owner, shown_to_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.grant_card import GB, grant_card, grant_row
from server.cli.ids import confirmed, named, refuse_strange
from server.cli.known_names import refuse_unknown_action
from server.cli.reasons import reason_option
from server.cli.refusing import refuse_read_only
from server.cli.running import running
from server.cli.sorts import GRANT as GRANTS

DAYS = 90
GRANT = '{"id": "...", "action": "...", "scope": {...}, "calls_left": ..., "stands": bool, ...}'
SCOPE = {
    "works": "A work, by id or key such as tmdb:film:45745.",
    "kinds": "A kind of work.",
    "capabilities": "One capability of the action.",
    "downloaders": "A download client, by name.",
    "folders": "A library.",
}
CHOICES = {"kinds": click.Choice(["film", "series"]), "folders": click.Choice(["Films", "Series"])}
SINGULAR = {name: name.removesuffix("ies") + "y" for name in ("capabilities",)}

Typed = Callable[..., Any]


@click.group("grant", epilog="\b\nExample:\n  matinee grant list")
def command() -> None:
    """Let acts of one sort happen without asking; each asks for your passphrase.

    A grant holds within its scope and its day's budget, and only ever becomes smaller.
    """


def _limited(typed: Typed) -> Typed:
    """The options that limit a grant."""
    for name, words in reversed(SCOPE.items()):
        option = f"--{SINGULAR.get(name, name.removesuffix('s'))}"
        kind = CHOICES.get(name)
        metavar = "NAME" if kind is None else None
        typed = click.option(option, name, multiple=True, type=kind, metavar=metavar, help=words)(
            typed
        )
    for option in (
        click.option("--calls", type=click.IntRange(1), metavar="N", help="Most acts a day."),
        click.option(
            "--gb",
            type=click.FloatRange(0, min_open=True),
            metavar="N",
            help="Most gigabytes a day.",
        ),
    ):
        typed = option(typed)
    return typed


@command.command(
    "list",
    cls=Command,
    example="matinee grant list",
    document=f'{{"grants": [{GRANT}], "page": {{...}}}}',
)
@click.option("--all", "ended", is_flag=True, help="Also those that have ended.")
@with_terminal
def list_(terminal: Terminal, *, ended: bool) -> None:
    """List the grants that stand."""
    with as_owner(terminal.home) as (api, _):
        found = api.get("/grants", {"ended": str(ended).lower(), "limit": 100})
    rows = [grant_row(grant) for grant in found["grants"]]
    terminal.speech.data(columns(rows) if rows else "Nothing is granted.")
    terminal.speech.document(found)


@command.command("show", cls=Command, example="matinee grant show grant_0197c1f2", document=GRANT)
@click.argument("id_", metavar="ID")
@with_terminal
def show(terminal: Terminal, id_: str) -> None:
    """Show one grant, with what is left of its day."""
    refuse_strange(id_, GRANTS)
    with as_owner(terminal.home) as (api, _):
        found = api.get(f"/grants/{named(api, id_, GRANTS).id}")
    terminal.speech.data(grant_card(found))
    terminal.speech.document(found)


@command.command(
    "make",
    cls=Command,
    example="matinee grant make download.submit --kind film --calls 3 --gb 40",
    document=GRANT,
)
@click.argument("action")
@_limited
@click.option("--days", type=click.IntRange(1, 3650), default=DAYS, show_default=True)
@click.option("--replace", is_flag=True, help="Also what replaces or moves files.")
@click.option("--policy", metavar="KIND:VERSION", help="Only as long as this one is published.")
@click.option("--note", default="", metavar="WORDS", help="For yourself.")
@with_terminal
def make(
    terminal: Terminal,
    action: str,
    *,
    days: int,
    replace: bool,
    policy: str | None,
    note: str,
    **limits: Any,
) -> None:
    """Grant an act, all of a domain, or everything.

    ACTION is a capability such as download.submit, a domain such as 'task.*', or '*'. What is left
    out is not limited. Deleting data and publishing a policy always ask.
    """
    bound = _policy(policy)
    asked: Json = {
        "action": action,
        **_given(limits, days),
        "may_replace": replace,
        "policy": bound,
        "note": note,
    }
    with running(terminal.home) as api:
        refuse_read_only(api)
        refuse_unknown_action(api, action)
        with shown_to_owner(api, grant_card({**asked, **_flat(bound)})):
            answer = api.call("/grants", asked)
    terminal.speech.words(answer.sentence)
    terminal.speech.data(answer.data["id"])
    terminal.speech.document(answer.data)


@command.command(
    "shorten",
    cls=Command,
    example="matinee grant shorten grant_0197c1f2 --calls 1",
    document=GRANT,
)
@click.argument("id_", metavar="ID")
@_limited
@click.option("--days", type=click.IntRange(1, 3650), help="Days from now that it still holds.")
@click.option("--no-replace", is_flag=True, help="Nothing that replaces or moves files any more.")
@with_terminal
def shorten(
    terminal: Terminal, id_: str, *, days: int | None, no_replace: bool, **limits: Any
) -> None:
    """Make a grant smaller; what would make it wider is refused."""
    change = {name: held for name, held in _given(limits, days).items() if held}
    if no_replace:
        change["may_replace"] = False
    if not change:
        raise click.UsageError("Say what is to become smaller.")
    refuse_strange(id_, GRANTS)
    with as_owner(terminal.home) as (api, person):
        whole = confirmed(api, id_, GRANTS, person)
        answer = api.call(f"/grants/{whole}/shorten", change)
    terminal.speech.words(answer.sentence)
    terminal.speech.data(grant_card(answer.data))
    terminal.speech.document(answer.data)


@command.command(
    "withdraw",
    cls=Command,
    example='matinee grant withdraw grant_0197c1f2 --reason "the holiday is over"',
    document=GRANT,
)
@click.argument("id_", metavar="ID")
@reason_option("Why, for the record.")
@with_terminal
def withdraw(terminal: Terminal, id_: str, reason: str) -> None:
    """End a grant for ever. What was begun under it goes on."""
    refuse_strange(id_, GRANTS)
    with as_owner(terminal.home) as (api, person):
        whole = confirmed(api, id_, GRANTS, person)
        answer = api.call(f"/grants/{whole}/withdraw", {"reason": reason})
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)


def _given(limits: dict[str, Any], days: int | None) -> Json:
    named: dict[str, Sequence[str]] = {name: limits[name] for name in SCOPE if limits[name]}
    gb, end = limits["gb"], None
    if days is not None:
        end = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
    return {
        "scope": {name: list(held) for name, held in named.items()},
        "calls_per_day": limits["calls"],
        "bytes_per_day": None if gb is None else round(gb * GB),
        "expires_at": end,
    }


def _policy(typed: str | None) -> Json | None:
    if typed is None:
        return None
    kind, _, version = typed.partition(":")
    if not kind or not version.isdecimal():
        raise EndError(
            Exit.USAGE, "A policy is named like acquisition:3. Nothing was granted.", code="usage"
        )
    return {"kind": kind, "version": int(version)}


def _flat(policy: Json | None) -> Json:
    return {} if policy is None else {f"policy_{name}": held for name, held in policy.items()}
