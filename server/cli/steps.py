"""A run's events as sentences for a person."""

from collections.abc import Callable, Mapping
from typing import Any

from capabilities.rules.wording import counted
from server.cli.harmless import harmless

Body = Mapping[str, Any]

PLANNING = "update_plan"
"""The agent's bookkeeping: the line of the plan tells it better than its calls."""

SIGNS = {"succeeded": "✓", "pending": "…", "unknown": "?", "refused": "✗", "failed": "✗"}


def told(type_: str, body: Body, *, verbose: bool = False) -> str | None:
    """What an event tells a person, if anything; streamed words and plans are told elsewhere."""
    if body.get("tool") == PLANNING and not verbose:
        return None
    teller = _TELLERS.get(type_) or (_VERBOSE.get(type_) if verbose else None)
    line = None if teller is None else teller(body)
    return None if line is None else harmless(line)


def plan_line(plan: Body | None) -> str | None:
    """How far the agent's plan is: ``2 of 5, now: Choose a release``."""
    if plan is None:
        return None
    now = f", now: {plan['now']}" if plan.get("now") else ""
    return harmless(f"{plan['done']} of {plan['total']}{now}")


def _call(body: Body) -> str:
    return f"• {body['sentence']}"


def _result(body: Body) -> str:
    return f"  {SIGNS.get(body['outcome'], '·')} {body['sentence']}"


def _status(body: Body) -> str | None:
    match body["state"]:
        case "queued":
            return "Queued."
        case "waiting":
            return body["reason"]
        case _:
            return None


def _resolved(body: Body) -> str | None:
    """Told once, by whoever decided; that the call then had its answer is its result's to tell."""
    return f"  {str(body['state']).capitalize()} by {body['by']}." if "by" in body else None


def _sentence(body: Body) -> str:
    return str(body["sentence"])


def _completed(body: Body) -> str:
    return f"Downloaded: {body['title']}. It is checked and placed now."


def _lost(body: Body) -> str:
    return f"Will not come: {body['title']}. {body['sentence']}"


def _imported(body: Body) -> str:
    return f"Placed in the library: {counted(len(body['files']), 'file')}."


def _chosen(body: Body) -> str:
    return f"Chosen: {body['title']}."


def _thought(body: Body) -> str:
    return f"(thinking) {body['text']}"


_TELLERS: Mapping[str, Callable[[Body], str | None]] = {
    "tool_call": _call,
    "tool_result": _result,
    "run_status": _status,
    "approval_resolved": _resolved,
    "options_resolved": _chosen,
    "budget_notice": _sentence,
    "download_completed": _completed,
    "download_failed": _lost,
    "imported": _imported,
}

_VERBOSE: Mapping[str, Callable[[Body], str | None]] = {"reasoning": _thought}
