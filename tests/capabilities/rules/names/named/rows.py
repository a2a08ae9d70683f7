"""The form of the tables: a name, and what it says."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Named:
    text: str
    says: dict[str, object]
    kind: str | None = None
    hint: dict[str, str] | None = None


def named(text: str, *, kind: str | None = None, **says: object) -> Named:
    return Named(text, says, kind)
