"""What a run tells whoever follows it: rows first, pushed after their commit."""

import re
from collections.abc import Mapping
from enum import StrEnum


class EventType(StrEnum):
    """The types of a run's events.

    A `TEXT_DELTA` names its reply and attempt: words of a higher attempt replace those of the
    attempts before it.
    """

    RUN_STATUS = "run_status"
    TEXT_DELTA = "text_delta"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    PLAN_UPDATED = "plan_updated"
    OPTIONS_RESOLVED = "options_resolved"
    APPROVAL_REQUESTED = "approval_requested"
    APPROVAL_RESOLVED = "approval_resolved"
    BUDGET_NOTICE = "budget_notice"
    REPORT = "report"


MOST_WORDS = 3
LONGEST_WORD = 60

# References, identities, hashes and addresses say nothing to a person.
_HANDLE = re.compile(
    r"[a-z]+:\d+|[a-z]+_[0-9a-f]{16,}|[0-9a-fA-F]{24,}|[a-z][a-z0-9+.-]*:\S+|\S*[/\\]\S*"
)


def call_sentence(title: str, arguments: Mapping[str, object]) -> str:
    """What a call does, for a person: the tool's title and a few of its argument words."""
    words = [word for name, held in arguments.items() if (word := _word(name, held))]
    return f"{title}: {', '.join(words[:MOST_WORDS])}" if words else title


def _word(name: str, held: object) -> str | None:
    match held:
        case bool():
            return None
        case int():
            return f"{name.replace('_', ' ')} {held}"
        case str() if held.strip() and not _HANDLE.fullmatch(held.strip()):
            text = " ".join(held.split())
            return text if len(text) <= LONGEST_WORD else f"{text[: LONGEST_WORD - 1]}…"
        case _:
            return None
