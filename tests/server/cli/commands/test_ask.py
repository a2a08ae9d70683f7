"""Runs whose events stand in the ledger already; those that really happen are in test_asking."""

import json
import re

import pytest

from agent.upstreams import NO_UPSTREAM
from ledger.stores.runs import Phase, RunState
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import CTRL_C, alone, typist

ASKED = "[l]eave it waiting? "

REPORT = {
    "state": "succeeded",
    "lines": ["Sintel (2010) is in the library.", "Your approval covered 1 step."],
    "unknown": [],
    "model_words": {"text": "Done.\x1b[2J", "verified": False},
}


def ends(rig: Rig, state: RunState, **report: object) -> None:
    rig.plot.columns = {"state": state, "phase": Phase.DONE, "report": {**REPORT, **report}}


def test_steps_are_told_and_the_report_is_output(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    rig.plot.events = [
        ("run_status", {"state": "queued", "reason": None}),
        ("reasoning", {"text": "Hm."}),
        ("text_delta", {"reply": 1, "attempt": 1, "text": "I will "}),
        ("text_delta", {"reply": 1, "attempt": 1, "text": "look."}),
        ("tool_call", {"call": "1", "tool": "catalog__lookup", "sentence": "Look up: Sintel"}),
        ("tool_result", {"call": "1", "outcome": "succeeded", "sentence": "2 found."}),
        ("text_delta", {"reply": 2, "attempt": 1, "text": "Agai"}),
        ("text_delta", {"reply": 2, "attempt": 2, "text": "Again.\n"}),
        ("budget_notice", {"sentence": "Two calls are left."}),
    ]
    ends(rig, RunState.SUCCEEDED)
    rig.plot.columns["plan"] = {
        "goal": "x",
        "steps": [
            {"id": "a", "title": "Find", "status": "completed"},
            {"id": "b", "title": "Choose", "status": "in_progress"},
        ],
    }
    assert rig.typed("ask", "bring Sintel home") == Exit.DONE
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "Queued.",
        "I will look.",
        "• Look up: Sintel",
        "  ✓ 2 found.",
        "Agai",
        "Again.",
        "Two calls are left.",
        "Plan: 1 of 2, now: Choose",
    ]
    assert told.out == (
        "Sintel (2010) is in the library.\nYour approval covered 1 step.\n\n"
        "The model's words, checked by nobody:\nDone.\N{REPLACEMENT CHARACTER}[2J\n"
    )
    assert rig.plot.given == {"goal": "bring Sintel home", "propose_first": False}


