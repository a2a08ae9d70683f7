"""A grant as a person reads it, from fields only."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted

GB = 1e9
_LABEL = 12
_WORDS = {
    "works": "Works",
    "kinds": "Kinds",
    "capabilities": "Only",
    "downloaders": "Clients",
    "folders": "Libraries",
}


def grant_card(grant: Mapping[str, Any]) -> str:
    """What a grant allows, how much a day, and until when, as lines."""
    return "\n".join(f"{label.ljust(_LABEL)}{cleaned(words)}" for label, words in _rows(grant))


def grant_row(grant: Mapping[str, Any]) -> list[str]:
    """One line of a list: id, action, scope, budget, end."""
    scope = "; ".join(", ".join(named) for named in grant["scope"].values())
    return [grant["id"], grant["action"], scope or "anything", _budget(grant), _end(grant)]


def _rows(grant: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Allows", str(grant["action"])
    for name, named in grant["scope"].items():
        yield _WORDS[name], ", ".join(named)
    yield "A day", _budget(grant)
    if "renews_at" in grant:
        yield "Left today", _left(grant)
    if grant["may_replace"]:
        yield "Replaces", "also what replaces or moves files in the library"
    if grant.get("policy_kind"):
        yield (
            "Policy",
            f"{grant.get('policy_kind')}, as long as version {grant.get('policy_version')} holds",
        )
    open_ = _end(grant) == "no end"
    yield "Until", "you withdraw it" if open_ else _end(grant)
    if grant.get("note"):
        yield "Note", str(grant.get("note"))


def _budget(grant: Mapping[str, Any]) -> str:
    return _amounts(grant.get("calls_per_day"), grant.get("bytes_per_day")) or "no limit"


def _left(grant: Mapping[str, Any]) -> str:
    left = _amounts(grant.get("calls_left"), grant.get("bytes_left"))
    return f"{left}, renewed at {_moment(grant['renews_at'])}" if left else "no limit"


def _amounts(calls: int | None, size: int | None) -> str:
    told = [] if calls is None else [counted(calls, "call")]
    if size is not None:
        told.append(f"{size / GB:.2f} GB")
    return ", ".join(told)


def _end(grant: Mapping[str, Any]) -> str:
    if grant.get("withdrawn_at") is not None:
        return f"withdrawn by {grant['withdrawn_by']}: {grant['reason']}"
    end = grant.get("expires_at")
    until = _moment(end) if end is not None else _open_end(grant)
    return until if grant.get("stands", True) else f"{until} (no longer good)"


def _open_end(grant: Mapping[str, Any]) -> str:
    """What a policy grants ends with the version that grants it."""
    kind = grant.get("policy_kind")
    return f"the next {kind} version" if kind else "no end"


def _moment(iso: str) -> str:
    return f"{datetime.fromisoformat(iso):%Y-%m-%d %H:%M} UTC"
