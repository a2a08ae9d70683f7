from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.ending import Ending
from agent.facts import Facts
from agent.items import Item, Standing
from agent.verdict import verdict
from ledger.stores.approvals import Approval, ApprovalState
from ledger.stores.claims import Claim, ClaimState
from ledger.stores.plans import Plan, PlanState
from ledger.stores.runs import RunState

AT = datetime(2026, 2, 3, tzinfo=UTC)
DONE = Item(
    "Night Train (1959)",
    Standing.DONE,
    "succeeded",
    100,
    8_400_000_000,
    "1080p",
    "Night Train (1959)/Night Train (1959).mkv",
    timedelta(minutes=12),
)
OPEN = Item("Day Train", Standing.OPEN, "downloading", 43, 2_000_000_000)
LOST = Item("No Train", Standing.LOST, "needs_owner", 100, 0, error="two films fit")


def plan(**more: Any) -> Plan:
    return Plan(
        "plan_1",
        "acquisition",
        PlanState.DRAFT,
        1,
        "h",
        {},
        {},
        None,
        "run_1",
        "run:run_1",
        AT,
        **more,
    )


def approval(state: ApprovalState, reason: str | None = None) -> Approval:
    return Approval(
        id="apr_1",
        capability="download.submit",
        plan_type="acquisition",
        plan="plan_1",
        payload_hash="h",
        revision=1,
        state=state,
        requested_by="run:run_1",
        run="run_1",
        call_id="c",
        card={"title": "Download Night Train"},
        created_at=AT,
        expires_at=AT,
        decided_by="owner:ada",
        decided_at=AT,
        reason=reason,
        consumed_by=None,
    )


def claim(state: ClaimState) -> Claim:
    return Claim(
        id="inv_1",
        capability="download.submit",
        version=1,
        actor="run:run_1",
        principal="owner:ada",
        run="run_1",
        request="run_1",
        call_id="c",
        fingerprint="f",
        key="k",
        natural_key=None,
        state=state,
        token="t",
        worker="w",
        attempt=1,
        target=None,
        plan="plan_1",
        plan_hash="h",
        plan_revision=1,
        authority=None,
        result=None,
        code="unavailable",
        sentence="The client did not answer.",
        evidence=None,
        claimed_at=AT,
        settled_at=None,
    )


@pytest.mark.parametrize(
    ("facts", "state", "conclusion"),
    [
        (Facts(), RunState.SUCCEEDED, "Answered; nothing was downloaded or moved."),
        (Facts(items=(DONE,)), RunState.SUCCEEDED, "Night Train (1959) is in the library."),
        (
            Facts(items=(DONE, DONE)),
            RunState.SUCCEEDED,
            "Night Train (1959) and Night Train (1959) are in the library.",
        ),
        (
            Facts(items=(DONE, OPEN)),
            RunState.WAITING,
            "Submitted, not in the library yet: Day Train.",
        ),
        (
            Facts(claims=(claim(ClaimState.UNKNOWN),)),
            RunState.WAITING,
            "Not known yet: whether a step was carried out is still being looked at.",
        ),
        (
            Facts(items=(LOST,)),
            RunState.FAILED,
            "Not in the library: No Train (two films fit).",
        ),
        (
            Facts(items=(LOST, Item("Last Train", Standing.LOST, "failed", 0, 0))),
            RunState.FAILED,
            "Not in the library: No Train and Last Train.",
        ),
        (
            Facts(items=(DONE, LOST)),
            RunState.FAILED,
            "Only 1 of 2 came into the library.",
        ),
        (
            Facts(plans=(plan(),)),
            RunState.FAILED,
            "Nothing was downloaded or moved: a plan was made and never carried out.",
        ),
        (
            Facts(plans=(plan(),), approvals=(approval(ApprovalState.REQUESTED),)),
            RunState.FAILED,
            "Nothing was downloaded or moved: the plan still needs your approval.",
        ),
        (
            Facts(plans=(plan(),), approvals=(approval(ApprovalState.LAPSED),)),
            RunState.FAILED,
            "Nothing was downloaded or moved: the plan was not approved in time.",
        ),
        (
            Facts(plans=(plan(),), approvals=(approval(ApprovalState.DECLINED, "too big"),)),
            RunState.FAILED,
            "Nothing was downloaded or moved, since you declined the plan: too big",
        ),
        (
            Facts(plans=(plan(),), approvals=(approval(ApprovalState.DECLINED),)),
            RunState.FAILED,
            "Nothing was downloaded or moved, since you declined the plan.",
        ),
    ],
)
def test_a_run_is_judged_by_what_the_tables_say(
    facts: Facts, state: RunState, conclusion: str
) -> None:
    judged = verdict(facts, None, answered=True)
    assert (judged.state, judged.conclusion) == (state, conclusion)


def test_a_silent_model_succeeded_in_nothing() -> None:
    assert verdict(Facts(), None, answered=False).state == RunState.FAILED


def test_a_cut_run_ends_as_it_was_cut_whatever_it_brought_about() -> None:
    cut = Ending(RunState.BUDGET_EXCEEDED, "All calls are used.")
    judged = verdict(Facts(items=(DONE,)), cut, answered=True)
    assert (judged.state, judged.conclusion) == (RunState.BUDGET_EXCEEDED, "All calls are used.")
