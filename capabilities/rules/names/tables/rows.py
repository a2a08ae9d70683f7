"""The form of the token tables: which spellings speak about which facts, and how surely."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.names.vocabulary import Field


class Strength(StrEnum):
    """How surely a spelling is a tag and no word of a title.

    Strong ones end a title wherever they stand. Weak ones are ordinary words too and count beside
    strong ones only. Faint ones count in upper case, and only inside the tail of a name.
    """

    STRONG = "strong"
    WEAK = "weak"
    FAINT = "faint"


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of one field, in the vocabulary's spelling."""

    field: Field
    value: str


@dataclass(frozen=True, slots=True)
class Row:
    """Spellings, parted by blanks; the words of one spelling are joined by hyphens."""

    spellings: str
    facts: tuple[Fact, ...]
    strength: Strength = Strength.STRONG


@dataclass(frozen=True, slots=True)
class Entry:
    """One spelling as the words that follow its first one."""

    rest: tuple[str, ...]
    facts: tuple[Fact, ...]
    strength: Strength


def row(spellings: str, *facts: tuple[Field, str], strength: Strength = Strength.STRONG) -> Row:
    """A row from field and value pairs."""
    return Row(spellings, tuple(Fact(field, value) for field, value in facts), strength)


def weak(spellings: str, *facts: tuple[Field, str]) -> Row:
    """A row of spellings that are ordinary words too."""
    return row(spellings, *facts, strength=Strength.WEAK)


def faint(spellings: str, *facts: tuple[Field, str]) -> Row:
    """A row of spellings that mean something in the tail only, and in upper case."""
    return row(spellings, *facts, strength=Strength.FAINT)


def word_set(words: str) -> frozenset[str]:
    """The words of a text parted by blanks."""
    return frozenset(words.split())


def indexed(rows: Iterable[Row]) -> dict[str, tuple[Entry, ...]]:
    """All spellings by their first word, the longest ones first."""
    found: dict[str, list[Entry]] = {}
    for one in rows:
        for spelling in one.spellings.split():
            first, *rest = spelling.split("-")
            found.setdefault(first, []).append(Entry(tuple(rest), one.facts, one.strength))
    return {
        word: tuple(sorted(entries, key=lambda entry: -len(entry.rest)))
        for word, entries in found.items()
    }
