"""A name and what it is read as, for a terminal: its parts coloured, its works side by side."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from capabilities.rules.name_parts import PartKind, Pieces
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from server.cli.columns import columns
from server.cli.harmless import harmless
from server.cli.json_text import json_text

FEWEST_RUNS: Final = 2
LONGEST_SHOWN: Final = 300
LONGEST_PART: Final = 60
"""Signs of a part in the table of parts."""

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


_SEASONS: Final = re.compile(r"seasons? (\d{1,4})(?:-(\d{1,4}))?")


def coloured(taken: Pieces) -> str:
    """The name with each part in the colour of what it says; what says nothing stays plain.

    A name that no screen holds is shown by its beginning, without colours.
    """
    if len(taken.body) > LONGEST_SHOWN:
        return cleaned(taken.body, LONGEST_SHOWN)
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
            cleaned(taken.body[part.start : part.end], LONGEST_PART),
            cleaned(", ".join(_seasons_as_one(part.says)), LONGEST_PART),
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


def _seasons_as_one(says: Sequence[str]) -> list[str]:
    """What a part says, with several seasons told as one run or list."""
    runs = [(each, _SEASONS.fullmatch(each)) for each in says]
    found = [run for _, run in runs if run]
    if len(found) < FEWEST_RUNS:
        return list(says)
    told = sorted({n for run in found for n in range(int(run[1]), int(run[2] or run[1]) + 1)})
    unbroken = told == list(range(told[0], told[-1] + 1))
    shown = f"{told[0]}-{told[-1]}" if unbroken else ", ".join(map(str, told))
    return [f"seasons {shown}", *(each for each, run in runs if not run)]


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
    if told.get("grade") is not None:
        taken = "taken without asking" if told["accepted"] else f"asked about, since {_why(told)}"
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
    if told["candidates_left_out"]:
        yield f"  and {counted(told['candidates_left_out'], 'more work')}"
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
        if told["reasons_left_out"]:
            yield f"  and {counted(told['reasons_left_out'], 'more reason')}"


def _why(told: Mapping[str, Any]) -> str:
    """Why an identity is not taken without asking."""
    numbers: Mapping[str, Any] = told.get("numbers") or {}
    if numbers.get("open"):
        return "its episodes are open"
    if not told["candidates"]:
        return "no work was found that it may be"
    if told.get("work") is None:
        return "nothing says which work it is"
    return "your identity policy takes no such grade unasked"


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
    return json_text({"name": name, "facts": facts}, separators=(",", ":"))
