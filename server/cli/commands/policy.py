"""`matinee policy`."""

import difflib
import re
import sys
from pathlib import Path
from typing import Any, cast

import click

from server.cli import blocklist, policy_view
from server.cli.api_client import Answer, Api, Json
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.running import running
from server.cli.signing_in import asking, signed_in
from server.cli.terminal_words import at_terminal

KIND = click.Choice(["acquisition", "identity", "organize", "automation"])
FROM_STDIN = "-"
VERSION = '{"kind": "...", "version": 1, "state": "...", "body": {...}, "versions": [...]}'


EXAMPLES = """\b
Examples:
  matinee policy show acquisition
  matinee policy preview acquisition --patch '{"least_seeders": 3}'
  matinee policy apply acquisition
  matinee policy preview acquisition --from-version 1
"""


@click.group("policy", epilog=EXAMPLES)
def command() -> None:
    """What you decided beforehand: show it, try it, change it.

    There are four kinds. acquisition: which releases are taken, and which first. identity: which
    identifications are taken without asking, and how names are read. organize: how files come onto
    the shelf. automation: what may happen without your word.

    To change one, preview draws up a draft and tells what it would do; apply publishes that draft
    and asks for your passphrase. Nothing is in force before. Every version is kept: to go back,
    draft from an earlier one.
    """


command.add_command(blocklist.command)


@command.command("show", cls=Command, example="matinee policy show acquisition", document=VERSION)
@click.argument("kind", type=KIND)
@click.option(
    "--version", type=click.IntRange(1), metavar="N", help="Another one; see `policy history`."
)
@with_terminal
def show(terminal: Terminal, kind: str, version: int | None) -> None:
    """Show the version that is in force, or another one.

    Its fields are those that `policy preview --patch` changes.
    """
    with running(terminal.home) as api:
        found = _inspected(api, kind, version=version)
    terminal.speech.data(policy_view.shown(found))
    terminal.speech.document(found)


@command.command(
    "history", cls=Command, example="matinee policy history acquisition", document=VERSION
)
@click.argument("kind", type=KIND)
@with_terminal
def history(terminal: Terminal, kind: str) -> None:
    """List the versions, newest first."""
    with running(terminal.home) as api:
        found = _inspected(api, kind)
    terminal.speech.data(policy_view.history(found))
    terminal.speech.document(found)


@command.command(
    "test-format",
    cls=Command,
    example='matinee policy test-format "Night.Train.1959.1080p.BluRay.x264-GRP"',
    document='{..., "trial": {"accepted": bool, "score": 0, "rules": [...], "formats": [...]}}',
)
@click.argument("name")
@click.option("--format", "only", metavar="NAME", help="Only this one, every condition of it.")
@click.option(
    "--version", type=click.IntRange(1), metavar="N", help="Of another version, such as a draft."
)
@with_terminal
def test_format(terminal: Terminal, name: str, *, only: str | None, version: int | None) -> None:
    """Try a release name: what every rule says, and which word each condition hit.

    It is the acquisition policy that is tried. Nothing is known of the offer but its name.
    """
    with running(terminal.home) as api:
        found = _inspected(api, "acquisition", version=version, name=name, format=only)
    terminal.speech.data(policy_view.trial(found))
    terminal.speech.document(found)


@command.command(
    "preview",
    cls=Command,
    example="""matinee policy preview acquisition --patch '{"least_seeders": 3}'""",
    document='{"plan": "...", "version": 2, "changes": [...], "consequences": {...}, '
    '"rereading": {...}, "renaming": {...}, ...}',
)
@click.argument("kind", type=KIND)
@click.option(
    "--patch",
    metavar="JSON|-",
    help="Fields to change, as `policy show` names them; null is the default.",
)
@click.option(
    "--file",
    "whole",
    metavar="FILE|-",
    help="The whole policy, as JSON; what it lacks is the default.",
)
@click.option("--from-version", type=click.IntRange(1), metavar="N", help="What this version said.")
@click.option(
    "--formats",
    metavar="FILE|-",
    help="Custom formats to add, as Radarr, Sonarr or a guide has them.",
)
@click.option(
    "--app", type=click.Choice(["radarr", "sonarr"]), help="Whose the formats are; with --formats."
)
@click.option(
    "--scores", metavar="NAME", help="Which score set of a guide counts: default, unless you say."
)
@click.option(
    "--replace",
    is_flag=True,
    help="In place of what somebody else drafted; asks for your passphrase.",
)
@with_terminal
def preview(terminal: Terminal, kind: str, **given: Any) -> None:
    """Draft a change, and tell what it would do.

    Say what changes with one of --patch, --file and --from-version, or with --formats, alone or
    beside one of them. A draft takes the place of your own earlier one of its kind. Nothing is in
    force before `matinee policy apply`.
    """
    _refuse_unclear(given)
    asked: Json = {
        "kind": kind,
        "patch": sys.stdin.read() if given["patch"] == FROM_STDIN else given["patch"],
        "policy": _read(given["whole"]),
        "from_version": given["from_version"],
        "formats": _read(given["formats"]),
        "app": given["app"],
        "scores": given["scores"],
    }
    with running(terminal.home) as api:
        try:
            answer = _drafted(api, asked, replacing=given["replace"])
        except EndError as end:
            raise _with_hint(end, _fields(api, kind)) from end
    terminal.speech.data(policy_view.draft(answer.data))
    terminal.speech.words(f"{answer.sentence} Type `matinee policy apply {kind}` to publish it.")
    terminal.speech.document(answer.data)


