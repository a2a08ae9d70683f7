"""A name and what it is read as, for a terminal: its parts coloured, its works side by side."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from capabilities.rules.name_parts import PartKind, Pieces
from capabilities.rules.outside_text import cleaned
from server.cli.columns import columns
from server.cli.harmless import harmless

_COLOURS: Final = {
    PartKind.TIME: "cyan",
    PartKind.NUMBERS: "green",
    PartKind.PICTURE: "yellow",
    PartKind.SOUND: "magenta",
    PartKind.LANGUAGE: "blue",
    PartKind.GROUP: "red",
    PartKind.EDITION: "bright_yellow",
    PartKind.OTHER: "bright_black",
}


def coloured(taken: Pieces) -> str:
    """The name with each part in the colour of what it says; what says nothing stays plain."""
    shown: list[str] = []
    at = 0
    for part in taken.parts:
        shown.append(harmless(taken.body[at : part.start]))
        words = harmless(taken.body[part.start : part.end])
        shown.append(_painted(words, part.kind))
        at = part.end
    return "".join([*shown, harmless(taken.body[at:])])


def parts(taken: Pieces, *, why: bool, colour: bool) -> str:
    """A line for each part: its words, what they say and, if wanted, the pass that found them."""
    rows = [
        [
            taken.body[part.start : part.end],
            ", ".join(part.says),
            *([f"found by {part.found_by}"] if why else []),
        ]
        for part in taken.parts
    ]
    if not rows:
        return "No part of it says anything."
    lines = columns(rows).splitlines()
    if not colour:
        return "\n".join(lines)
    pairs = zip(lines, taken.parts, strict=True)
    return "\n".join(_painted(line, part.kind) for line, part in pairs)


def _painted(text: str, kind: PartKind) -> str:
    """In the colour of its kind; a title in bold, which is seen on any background."""
    if kind is PartKind.TITLE:
        return click.style(text, bold=True)
    return click.style(text, fg=_COLOURS[kind])


def part_documents(taken: Pieces) -> list[dict[str, Any]]:
    """The parts for a program."""
    return [
        {
            "text": taken.body[part.start : part.end],
            "kind": part.kind.value,
            "says": list(part.says),
            "found_by": part.found_by,
        }
        for part in taken.parts
    ]


def words_done(hits: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What each recognition word did."""
    for hit in hits:
        yield f"Word {cleaned(str(hit['word']))}: {cleaned(str(hit['did']))}."


def identity(told: Mapping[str, Any]) -> Iterator[str]:
    """The grade, the candidates side by side, the episodes, and what the policy says."""
    taken = "taken without asking" if told["accepted"] else "asked about"
    yield f"Identity: grade {told['grade']}, {taken}"
    rows = [
        [
            *("*" if each["id"] == told.get("work") else " ",),
            each["id"],
            each["kind"],
            f"{each['title']} ({each.get('year') or '?'})",
        ]
        for each in told["candidates"]
    ]
    if rows:
        yield columns(rows)
    for each in told["candidates"]:
        yield from (f"  {each['id']} + {cleaned(said)}" for said in each["speaks_for"])
        yield from (f"  {each['id']} - {cleaned(said)}" for said in each["speaks_against"])
        yield from (
            f"  {each['id']} ? {cleaned(said)}" for said in each.get("sources_disagree") or ()
        )
    yield from _numbers(told.get("numbers"))
    if told.get("policy_accepts") is not None:
        yield f"Policy: {'accepted' if told['policy_accepts'] else 'rejected'}"
        yield from (f"  {cleaned(reason)}" for reason in told["reasons"])


def _numbers(told: Mapping[str, Any] | None) -> Iterator[str]:
    if not told:
        return
    if told.get("open"):
        yield f"Episodes: open, {cleaned(str(told['open']))}"
        if told.get("settles"):
            yield f"  it would be settled by {cleaned(str(told['settles']))}"
    else:
        yield f"Episodes: {', '.join(told['episodes'])}, {told['by']}"


def report(name: str, facts: Mapping[str, Any]) -> str:
    """One line for whoever mends the parser: the name as it came, and what was read."""
    return json.dumps({"name": name, "facts": facts}, separators=(",", ":"))
