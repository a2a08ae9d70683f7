"""The approval card: what the owner reads before deciding, from the server's fields only."""

import textwrap
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from agent.words import span
from capabilities.rules.outside_text import cleaned

WIDTH = 78
_LABEL = 12
_HASH_SHOWN = 12


def card(approval: Mapping[str, Any], now: datetime, *, colour: bool) -> str:
    """An approval as ``GET /approvals/{id}`` answers it, as lines for a terminal.

    From top to bottom: verb and object, what changes, why it is asked, where it comes from, how
    long it is good for and what it is bound to. No words of a model are among it.
    """
    shown: Mapping[str, Any] = approval["card"]
    title = cleaned(str(shown.get("title") or approval["capability"]))
    lines = [click.style(title, bold=True) if colour else title, ""]
    for label, words in _rows(approval, shown, now):
        lines.extend(_wrapped(label, words))
    rule = "─" * WIDTH
    return "\n".join((rule, *lines, rule))


def _rows(
    approval: Mapping[str, Any], shown: Mapping[str, Any], now: datetime
) -> Iterator[tuple[str, str]]:
    for number, change in enumerate(shown.get("changes", ())):
        yield "Changes" if number == 0 else "", str(change)
    if files := shown.get("files"):
        yield "Files", str(files)
    if why := shown.get("why"):
        yield "Why asked", str(why)
    yield from _origin(shown.get("from", {}))
    yield "Asked by", _asker(approval)
    yield "Good for", f"{_left(approval, now)}, once, for exactly this plan"
    yield "Details", f"revision {approval['revision']}, hash {_short_hash(approval)}…"


def _origin(origin: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    labels = {"indexer": "Indexer", "release": "Release", "identity": "Identity"}
    for name, label in labels.items():
        if origin.get(name):
            yield label, str(origin[name])
    for kind, label in {"verdict": "Policy", "doubts": "Doubts"}.items():
        for number, sentence in enumerate(origin.get(kind, ())):
            yield label if number == 0 else "", str(sentence)
        if left_out := origin.get(f"{kind}_left_out"):
            yield "", f"and {left_out} more"


def _asker(approval: Mapping[str, Any]) -> str:
    kind, _, name = str(approval["requested_by"]).partition(":")
    match kind:
        case "run":
            return "a run of the agent"
        case "key":
            return f"the client with the key {name}"
        case _:
            return f"{kind} {name}"


def _left(approval: Mapping[str, Any], now: datetime) -> str:
    left = datetime.fromisoformat(str(approval["expires_at"])) - now
    return span(left) if left > timedelta() else "no longer: the time ran out"


def _short_hash(approval: Mapping[str, Any]) -> str:
    return str(approval["payload_hash"])[:_HASH_SHOWN]


def _wrapped(label: str, words: str) -> list[str]:
    return textwrap.wrap(
        cleaned(words),
        WIDTH,
        initial_indent=label.ljust(_LABEL),
        subsequent_indent=" " * _LABEL,
    ) or [label]


def now() -> datetime:
    """The moment, as cards are measured against it."""
    return datetime.now(UTC)
