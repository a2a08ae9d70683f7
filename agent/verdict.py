"""From facts to how a run stands, and the one sentence that says so."""

from dataclasses import dataclass

from agent.ending import Ending
from agent.facts import Facts
from agent.items import Item, Standing
from agent.words import listed, one_line
from ledger.stores.approvals import ApprovalState
from ledger.stores.runs import RunState


@dataclass(frozen=True, slots=True)
class Verdict:
    """The run's state and its conclusion for the owner."""

    state: RunState
    conclusion: str


def verdict(facts: Facts, ending: Ending | None, *, answered: bool) -> Verdict:
    """Judge a run.

    Args:
        facts: what the tables say.
        ending: why the run was cut, if it was; what it brought about stands beside that.
        answered: whether the model closed its turn with words.
    """
    if ending is not None:
        return Verdict(ending.state, ending.sentence)
    if facts.unsettled:
        return Verdict(RunState.WAITING, _open(facts))
    if facts.items:
        return _settled(facts)
    if facts.plans:
        return Verdict(RunState.FAILED, _unsubmitted(facts))
    if not answered:
        return Verdict(RunState.FAILED, "The model ended without an answer; nothing was done.")
    return Verdict(RunState.SUCCEEDED, "Answered; nothing was downloaded or moved.")


def _open(facts: Facts) -> str:
    waiting = facts.standing(Standing.OPEN)
    if not waiting:
        return "Not known yet: whether a step was carried out is still being looked at."
    titles = listed([item.title for item in waiting])
    return f"Submitted, not in the library yet: {titles}."


def _settled(facts: Facts) -> Verdict:
    done, lost = facts.standing(Standing.DONE), facts.standing(Standing.LOST)
    if not lost:
        verb = "is" if len(done) == 1 else "are"
        titles = listed([item.title for item in done])
        return Verdict(RunState.SUCCEEDED, f"{titles} {verb} in the library.")
    if not done:
        titles = listed([item.title for item in lost])
        return Verdict(RunState.FAILED, f"Not in the library: {titles}{_because(lost)}.")
    return Verdict(
        RunState.FAILED, f"Only {len(done)} of {len(facts.items)} came into the library."
    )


def _because(lost: list[Item]) -> str:
    reasons = {item.error for item in lost}
    reason = reasons.pop() if len(reasons) == 1 else None
    return f" ({one_line(reason)})" if reason else ""


def _unsubmitted(facts: Facts) -> str:
    if declined := facts.approved(ApprovalState.DECLINED):
        reason = declined[-1].reason
        why = f": {one_line(reason)}" if reason else "."
        return f"Nothing was downloaded or moved, since you declined the plan{why}"
    if facts.approved(ApprovalState.REQUESTED):
        return "Nothing was downloaded or moved: the plan still needs your approval."
    if facts.approved(ApprovalState.LAPSED):
        return "Nothing was downloaded or moved: the plan was not approved in time."
    return "Nothing was downloaded or moved: a plan was made and never carried out."
