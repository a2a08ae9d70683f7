"""From outcomes to what the model reads."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from agent.models.port import ToolCall
from capabilities.kernel.outcomes import AnyOutcome, facts, word

STOP_NOTE_FROM = 3
LOOP_ENDS_AT = 6


@dataclass(frozen=True, slots=True)
class Answered:
    """A call and how it ended; ``plan`` is the run's new plan where the call changed it."""

    call: ToolCall
    outcome: AnyOutcome
    plan: dict[str, Any] | None = None


def worded(outcome: AnyOutcome, *notes: str) -> str:
    """The outcome for the model: a sentence, the facts as compact JSON, notes of the server."""
    document = {**facts(outcome), "outcome": word(outcome)}
    lines = [
        outcome.sentence,
        _compact(document),
        *(f"Note of the server: {note}" for note in notes),
    ]
    return "\n".join(lines)


def print_of(answered: Answered) -> str:
    """Equal for equal calls with equal answers, however the arguments were written."""
    told = facts(answered.outcome)
    told.pop("replayed", None)
    whole = [
        answered.call.name,
        _canonical(answered.call.arguments),
        word(answered.outcome),
        answered.outcome.sentence,
        told,
    ]
    return hashlib.sha256(_compact(whole).encode()).hexdigest()


def loop_note(times: int) -> str | None:
    """What the model is told when the same call had the same answer ``times`` times."""
    if times < STOP_NOTE_FROM:
        return None
    return (
        f"this exact call has had this exact answer {times} times. It will not change. "
        "Go on with what you know, or say what is missing; the run is ended at "
        f"{LOOP_ENDS_AT}."
    )


def _canonical(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
