"""Ids as people type them: whole, or the beginning of one that begins no other."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from server.cli.api_client import Api
from server.cli.exits import EndError, Exit
from server.cli.harmless import harmless
from server.cli.passphrase import ControllingTerminal

FEWEST, WHOLE = 8, 32
"""Digits behind the sort: at least so many are typed, so many there are."""
MOST_SHOWN = 10
SURE = "Is this the one? [y/n] "


class Named(NamedTuple):
    """A whole id, and what a person knows the thing by; no words where it was typed whole."""

    id: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of things that have ids.

    Attributes:
        prefix: what their ids begin with.
        noun: what one is called.
        shown_by: the command that lists them.
        listed: all of them that the caller may see.
        builtin: names of those that have one in place of an id.
    """

    prefix: str
    noun: str
    shown_by: str
    listed: Callable[[Api], Iterator[Named]]
    builtin: frozenset[str] = frozenset()


def named(api: Api, typed: str, sort: Sort) -> Named:
    """What ``typed`` means; what has not the form of an id of this sort is left to the server.

    Raises:
        EndError: no id begins so, several do (they are named), or too little was typed.
    """
    refuse_short(typed, sort)
    digits = _digits(typed, sort)
    if digits is None or len(digits) >= WHOLE:
        return Named(typed)
    found = {each.id: each for each in sort.listed(api) if each.id.startswith(typed)}
    if len(found) > 1:
        raise _several(typed, sort, list(found.values()))
    if not found:
        raise EndError(
            Exit.FAILED,
            f"There is no {sort.noun} whose id begins with {typed}. `{sort.shown_by}` lists them.",
            code="not_found",
        )
    return next(iter(found.values()))


def refuse_short(typed: str, sort: Sort) -> None:
    """Refuse the beginning of an id that could soon be that of another.

    Raises:
        EndError: with how much is needed.
    """
    digits = _digits(typed, sort)
    if digits is not None and len(digits) < FEWEST:
        raise EndError(
            Exit.USAGE,
            f"{typed} is too short for an id. Type at least {FEWEST} characters behind "
            f"`{sort.prefix}_`; `{sort.shown_by}` lists them.",
            code="invalid_input",
        )


def refuse_strange(typed: str, sort: Sort) -> None:
    """Refuse what can be no id of this sort, for things that only the signed-in owner sees.

    Raises:
        EndError: with what lists them, or how much is needed.
    """
    if _digits(typed, sort) is None and typed not in sort.builtin:
        raise EndError(
            Exit.FAILED,
            f"{harmless(typed)!r} is no id of a {sort.noun}. `{sort.shown_by}` lists them.",
            code="not_found",
        )
    refuse_short(typed, sort)


def meant(typed: str, id_: str) -> str | None:
    """What is said before an act on a thing that was not typed whole."""
    return None if typed == id_ else f"{typed} is {id_}."


def confirmed(api: Api, typed: str, sort: Sort, person: ControllingTerminal) -> str:
    """The whole id, for an act that could not be shown before the owner had signed in.

    Raises:
        EndError: as `named` does, or the person says that another one is meant.
        NoAnswerError: the input ended.
    """
    found = named(api, typed, sort)
    if found.id != typed:
        person.say(f"{typed} is {found.id}:\n  {harmless(found.words)}")
        if not person.ask(SURE).lower().startswith("y"):
            raise EndError(Exit.FAILED, "Nothing was changed.", code="cancelled")
    return found.id


def _digits(typed: str, sort: Sort) -> str | None:
    """What stands behind the sort; None where it has not the form of such an id."""
    form = re.fullmatch(rf"{sort.prefix}_([0-9a-f]{{1,{WHOLE}}})", typed)
    return None if form is None else form[1]


def _several(typed: str, sort: Sort, found: list[Named]) -> EndError:
    lines = [f"  {each.id}  {harmless(each.words)}" for each in found[:MOST_SHOWN]]
    if left := len(found) - len(lines):
        lines.append(f"  and {left} more")
    told = "\n".join(lines)
    return EndError(
        Exit.USAGE,
        f"{typed} begins the id of more than one {sort.noun}:\n{told}\nType more of it.",
        code="invalid_input",
        details={"candidates": [each.id for each in found]},
    )
