from typing import Any

from agent.ending import Ending
from agent.facts import Facts
from agent.items import Item, Standing
from agent.report import goal_report
from agent.usage import Used
from agent.verdict import verdict
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.runs import RunState
from tests.agent.test_verdict import DONE, LOST, OPEN, approval, claim


def report(facts: Facts, ending: Ending | None = None) -> dict[str, Any]:
    judged = verdict(facts, ending, answered=True)
    return goal_report(facts, judged, ending, Used(tool_calls=3), "It is done.")


def test_the_report_names_every_item_with_words_a_person_uses() -> None:
    told = report(Facts(items=(DONE, OPEN, LOST)))
    assert told["lines"] == [
        "Submitted, not in the library yet: Day Train.",
        (
            "Night Train (1959), 1080p, 8.4 GB: in Night Train (1959)/Night Train (1959).mkv, "
            "took 12 minutes."
        ),
        "Day Train, 2.0 GB: downloading, 43 %.",
        "No Train: needs you (two films fit).",
    ]
    assert told["items"][0] == {
        "title": "Night Train (1959)",
        "state": "in the library",
        "standing": "done",
        "percent": 100,
        "size_gb": 8.4,
        "quality": "1080p",
        "where": "Night Train (1959)/Night Train (1959).mkv",
        "took": "12 minutes",
        "error": None,
    }


def test_a_long_report_keeps_to_eight_lines() -> None:
    told = report(
        Facts(
            items=(OPEN,) * 9,
            claims=(claim(ClaimState.UNKNOWN), claim(ClaimState.UNKNOWN)),
            approvals=(approval(ApprovalState.CONSUMED),) * 2,
        )
    )
    assert len(told["lines"]) == 8
    assert told["lines"][5:] == [
        "5 more are in the details.",
        "2 steps are not known yet.",
        "Your approval covered 2 steps.",
    ]


def test_failed_and_unknown_steps_and_approvals_are_in_the_details() -> None:
    told = report(
        Facts(
            claims=(claim(ClaimState.FAILED), claim(ClaimState.RUNNING)),
            approvals=(approval(ApprovalState.CONSUMED), approval(ApprovalState.DECLINED)),
        )
    )
    step = {
        "capability": "download.submit",
        "sentence": "The client did not answer.",
        "code": "unavailable",
    }
    assert told["failed"] == told["unknown"] == [step]
    assert told["approvals"] == [{"title": "Download Night Train", "decided_by": "owner:ada"}]
    assert told["usage"]["tool_calls"] == 3


def test_the_models_words_are_marked_unchecked_and_dropped_when_it_was_cut() -> None:
    assert report(Facts())["model_words"] == {"text": "It is done.", "verified": False}
    cut = Ending(RunState.FAILED, "The model is gone.")
    assert report(Facts(), cut)["model_words"] is None


def test_a_placed_item_without_a_path_is_simply_in_the_library() -> None:
    placed = Item("Day Train", Standing.DONE, "succeeded", 100, 0)
    assert report(Facts(items=(placed,)))["lines"][1] == "Day Train: in the library."
