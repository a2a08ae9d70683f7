"""Outcomes as MCP tool results: the one place where that is decided."""

import json

import mcp.types as t

from capabilities.kernel.outcomes import AnyOutcome, Failed, Refused, facts, word
from server.protocol.trimming import Facts, compact, size, trimmed

TARGET = 25_000
"""Bytes of facts that an answer should not exceed: what a client's model reads comfortably."""
MOST = 100_000
"""Bytes of facts that no answer exceeds; a larger one is cut to the target."""
MOST_PATHS_NAMED = 5


def result(outcome: AnyOutcome) -> t.CallToolResult:
    """The outcome as text (a sentence, a newline, compact JSON) and as structured content.

    Both carry the same facts, since some clients show a model the one and some the other;
    failed and refused are errors, pending and unknown say so in both.
    """
    sentence = outcome.sentence.encode(errors="replace").decode()
    told = _readable(
        {"outcome": "", "sentence": sentence} | facts(outcome) | {"outcome": word(outcome)}
    )
    if (whole := size(told)) > MOST:
        told, note = _cut(told, whole)
        sentence = f"{sentence[:TARGET]} {note}"
    rest = {name: held for name, held in told.items() if held != sentence}
    return t.CallToolResult(
        content=[t.TextContent(type="text", text=f"{sentence}\n{compact(rest)}")],
        structured_content=told,
        is_error=isinstance(outcome, Failed | Refused),
    )


def _cut(told: Facts, whole: int) -> tuple[Facts, str]:
    small, left_out = trimmed(told, TARGET)
    note = (
        f"The answer had {whole // 1000} KB and was cut: {_missing(left_out)} left out. Ask for "
        "less, with a smaller limit or a filter; a cursor in this answer skips what is missing."
    )
    return {"outcome": told["outcome"], **small, "left_out": left_out, "note": note}, note


def _readable(told: Facts) -> Facts:
    """The facts without half surrogates, which come with other people's JSON and are no text."""
    try:
        compact(told).encode()
    except UnicodeEncodeError:
        return json.loads(compact(told).encode(errors="replace"))
    return told


def _missing(left_out: dict[str, int]) -> str:
    most = sorted(left_out, key=lambda path: left_out[path], reverse=True)
    named = [f"{left_out[path]} of `{path}`" for path in most[:MOST_PATHS_NAMED]]
    return ", ".join(named) or "everything"