@command.command(
    "apply",
    cls=Command,
    example="matinee policy apply acquisition",
    document='{"kind": "...", "version": 2, "retired": 1, "grants_made": [...], ...}',
)
@click.argument("kind", type=KIND)
@with_terminal
def apply(terminal: Terminal, kind: str) -> None:
    """Publish the draft of a kind; it asks for your passphrase.

    It shows the draft and what it changes first. Exactly that is published, or nothing: what
    changed since it was drafted needs a new draft.
    """
    with running(terminal.home) as api:
        drafted = next(
            (one for one in _inspected(api, kind)["versions"] if one["state"] == "draft"), None
        )
        if drafted is None or drafted.get("plan") is None:
            raise EndError(
                Exit.FAILED,
                f"There is no draft of the {kind} policy. Make one with `matinee policy preview`.",
                code="not_found",
            )
        found = _inspected(api, kind, version=drafted["version"])
        with asking() as person:
            person.say(policy_view.asked(found, drafted))
            more = f"All of it: `matinee policy show {kind}` with --version {found['version']}."
            person.say(terminal.speech.hinted(more))
            with signed_in(api, person):
                answer = api.invoke(
                    "policy.apply",
                    {"plan": drafted["plan"], "payload_hash": drafted["payload_hash"]},
                )
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)


def _drafted(api: Api, asked: Json, *, replacing: bool) -> Answer:
    if not replacing:
        return api.invoke("policy.preview", _stated(asked))
    with asking() as person, signed_in(api, person):
        return api.invoke("policy.preview", _stated(asked))


def _refuse_unclear(given: Json) -> None:
    """Refuse what does not say what changes, in the words of the options."""
    ways = [name for name in ("patch", "whole", "from_version") if given[name] is not None]
    if len(ways) > 1:
        raise click.UsageError("Give only one of --patch, --file and --from-version.")
    if not ways and given["formats"] is None:
        raise click.UsageError(
            "Say what changes: --patch, --file or --from-version, or --formats with --app. For "
            """example: --patch '{"least_seeders": 3}'"""
        )
    if given["formats"] is not None and given["app"] is None:
        raise click.UsageError("Say whose the formats are: --app radarr or --app sonarr.")
    if given["formats"] is None and given["app"] is not None:
        raise click.UsageError("--app says whose the --formats are; give them too.")


def _fields(api: Api, kind: str) -> list[str]:
    """The fields of a policy, for whoever named one that there is not."""
    try:
        return list(_inspected(api, kind)["body"])
    except EndError:
        return []


def _inspected(api: Api, kind: str, **more: object) -> Json:
    return api.invoke("policy.inspect", _stated({"kind": kind, **more})).data


def _stated(given: Json) -> Json:
    return {name: held for name, held in given.items() if held is not None}


def _read(path: str | None) -> str | None:
    if path is None:
        return None
    if path == FROM_STDIN:
        return sys.stdin.read()
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise click.UsageError(f"{path} cannot be read: {wrong}") from wrong


def _with_hint(end: EndError, fields: list[str]) -> EndError:
    """What to do at a terminal: cure each problem, or replace what somebody else drafted."""
    needs = cast("Json", end.details.get("needs") or {})
    problems = cast("list[Json]", needs.get("problems", []))
    hint = "\n".join(_problem(one, fields) for one in problems)
    if "made_by" in needs:
        hint = "If you are the owner, type the same with --replace, or publish that one."
    if not hint:
        return end
    return EndError(end.status, end.sentence, code=end.code, hint=hint, details=end.details)


def _problem(one: Json, fields: list[str]) -> str:
    """A problem with its cure; of a field that there is not, the one that was meant."""
    field, why = str(one["field"]), at_terminal(str(one["why"]))
    known = field.partition(".")[0] in fields
    near = [] if known else difflib.get_close_matches(field, fields, n=1)
    cure = f"did you mean {near[0]!r}?" if near else at_terminal(str(one["cure"]))
    place = re.sub(r"\.(\d+)", lambda at: f", entry {int(at[1]) + 1}", field)
    return f"{place}: {why}; {cure}"
