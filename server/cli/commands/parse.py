"""`matinee parse`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from capabilities.rules.name_facts import name_facts
from capabilities.rules.name_parts import Pieces, pieces
from capabilities.rules.name_remarks import remarks
from capabilities.rules.names.parsing import LONGEST_NAME, parse
from capabilities.rules.names.paths import LONGEST_PATH, is_path
from capabilities.rules.outside_text import cleaned
from capabilities.rules.path_parts import PathParts, path_parts
from capabilities.rules.recognition.applying import reworded, reworded_path
from capabilities.rules.recognition.lines import words_from, written
from capabilities.rules.recognition.words import Word
from server.cli import name_view, path_view
from server.cli.api_client import answers, connected
from server.cli.command import Command
from server.cli.exits import EndError
from server.cli.given import Terminal, with_terminal

CAPABILITY = "identity.explain"
LONGEST_SENT = 12_000
LONGEST_REASON = 400
MOST_HITS = 10
ALONE = (
    "No server runs for this home: only the name was read, without your saved words, and no work "
    "was looked up."
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A name as read, with the works where a server looked them up."""

    read_as: str
    hits: list[dict[str, Any]]
    identity: dict[str, Any] | None
    why_alone: str


@click.command(
    cls=Command,
    example='matinee parse "Sintel.2010.1080p.BluRay.x264-OPEN" --why',
    document='{"name": "...", "read_as": "...", "remarks": [...], "words": [{"word", "did"}], '
    '"parts": [{"text", "kind", "says", "found_by"}], '
    '"path": [{"text", "gave": [fields], "parts"}] or null, "facts": {...}, '
    '"identity": {"grade", "candidates", "numbers", "reasons", ...} or null}',
)
@click.argument("name")
@click.option("--why", is_flag=True, help="Which pass of the parser found each part.")
@click.option(
    "--word",
    "lines",
    metavar="LINE",
    multiple=True,
    help='A recognition word to try first, such as "replace: A => B"; may be given again.',
)
@with_terminal
def command(terminal: Terminal, name: str, *, why: bool, lines: tuple[str, ...]) -> None:
    """What a name is read as, which works it may be, and what the policy says of it.

    NAME is a release, a file, or a file's path: its folders are read too, and each is shown with
    the facts that it gave. Reads the name without a server too. Its last line is a report: whoever
    reads names for a living needs no more than that line to mend a wrong one. Nothing is kept or
    changed.
    """
    name = name.encode("utf-8", "replace").decode("utf-8")
    if not name:
        raise click.BadParameter("Give a name to read.", param_hint="NAME")
    told = _told(terminal, name, lines)
    parted = path_parts(told.read_as) if is_path(name) else None
    facts = name_facts(parse(told.read_as)) if parted is None else dict(parted.facts)
    shown = name if parted else name[:LONGEST_NAME]
    taken = parted.parts[-1].taken if parted else pieces(told.read_as)
    for line in (*_read(terminal, told, taken, parted, why=why), *_rest(told, name)):
        terminal.speech.data(line)
    if told.why_alone:
        terminal.speech.words(told.why_alone)
    terminal.speech.data(name_view.report(shown, facts))
    terminal.speech.document(
        {
            "name": shown,
            "read_as": told.read_as,
            "remarks": list(remarks(name)),
            "words": told.hits,
            "parts": name_view.part_documents(taken),
            "path": None if parted is None else path_view.document(parted),
            "facts": facts,
            "identity": told.identity,
        }
    )


def _read(
    terminal: Terminal, told: _Told, taken: Pieces, parted: PathParts | None, *, why: bool
) -> Iterator[str]:
    colour = terminal.speech.colour(sys.stdout)
    if parted is not None:
        yield from path_view.shown(told.read_as, parted, why=why, colour=colour)
        return
    yield name_view.coloured(taken)
    yield name_view.parts(taken, why=why, colour=colour)


def _told(terminal: Terminal, name: str, lines: tuple[str, ...]) -> _Told:
    """What the server of this home says of the name; the name alone where it cannot."""
    words = _words(lines)
    if not answers(terminal.home):
        return _alone(name, words, ALONE)
    given: dict[str, object] = {"name": name[:LONGEST_SENT], "words": list(lines)}
    try:
        with connected(terminal.home) as api:
            identity = api.invoke(CAPABILITY, given).data
    except EndError as end:
        why = f"Your saved words were not used, and no work was looked up: {end.sentence}"
        return _alone(name, words, why)
    away = identity.get("not_looked_up")
    why = f"No work was looked up. {cleaned(away, LONGEST_REASON)}" if away else ""
    hits = _with_idle(identity["words"], words)
    return _Told(str(identity["read_as"]), hits, identity, why)


def _with_idle(hits: list[dict[str, Any]], tried: tuple[Word, ...]) -> list[dict[str, Any]]:
    """What each word did, and the tried ones that did nothing."""
    seen = {cleaned(str(hit["word"])) for hit in hits}
    idle = [line for line in map(cleaned, map(written, tried)) if line not in seen]
    # A longer list is cut by the server, and what is not on it may have hit all the same.
    room = len(hits) < MOST_HITS
    return [*hits, *({"word": line, "did": "hit nothing"} for line in idle if room)]


def _words(lines: tuple[str, ...]) -> tuple[Word, ...]:
    try:
        return words_from(lines)
    except ValueError as wrong:
        raise click.BadParameter(f"{wrong}.", param_hint="--word") from wrong


def _alone(name: str, words: tuple[Word, ...], why: str) -> _Told:
    path = is_path(name)
    done = reworded_path(name, words) if path else reworded(name, words)
    hits = _with_idle([{"word": hit.word, "did": hit.did} for hit in done.hits], words)
    return _Told(done.text[: LONGEST_PATH if path else LONGEST_NAME], hits, None, why)


def _rest(told: _Told, name: str) -> Iterator[str]:
    yield from (f"Note: {remark}." for remark in remarks(name))
    yield from name_view.words_done(told.hits)
    if told.identity is not None:
        yield from name_view.identity(told.identity)
