import pytest

from server.cli.steps import plan_line, told


@pytest.mark.parametrize(
    ("type_", "body", "line"),
    [
        ("run_status", {"state": "queued", "reason": None}, "Queued."),
        ("run_status", {"state": "waiting", "reason": "Waits for you."}, "Waits for you."),
        ("run_status", {"state": "running", "reason": None}, None),
        ("tool_call", {"tool": "catalog__lookup", "sentence": "Look up"}, "• Look up"),
        ("tool_result", {"outcome": "succeeded", "sentence": "Found."}, "  ✓ Found."),
        ("tool_result", {"outcome": "pending", "sentence": "Soon."}, "  … Soon."),
        ("tool_result", {"outcome": "unknown", "sentence": "Who knows."}, "  ? Who knows."),
        ("tool_result", {"outcome": "refused", "sentence": "No."}, "  ✗ No."),
        ("tool_result", {"outcome": "other", "sentence": "So."}, "  · So."),
        ("approval_resolved", {"state": "approved", "by": "owner:a"}, "  Approved by owner:a."),
        ("approval_resolved", {"state": "approved", "sentence": "Done."}, None),
        ("options_resolved", {"title": "The small one"}, "Chosen: The small one."),
        ("budget_notice", {"sentence": "Two are left."}, "Two are left."),
        ("download_completed", {"title": "S"}, "Downloaded: S. It is checked and placed now."),
        ("download_failed", {"title": "S", "sentence": "It broke."}, "Will not come: S. It broke."),
        ("download_progress", {"title": "S", "percent": 5}, None),
        ("imported", {"files": ["a"], "folder": "f"}, "Placed in the library: 1 file."),
        ("imported", {"files": ["a", "b"]}, "Placed in the library: 2 files."),
        ("reasoning", {"text": "Hm."}, None),
        ("tool_call", {"tool": "update_plan", "sentence": "Update the plan"}, None),
        ("something_new", {"sentence": "?"}, None),
    ],
)
def test_an_event_is_a_sentence(type_: str, body: dict[str, object], line: str | None) -> None:
    assert told(type_, body) == line


def test_verbose_tells_more() -> None:
    assert told("reasoning", {"text": "Hm."}, verbose=True) == "(thinking) Hm."
    update = {"tool": "update_plan", "sentence": "Update the plan"}
    assert told("tool_call", update, verbose=True) == "• Update the plan"


def test_a_sentence_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in str(told("budget_notice", {"sentence": "\x1b[2J"}))


def test_the_plan_is_one_line() -> None:
    assert plan_line(None) is None
    assert plan_line({"done": 2, "total": 5, "now": "Choose"}) == "2 of 5, now: Choose"
    assert plan_line({"done": 5, "total": 5}) == "5 of 5"
