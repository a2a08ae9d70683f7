import json

import pytest

from ledger.stores import grants
from ledger.stores.grants import NewGrant, Scope, Terms
from server.cli.exits import Exit
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import alone


def test_the_data_is_output_and_the_sentence_is_said(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("call", "shelf.look", '{"title": "Sintel"}') == Exit.DONE
    told = capsys.readouterr()
    assert json.loads(told.out) == {"title": "Sintel", "count": 1, "seen_by": "key:local"}
    assert told.err == "Looked.\n"


def test_a_document_holds_outcome_sentence_and_data(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("--json", "-q", "call", "shelf.look", '{"title": "电影"}') == Exit.DONE
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert (document["outcome"], document["sentence"]) == ("succeeded", "Looked.")
    assert document["data"]["title"] == "电影"
    assert told.err == ""


def test_arguments_may_come_from_standard_input(rig: Rig) -> None:
    called = alone("call", "shelf.look", "-", "--home", str(rig.home.root), stdin='{"title": "x"}')
    assert called.returncode == Exit.DONE
    assert json.loads(called.stdout)["title"] == "x"


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ("pending", Exit.DONE),
        ("unknown", Exit.UNKNOWN),
        ("refused:precondition", Exit.FAILED),
        ("refused:denied", Exit.FAILED),
        ("refused:needs_approval", Exit.NEEDS_YOU),
        ("conflict", Exit.FAILED),
        ("invalid_input", Exit.USAGE),
        ("not_found", Exit.FAILED),
        ("budget_exceeded", Exit.FAILED),
        ("unavailable", Exit.UNREACHABLE),
        ("timeout", Exit.UNREACHABLE),
        ("paused", Exit.UNREACHABLE),
        ("unknown_outcome", Exit.UNKNOWN),
        ("crash", Exit.FAILED),
    ],
)
def test_the_exit_status_follows_from_the_outcome(rig: Rig, how: str, status: Exit) -> None:
    assert rig.typed("call", "shelf.end", json.dumps({"how": how})) == status


def test_a_failure_says_what_would_help(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("call", "shelf.end", '{"how": "conflict"}', "--json") == Exit.FAILED
    told = capsys.readouterr()
    assert told.err == "It failed.\nTry otherwise.\n"
    error = json.loads(told.out)
    assert error["exit"] == Exit.FAILED
    assert (error["error"]["code"], error["error"]["retry"]) == ("conflict", True)


def test_wrong_input_is_answered_with_an_example(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("call", "download.list", '{"stats": "x"}') == Exit.USAGE
    told = capsys.readouterr()
    assert told.out == ""
    example = rig.hint("""call download.list '{"status": "downloading"}\'""")
    assert f"For example: {example}" in told.err


def test_a_capability_that_there_is_not_leads_to_the_list(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("call", "nope.nope") == Exit.FAILED
    assert f"{rig.hint('capabilities')} lists them." in capsys.readouterr().err


def test_what_needs_approval_says_what_to_type(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MATINEE_KEY", rig.portal.call(rig.house.key, "shelf.put"))
    approval, decision = rig.ask_for_approval()
    arguments = json.dumps({"plan": rig.approval(approval).plan})
    assert rig.typed("call", "shelf.put", arguments) == Exit.NEEDS_YOU
    told = capsys.readouterr().err
    assert f"Type {rig.hint(f'approve {decision}')}" in told


def test_over_a_grants_budget_it_needs_you_as_any_other_approval_does(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MATINEE_KEY", rig.portal.call(rig.house.key, "shelf.put"))
    terms = Terms(Scope(), calls_per_day=0, bytes_per_day=None, may_replace=False, expires_at=None)
    by, at = f"owner:{OWNER}", rig.ledger.now()
    grant = rig.write(lambda tx: grants.add(tx, NewGrant("shelf.put", terms), by, at))
    approval, decision = rig.ask_for_approval()
    arguments = json.dumps({"plan": rig.approval(approval).plan})
    assert rig.typed("call", "shelf.put", arguments) == Exit.NEEDS_YOU
    rig.write(lambda tx: grants.withdraw(tx, grant, by=by, reason="over", at=at))
    told = capsys.readouterr().err
    assert "Over budget: the grant for 'shelf.put' has 0 of 0 calls left today" in told
    assert f"Type {rig.hint(f'approve {decision}')}" in told


@pytest.mark.parametrize("text", ["{", "[1]", '"x"', "null"])
def test_what_is_no_json_object_is_wrong_usage(
    rig: Rig, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("call", "shelf.look", text) == Exit.USAGE
    assert "Usage: matinee call" in capsys.readouterr().err


def test_the_same_key_is_the_same_call(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("call", "shelf.note", '{"words": "x"}', "--idempotency-key", "once")
    assert rig.typed(*asked) == Exit.DONE
    first = json.loads(capsys.readouterr().out)
    assert rig.typed(*asked) == Exit.DONE
    again = json.loads(capsys.readouterr().out)
    assert again["note"] == first["note"]
    assert again["replayed"] is True
