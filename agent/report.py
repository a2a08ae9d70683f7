"""The goal report: built from the tables, with the model's words beside it, marked unchecked."""

from typing import Any

from agent.ending import Ending
from agent.facts import Facts
from agent.items import Item, Standing
from agent.usage import Used
from agent.verdict import Verdict
from agent.words import gigabytes, one_line, span
from capabilities.rules.wording import counted
from ledger.stores.approvals import Approval, ApprovalState
from ledger.stores.claims import Claim
from ledger.stores.runs import RunState

MOST_LINES = 8
MOST_ITEM_LINES = 4

_WORDS = {"succeeded": "in the library", "needs_owner": "needs you"}


def goal_report(
    facts: Facts, judged: Verdict, ending: Ending | None, used: Used, last_words: str
) -> dict[str, Any]:
    """The report as a document.

    ``lines`` is the whole of it for a person: the conclusion first, at most eight lines.
    ``model_words`` is what the model said last, checked by nobody, and None when it was cut.
    """
    words = last_words if ending is None else ""
    return {
        "state": judged.state,
        "conclusion": judged.conclusion,
        "lines": _lines(facts, judged),
        "items": [_item(item) for item in facts.items],
        "approvals": [_approval(each) for each in facts.approved(ApprovalState.CONSUMED)],
        "failed": [_claim(claim) for claim in facts.failed],
        "unknown": [_claim(claim) for claim in facts.unknown],
        "usage": used.document(),
        "model_words": {"text": words, "verified": False} if words else None,
    }


def _lines(facts: Facts, judged: Verdict) -> list[str]:
    shown = facts.items[:MOST_ITEM_LINES]
    lines = [judged.conclusion, *(_line(item) for item in shown)]
    if more := len(facts.items) - len(shown):
        lines.append(f"{more} more are in the details.")
    if judged.state == RunState.CANCELLED and facts.standing(Standing.OPEN):
        lines.append("Stopping the run stops no download: what was submitted goes on.")
    if facts.unknown:
        lines.append(counted(len(facts.unknown), "step is", "steps are") + " not known yet.")
    if used := len(facts.approved(ApprovalState.CONSUMED)):
        lines.append(f"Your approval covered {counted(used, 'step')}.")
    return lines[:MOST_LINES]


def _line(item: Item) -> str:
    parts = [item.quality, f"{gigabytes(item.size)} GB" if item.size else None]
    what = ", ".join([one_line(item.title), *(part for part in parts if part)])
    return f"{what}: {_how_it_stands(item)}."


def _how_it_stands(item: Item) -> str:
    match item.standing:
        case Standing.DONE:
            where = f"in {item.where}" if item.where else "in the library"
            return f"{where}, took {span(item.took)}" if item.took is not None else where
        case Standing.OPEN:
            return f"{_word(item.state)}, {item.percent} %"
        case Standing.LOST:
            reason = f" ({one_line(item.error)})" if item.error else ""
            return f"{_word(item.state)}{reason}"


def _word(state: str) -> str:
    return _WORDS.get(state, state.replace("_", " "))


def _item(item: Item) -> dict[str, Any]:
    return {
        "title": item.title,
        "state": _word(item.state),
        "standing": item.standing,
        "percent": item.percent,
        "size_gb": gigabytes(item.size),
        "quality": item.quality,
        "where": item.where,
        "took": span(item.took) if item.took is not None else None,
        "error": item.error,
    }


def _approval(approval: Approval) -> dict[str, Any]:
    return {"title": approval.card.get("title"), "decided_by": approval.decided_by}


def _claim(claim: Claim) -> dict[str, Any]:
    return {"capability": claim.capability, "sentence": claim.sentence, "code": claim.code}
