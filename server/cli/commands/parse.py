"""`matinee parse`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from capabilities.rules.name_facts import name_facts
from capabilities.rules.name_parts import pieces
from capabilities.rules.name_remarks import remarks
from capabilities.rules.names.parsing import LONGEST_NAME, parse
from capabilities.rules.recognition.applying import reworded
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.recognition.words import Word
from server.cli import name_view
from server.cli.api_client import answers, connected
from server.cli.command import Command
from server.cli.exits import EndError
from server.cli.given import Terminal, with_terminal

CAPABILITY = "identity.explain"
LONGEST_SENT = 12_000
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
    '"parts": [{"text", "kind", "says", "found_by"}], "facts": {...}, '
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

    Reads the name without a server too. Its last line is a report: whoever reads names for a living
    needs no more than that line to mend a wrong one. Nothing is kept or changed.
    """
    name = name.encode("utf-8", "replace").decode("utf-8")
    told = _told(terminal, name, lines)
    taken, facts = pieces(told.read_as), name_facts(parse(told.read_as))
    speech = terminal.speech
    colour = speech.colour(sys.stdout)
    speech.data(name_view.coloured(taken))
    speech.data(name_view.parts(taken, why=why, colour=colour))
    for line in _rest(told, name):
        speech.data(line)
    if told.why_alone:
        speech.words(told.why_alone)
    speech.data(name_view.report(name[:LONGEST_NAME], facts))
    speech.document(
        {
            "name": name[:LONGEST_NAME],
            "read_as": told.read_as,
            "remarks": list(remarks(name)),
            "words": told.hits,
            "parts": name_view.part_documents(taken),
            "facts": facts,
            "identity": told.identity,
        }
    )


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
        return _alone(name, words, f"No work was looked up: {end.sentence}")
    return _Told(str(identity["read_as"]), identity["words"], identity, "")


def _words(lines: tuple[str, ...]) -> tuple[Word, ...]:
    try:
        return words_from(lines)
    except ValueError as wrong:
        raise click.BadParameter(f"{wrong}.", param_hint="--word") from wrong


def _alone(name: str, words: tuple[Word, ...], why: str) -> _Told:
    done = reworded(name, words)
    hits = [{"word": hit.word, "did": hit.did} for hit in done.hits]
    return _Told(done.text[:LONGEST_NAME], hits, None, why)


def _rest(told: _Told, name: str) -> Iterator[str]:
    yield from (f"Note: {remark}." for remark in remarks(name))
    yield from name_view.words_done(told.hits)
    if told.identity is not None:
        yield from name_view.identity(told.identity)
