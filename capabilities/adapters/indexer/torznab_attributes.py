"""The extended attributes of an item (Torznab 1.1, section "Predefined attributes")."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from capabilities.adapters.indexer.torznab_document import local_name

Attributes = Mapping[str, Sequence[str]]
"""Values by lower-case name."""

MOST_VALUES = 50
"""Of one attribute."""
_LARGEST = 2**63 - 1


def attributes_of(item: Element) -> Attributes:
    """Extended attributes by name; one that repeats keeps each value once, in order."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for element in item:
        if local_name(element.tag) == "attr":
            name, value = element.get("name", "").casefold(), element.get("value", "").strip()
            held = values[name]
            if value and value not in held and len(held) < MOST_VALUES:
                held.append(value)
    return values


def first(attributes: Attributes, name: str) -> str | None:
    """The first value of that name."""
    return next(iter(attributes.get(name, ())), None)


def whole(text: str | None) -> int | None:
    """A whole number from 0 on that a column of ours holds, or None for anything else."""
    stripped = (text or "").strip()
    if not (stripped.isascii() and stripped.isdigit()) or len(stripped) > len(str(_LARGEST)):
        return None
    number = int(stripped)
    return number if number <= _LARGEST else None