def test_more_events_than_a_page_holds_are_all_told(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    rig.plot.events = [("budget_notice", {"sentence": f"Notice {n}"}) for n in range(250)]
    ends(rig, RunState.SUCCEEDED)
    assert rig.typed("ask", "x") == Exit.DONE
    assert capsys.readouterr().err.splitlines() == [f"Notice {n}" for n in range(250)]


@pytest.mark.parametrize(
    ("state", "report", "status"),
    [
        (RunState.SUCCEEDED, {}, Exit.DONE),
        (RunState.FAILED, {}, Exit.FAILED),
        (RunState.FAILED, {"unknown": [{"capability": "download.submit"}]}, Exit.UNKNOWN),
        (RunState.CANCELLED, {}, Exit.FAILED),
        (RunState.BUDGET_EXCEEDED, {}, Exit.FAILED),
        (RunState.WAITING, {}, Exit.FAILED),
    ],
)
def test_the_exit_status_follows_from_the_run(
    rig: Rig, state: RunState, report: dict[str, object], status: Exit
) -> None:
    ends(rig, state, **report)
    assert rig.typed("ask", "x") == status


def test_a_run_without_a_report_gives_its_reason(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    rig.plot.columns = {"state": RunState.FAILED, "reason": "No model is configured."}
    assert rig.typed("ask", "x") == Exit.FAILED
    assert capsys.readouterr().out == "No model is configured.\n"


def test_a_run_without_a_model_needs_its_owner_and_is_named(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    ends(rig, RunState.FAILED, conclusion=NO_UPSTREAM.sentence, lines=[NO_UPSTREAM.sentence])
    assert rig.typed("--json", "ask", "x") == Exit.NEEDS_YOU
    told = capsys.readouterr()
    assert "then ask for the same again" in told.out
    assert f"It was {json.loads(told.out)['run']}." in told.err


def test_an_empty_goal_is_wrong_usage(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("ask", " ") == Exit.USAGE
    assert "Say what the agent is to do." in capsys.readouterr().err


def test_the_document_holds_the_report(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    ends(rig, RunState.SUCCEEDED)
    assert rig.typed("--json", "ask", "x") == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert document["state"] == "succeeded"
    assert document["report"]["lines"] == REPORT["lines"]
    assert rig.run_at(document["run"]).goal == "x"


def test_quiet_says_nothing_but_the_report(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    rig.plot.events = [
        ("text_delta", {"reply": 1, "attempt": 1, "text": "Hm."}),
        ("budget_notice", {"sentence": "Two calls are left."}),
    ]
    ends(rig, RunState.SUCCEEDED)
    assert rig.typed("-q", "ask", "x") == Exit.DONE
    assert capsys.readouterr().err == ""


def test_verbose_shows_what_the_model_thinks(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    rig.plot.events = [("reasoning", {"text": "Hm."})]
    ends(rig, RunState.SUCCEEDED)
    assert rig.typed("-v", "ask", "x") == Exit.DONE
    assert "(thinking) Hm." in capsys.readouterr().err


def test_a_run_need_not_be_followed(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("ask", "x", "--no-follow", "--propose-first") == Exit.DONE
    assert rig.run_at(capsys.readouterr().out.strip()).goal == "x"
    assert rig.plot.given["propose_first"] is True
    assert rig.typed("ask", "x", "--no-follow", "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["state"] == "queued"


def waits_for_approval(rig: Rig) -> tuple[str, str]:
    approval, decision = rig.ask_for_approval()
    rig.plot.columns = {
        "state": RunState.WAITING,
        "phase": Phase.DRIVE,
        "options": {"waits_for": {"call": "1", "approval": approval, "decision": decision}},
    }
    return approval, decision


def test_without_a_terminal_the_run_goes_on_waiting(rig: Rig) -> None:
    approval, decision = waits_for_approval(rig)
    left = alone("ask", "x", "--json", "--home", str(rig.home.root), stdin=f"a\n{PASSPHRASE}\n")
    assert left.returncode == Exit.NEEDS_YOU
    assert "Download Sintel (2010), bluray 1080p, to Films" in left.stderr
    assert "there is no terminal here to ask you at. The run goes on waiting." in left.stderr
    assert f"Type {rig.hint(f'approve {decision}')} on a terminal." in left.stderr
    error = json.loads(left.stdout)["error"]
    assert (error["code"], error["approval"]) == ("needs_approval", approval)
    assert rig.approval(approval).state == "requested"


@pytest.mark.parametrize(
    ("variables", "options", "coloured"),
    [
        ({"FORCE_COLOR": "1"}, (), True),
        ({"FORCE_COLOR": "1"}, ("--no-color",), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({}, (), False),
    ],
)
def test_the_card_is_coloured_where_that_is_wanted(
    rig: Rig, variables: dict[str, str], options: tuple[str, ...], *, coloured: bool
) -> None:
    waits_for_approval(rig)
    left = alone("ask", "x", *options, "--home", str(rig.home.root), **variables)
    assert ("\x1b[1mDownload" in left.stderr) is coloured
    assert "\x1b" not in left.stdout


@pytest.mark.parametrize("answer", ["l\n", "\x04"])
def test_it_may_be_left_waiting(rig: Rig, answer: str) -> None:
    approval, _ = waits_for_approval(rig)
    with typist("ask", "x", "--home", str(rig.home.root)) as person:
        person.sees(ASKED)
        person.types("what?\n")
        person.sees("Type a, d or l.")
        person.sees(ASKED)
        person.types(answer)
        person.sees("it is left waiting. The run goes on waiting.")
        assert person.leaves() == Exit.NEEDS_YOU
    assert rig.approval(approval).state == "requested"


def test_a_card_that_was_decided_elsewhere_is_not_decided_twice(rig: Rig) -> None:
    approval, _ = waits_for_approval(rig)
    with typist("ask", "x", "--home", str(rig.home.root)) as first:
        first.sees(ASKED)
        with typist("approve", approval, "--home", str(rig.home.root)) as second:
            second.sees("Passphrase: ")
            second.types(f"{PASSPHRASE}\n")
            assert second.leaves() == Exit.DONE
        first.types("d\n")
        first.sees("told it): ")
        first.types("\n")
        first.sees(ASKED)
        first.types("d\n")
        first.sees("told it): ")
        first.types("no\n")
        first.sees("Passphrase: ")
        first.types(f"{PASSPHRASE}\n")
        first.sees("approved by owner:anna already. Nothing was changed.")
        first.types(CTRL_C)
        first.sees("press Ctrl-C again")
        first.types(CTRL_C)
        assert first.leaves() == Exit.INTERRUPTED
    assert rig.approval(approval).state == "approved"
    rig.stir()


def test_ctrl_c_asks_the_run_to_stop_and_a_second_one_leaves(rig: Rig) -> None:
    rig.plot.events = [("budget_notice", {"sentence": "It goes on."})]
    rig.plot.columns = {"state": RunState.RUNNING, "phase": Phase.DRIVE}
    with typist("ask", "x", "-v", "--home", str(rig.home.root)) as person:
        person.sees("It goes on.")
        person.types(CTRL_C)
        person.sees("The run is asked to stop; press Ctrl-C again to leave at once.")
        person.types(CTRL_C)
        assert person.leaves() == Exit.INTERRUPTED
    assert rig.run_at(rig.stir()).abort_asked


def test_options_are_shown_with_how_to_choose(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    rig.plot.columns = {"state": RunState.WAITING, "phase": Phase.DRIVE}
    rig.plot.options = [{"id": "a", "title": "The small one"}, {"id": "b", "title": "The large"}]
    assert rig.typed("ask", "x", "--json") == Exit.NEEDS_YOU
    told = capsys.readouterr()
    assert "The run asks: Which one?\n  a: The small one\n  b: The large" in told.err
    run = json.loads(told.out)["error"]["run"]
    arguments = re.search(r"choose_option '(.*)'`", told.err)
    assert arguments is not None
    chosen = arguments[1].replace("...", "a")
    assert json.loads(chosen)["run"] == run
    assert rig.typed("call", "runs.choose_option", chosen) == Exit.DONE
    assert "Chosen: The small one." in capsys.readouterr().err
