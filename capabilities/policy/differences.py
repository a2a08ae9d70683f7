"""Which fields two bodies of a policy differ in."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from pydantic import BaseModel

from capabilities.rules.outside_text import cleaned

LONGEST_SHOWN: Final = 160
LONGEST_ITEM: Final = 80
MOST_ITEMS: Final = 6
NONE: Final = "none"
FORMATS: Final = "formats"
_LAST: Final = {"sizes": 3, "tiers": 4, FORMATS: 5}


class ChangeFacts(BaseModel):
    """One field, as it is and as it would be: values as JSON, of lists what differs; cut.

    What is cut says so by its length and a fingerprint, so that no two values look alike that
    are not.
    """

    field: str
    before: str
    after: str


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ChangeFacts]:
    """The fields that differ: refusals and single values first, custom formats last.

    Of a list of named things, the things that do.
    """
    found: list[ChangeFacts] = []
    for field in sorted({*before, *after}, key=lambda one: (_place(one, before, after), one)):
        old, new = before.get(field), after.get(field)
        if old != new:
            found += _within(field, old, new)
    return found


def _place(field: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    if field.startswith("refused_"):
        return 0
    holds_list = isinstance(after.get(field, before.get(field)), list)
    return _LAST.get(field, 2 if holds_list else 1)


def _within(field: str, old: Any, new: Any) -> list[ChangeFacts]:
    named_old, named_new = _by_name(old), _by_name(new)
    if named_old is None or named_new is None or not (named_old or named_new):
        return [_change(field, old, new)]
    changed = [
        _change(f"{field} {cleaned(name, 80)!r}", named_old.get(name), named_new.get(name))
        for name in dict.fromkeys([*named_old, *named_new])
        if named_old.get(name) != named_new.get(name)
    ]
    if not changed:
        return [_reordered(field, list(named_old), list(named_new))]
    return changed


def _change(field: str, old: Any, new: Any) -> ChangeFacts:
    if isinstance(old, dict) and isinstance(new, dict):
        inside = differences(cast("dict[str, Any]", old), cast("dict[str, Any]", new))
        before = "; ".join(f"{one.field} {one.before}" for one in inside)
        after = "; ".join(f"{one.field} {one.after}" for one in inside)
        return ChangeFacts(field=field, before=before, after=after)
    if isinstance(old, list) and isinstance(new, list):
        return _of_lists(field, cast("list[object]", old), cast("list[object]", new))
    return ChangeFacts(field=field, before=_shown(old), after=_shown(new))


def _of_lists(field: str, old: list[object], new: list[object]) -> ChangeFacts:
    """What was taken out, and what was put in."""
    had, has = Counter(map(_json, old)), Counter(map(_json, new))
    if had == has:
        return _reordered(field, old, new)
    return ChangeFacts(
        field=field,
        before=_items("of which out:", had - has, len(old)),
        after=_items("of which new:", has - had, len(new)),
    )


def _items(sign: str, held: Counter[str], in_all: int) -> str:
    items = list(held.elements())
    if not items:
        return f"{in_all} in all"
    shown = ", ".join(_cut(one, LONGEST_ITEM) for one in items[:MOST_ITEMS])
    more = len(items) - MOST_ITEMS
    rest = f" and {more} more {_fingerprint(''.join(items))}" if more > 0 else ""
    return f"{in_all} in all, {sign} {shown}{rest}"


def _reordered(field: str, old: Iterable[object], new: Iterable[object]) -> ChangeFacts:
    before, after = _shown(list(old)), _shown(list(new))
    return ChangeFacts(field=f"{field}, in another order", before=before, after=after)


def _by_name(held: Any) -> dict[str, Any] | None:
    """Things by their names, where it is a list of things with names of their own."""
    if held is None:
        return {}
    if not isinstance(held, list):
        return None
    things = cast("list[object]", held)
    named: dict[str, Any] = {}
    for one in things:
        name = cast("dict[str, Any]", one).get("name") if isinstance(one, dict) else None
        if not isinstance(name, str):
            return None
        named[name] = one
    return named if len(named) == len(things) else None


def _shown(held: Any) -> str:
    return NONE if held is None else _cut(_json(held), LONGEST_SHOWN)


def _json(held: object) -> str:
    return json.dumps(held, ensure_ascii=False)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return cleaned(text, most)
    half = most // 2
    return (
        f"{cleaned(text[:half], half)} … {cleaned(text[-half:], half)} "
        f"({len(text)} characters, {_fingerprint(text)})"
    )


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]
