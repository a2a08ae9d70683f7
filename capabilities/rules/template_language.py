"""The language of naming templates: text, ``{tokens}`` and ``<groups>``.

``{title}`` stands for a value and ``{season:02}`` for a number of at least two digits. ``<...>`` is
a group: it stands where every token directly in it has a value, and one that holds groups only
stands where one of them does; otherwise it vanishes with all its text. ``{{`` and ``}}`` are the
brackets themselves. ``<`` and ``>`` can be no text, as Windows holds neither in a name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

LONGEST: Final = 400
"""Characters of a template."""
DEEPEST: Final = 4
"""Groups inside one another."""
MOST_DIGITS: Final = 4
_BRACKETS: Final = ("{{", "}}")


@dataclass(frozen=True, slots=True)
class Text:
    """Text as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a value; ``digits`` is the least number of them, 0 where none was asked for."""

    token: str
    digits: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """A part that stands or vanishes as a whole."""

    nodes: tuple["Node", ...]


Node = Text | Slot | Group


@dataclass(frozen=True, slots=True)
class Counters:
    """Numbers of episodes: a run is written from its first to its last where ``ranged``."""

    numbers: tuple[int, ...]
    sign: str
    ranged: bool = False

    def written(self, digits: int) -> str:
        """``01``, ``01-E03`` for a run, ``01E03`` for single ones."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.ranged and last - first + 1 == len(self.numbers) > 1:
            return f"{first:0{digits}d}-{self.sign}{last:0{digits}d}"
        return self.sign.join(f"{number:0{digits}d}" for number in self.numbers)


Value = str | Counters
"""An empty string is no value."""


class TemplateError(ValueError):
    """A text that is no template: why, and what would cure it."""

    def __init__(self, why: str, cure: str) -> None:
        """Carry both for a person."""
        self.why, self.cure = why, cure
        super().__init__(f"{why}; {cure}")


@lru_cache(maxsize=256)
def parsed(template: str) -> tuple[Node, ...]:
    """The parts of a template; which tokens there are is not looked at.

    Raises:
        TemplateError: it is too long, or its brackets do not match.
    """
    if len(template) > LONGEST:
        raise TemplateError(f"it has more than {LONGEST} characters", "make it shorter")
    open_groups: list[list[Node]] = [[]]
    at = 0
    while at < len(template):
        sign = template[at]
        if template[at : at + 2] in _BRACKETS:
            open_groups[-1].append(Text(sign))
            at += 2
        elif sign == "{":
            end = template.find("}", at)
            open_groups[-1].append(_slot(template[at + 1 : end if end > 0 else None], end))
            at = end + 1
        else:
            _sign(sign, open_groups)
            at += 1
    if len(open_groups) > 1:
        raise TemplateError('a group is opened by "<" and not closed', 'close it by ">"')
    return _joined(open_groups[0])


def _sign(sign: str, open_groups: list[list[Node]]) -> None:
    """One sign that opens or closes a group, or is text."""
    if sign == "<":
        if len(open_groups) > DEEPEST:
            raise TemplateError(f"more than {DEEPEST} groups lie inside one another", "use fewer")
        open_groups.append([])
    elif sign == ">":
        inner = open_groups.pop()
        if not open_groups:
            raise TemplateError('a group is closed by ">" and not opened', 'open it by "<"')
        if not any(isinstance(node, Slot | Group) for node in inner):
            raise TemplateError("a group without a token never vanishes", "leave out its < and >")
        open_groups[-1].append(Group(_joined(inner)))
    elif sign == "}":
        raise TemplateError('a "}" closes no token', 'write "}}" for the bracket itself')
    else:
        open_groups[-1].append(Text(sign))


def _slot(inside: str, end: int) -> Slot:
    if end < 0 or "{" in inside:
        raise TemplateError('a token is opened by "{" and not closed', 'close it by "}"')
    token, colon, digits = inside.partition(":")
    if not colon:
        return Slot(token)
    if not digits.isdecimal() or not digits.isascii() or not 1 <= int(digits[:6]) <= MOST_DIGITS:
        cure = f"write the least number of digits behind it, e.g. {{{token or 'season'}:02}}"
        raise TemplateError(f'"{inside[:40]}" has no number of digits behind its colon', cure)
    return Slot(token, int(digits))


def _joined(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The parts with neighbouring text in one, so that equal parts of two templates are equal."""
    joined: list[Node] = []
    for node in nodes:
        last = joined[-1] if joined else None
        if isinstance(node, Text) and isinstance(last, Text):
            joined[-1] = Text(last.text + node.text)
        else:
            joined.append(node)
    return tuple(joined)


def rendered(nodes: Sequence[Node], values: Mapping[str, Value]) -> str:
    """The text with its values; a token that has none is left out."""
    return "".join(_written(node, values) for node in nodes)


def _written(node: Node, values: Mapping[str, Value]) -> str:
    match node:
        case Text():
            return node.text
        case Slot():
            value = values.get(node.token, "")
            return value if isinstance(value, str) else value.written(node.digits)
        case Group():
            return rendered(node.nodes, values) if _stands(node, values) else ""


def _stands(group: Group, values: Mapping[str, Value]) -> bool:
    slots = [node for node in group.nodes if isinstance(node, Slot)]
    if slots:
        return all(values.get(slot.token) for slot in slots)
    return any(_stands(node, values) for node in group.nodes if isinstance(node, Group))


def slots_of(nodes: Sequence[Node], *, grouped: bool = False) -> Iterator[tuple[Slot, bool]]:
    """Every token, and whether it stands in a group."""
    for node in nodes:
        if isinstance(node, Slot):
            yield node, grouped
        elif isinstance(node, Group):
            yield from slots_of(node.nodes, grouped=True)


def texts_of(nodes: Sequence[Node]) -> Iterator[str]:
    """Every text, those in groups too."""
    for node in nodes:
        if isinstance(node, Text):
            yield node.text
        elif isinstance(node, Group):
            yield from texts_of(node.nodes)
