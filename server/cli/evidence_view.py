"""What the server knows of a thing, name by name, as a person reads it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from capabilities.rules.outside_text import cleaned

INDENT = "  "


def facts_told(facts: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """A line for each fact; a list of several has a line for each of its items.

    Args:
        facts: values as JSON has them, by name.
        before: stands in front of each name.
    """
    for name, held in facts.items():
        label = f"{INDENT}{before}{cleaned(name.replace('_', ' '))}:"
        items = _items(held)
        if len(items) == 1:
            yield f"{label} {items[0]}"
        elif items:
            yield label
            yield from (f"{INDENT * 2}{item}" for item in items)
        else:
            yield f"{label} none"


def _items(held: object) -> list[str]:
    if isinstance(held, list | tuple):
        return [_words(each) for each in cast("Sequence[object]", held)]
    return [_words(held)]


def _words(held: object) -> str:
    match held:
        case None:
            return "none"
        case bool():
            return "yes" if held else "no"
        case list() | tuple():
            return ", ".join(map(_words, cast("Sequence[object]", held)))
        case dict():
            named = cast("Mapping[str, object]", held)
            told = (
                f"{cleaned(name.replace('_', ' '))} {_words(one)}" for name, one in named.items()
            )
            return ", ".join(told)
        case _:
            return cleaned(str(held))
