import json
from pathlib import Path
from typing import Any

import pytest

from capabilities.kernel.actors import owner
from capabilities.kernel.hand_settlement import Word, settle_by_hand_in
from ledger.stores import approvals, decisions
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind, DecisionState, Option, Severity, offered
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig, rigged
from tests.server.cli.typist import alone, typist


def test_nothing_waits_in_a_new_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rigged(tmp_path) as rig:
        assert rig.typed("decisions") == Exit.DONE
    assert capsys.readouterr().out == "Nothing waits for you.\n"


def test_what_waits_is_listed_most_urgent_first(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    low = rig.decide(DecisionKind.DOWNLOAD_STALLED, "It stalls", severity=Severity.LOW)
    high = rig.decide(DecisionKind.NO_SPACE, "No room", severity=Severity.HIGH)
    _, decision = rig.ask_for_approval()
    assert rig.typed("decisions") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines] == [high, decision, low]
    assert lines[0].split()[:4] == ["high", "no", "space", "No"]
    for each in (low, high, decision):
        rig.settle(each)


def test_one_is_shown_with_evidence_and_options(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = rig.decide(
        DecisionKind.IDENTITY_AMBIGUOUS,
        "Which one is it?\x1b[2J",
        evidence={"seen_name": "Sintel", "against": ["no year", "no id"], "by": ["policy"]},
        options=[{"id": "a", "title": "The film of 2010"}, {"id": "b"}],
    )
    assert rig.typed("decisions", id_) == Exit.DONE
    page = capsys.readouterr().out
    assert "Which one is it? [2J (awaiting user)" in page
    assert "  seen name: Sintel\n  against:\n    no year\n    no id\n  by: policy\n" in page
    assert "option a: The film of 2010" in page
    rig.settle(id_)
    assert rig.typed("decisions", id_) == Exit.DONE
    assert "Settled by owner:anna: gone" in capsys.readouterr().out


def candidate(id_: str, title: str, **more: Any) -> dict[str, Any]:
    empty: list[str] = []
    plain = {"id": id_, "title": title, "kind": "film", "speaks_for": empty}
    return {**plain, "speaks_against": empty, **more}


CANDIDATES = [
    candidate(
        "tmdb:film:45745",
        "Sintel (2010)",
        year=2010,
        speaks_for=["the title is one of its titles", "an id\x1b[2J names it"],
    ),
    candidate("tmdb:film:900002", "Sintel (1994)", year=1994, speaks_against=["no year is said"]),
    {"id": "dismiss", "title": "Leave it as it is"},
]


def test_candidates_stand_side_by_side_with_what_speaks_for_and_against(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = rig.decide(DecisionKind.IDENTITY_AMBIGUOUS, "Which is it?", options=CANDIDATES)
    for typed in (("decisions", id_), ("decisions",)):
        assert rig.typed(*typed) == Exit.DONE
        page = capsys.readouterr().out
        assert "\x1b" not in page
        lines = page.splitlines()
        head = next(line for line in lines if line.startswith("title "))
        assert head.split() == ["title", "year", "kind", "id", "for", "against"]
        first, other = (next(line for line in lines if id_ in line) for id_ in ("45745", "900002"))
        assert first.split()[:5] == ["Sintel", "(2010)", "2010", "film", "tmdb:film:45745"]
        assert first.index("the title") == head.index("for ")
        assert other[head.index("against") :].startswith("no year is")
        assert f" decisions resolve {id_} ID`" in page
    rig.settle(id_)


def test_whoever_settles_is_shown_the_candidates_once_and_not_told_how_to(rig: Rig) -> None:
    said = "the title is one of its titles"
    evidence = {"release": "Sintel.2010", "evidence": [said], "contradictions": ["no year is said"]}
    id_ = rig.decide(
        DecisionKind.IDENTITY_AMBIGUOUS, "Which is it?", options=CANDIDATES, evidence=evidence
    )
    home = str(rig.home.root)
    typed = ("decisions", "resolve", id_, "tmdb:film:45745", "--home", home)
    with typist(*typed, COLUMNS="200") as person:
        person.sees("Passphrase: ")
        seen = person.screen
        person.types("\n")
        assert person.leaves() == Exit.NEEDS_YOU
    assert seen.count(said) == 1
    assert "release: Sintel.2010" in seen
    assert "Choose one with" not in seen
    rig.settle(id_)


def test_of_a_long_list_only_the_first_candidates_are_compared(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [
        rig.decide(DecisionKind.IDENTITY_AMBIGUOUS, f"Which is {n}?", options=CANDIDATES)
        for n in range(5)
    ]
    assert rig.typed("decisions") == Exit.DONE
    page = capsys.readouterr().out
    assert page.count("title  ") == 3
    assert "2 more have candidates" in page
    for each in ids:
        rig.settle(each)


def test_an_approval_is_shown_as_its_card(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    approval, decision = rig.ask_for_approval()
    for typed in (decision, approval):
        assert rig.typed("decisions", typed) == Exit.DONE
        page = capsys.readouterr().out
        assert "Download Sintel (2010)" in page
        assert f"requested; {rig.hint(f'approve {decision}')} or " in page


def test_the_document_is_what_the_server_says(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    _, decision = rig.ask_for_approval()
    assert rig.typed("decisions", decision, "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["id"] == decision


def test_an_unknown_one_is_not_found(rig: Rig) -> None:
    assert rig.typed("decisions", "dec_none") == Exit.FAILED


def test_the_owner_settles_one_with_the_passphrase_typed_at_the_terminal(rig: Rig) -> None:
    id_ = rig.decide(DecisionKind.OTHER, "Shall it?", options=offered(Option.DISMISS))
    with typist("decisions", "resolve", id_, "dismiss", "--home", str(rig.home.root)) as person:
        person.sees("option dismiss")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("It is left as it is.")
        assert person.leaves() == Exit.DONE
    found = rig.read(lambda conn: decisions.by_id(conn, id_))
    assert found is not None
    assert (found.state, found.resolved_by) == (DecisionState.DISMISSED, "owner:anna")


def test_a_look_that_settles_nothing_ends_as_unknown_and_leaves_the_decision_open(rig: Rig) -> None:
    act = rig.leave_unknown("The client did not answer.")
    options = offered(Option.CHECK, Option.DONE, Option.NOT_DONE)
    id_ = rig.decide(DecisionKind.OTHER, "Was it done?", options=options, subject=act)
    with typist("decisions", "resolve", id_, "check", "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("A look did not settle it: ")
        assert person.leaves() == Exit.UNKNOWN
    found = rig.read(lambda conn: decisions.by_id(conn, id_))
    assert found is not None
    assert found.state is DecisionState.AWAITING_USER
    rig.settle(id_)
    word = Word(done=False, by=owner(OWNER), reason="nothing is there")
    rig.write(lambda tx: settle_by_hand_in(tx, rig.ledger, act, word))


def test_without_the_owner_at_the_terminal_nothing_is_settled(rig: Rig) -> None:
    id_ = rig.decide(DecisionKind.OTHER, "Shall it?", options=offered(Option.DISMISS))
    asked = ("decisions", "resolve", id_, "dismiss", "--home", str(rig.home.root))
    without = alone(*asked, stdin=f"{PASSPHRASE}\n")
    assert without.returncode == Exit.NEEDS_YOU
    rig.settle(id_)


def test_what_is_meant_by_the_beginning_of_an_id_is_said_before_the_passphrase(rig: Rig) -> None:
    id_ = rig.decide(DecisionKind.OTHER, "Shall it?", options=offered(Option.DISMISS))
    asked = ("decisions", "resolve", id_[:12], "dismiss", "--home", str(rig.home.root))
    with typist(*asked) as person:
        person.sees(f"{id_[:12]} is {id_}.")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE
    found = rig.read(lambda conn: decisions.by_id(conn, id_))
    assert found is not None
    assert found.state is DecisionState.DISMISSED


def test_what_is_decided_offers_no_deciding(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    approval, decision = rig.ask_for_approval()
    at = rig.ledger.now()
    rig.write(lambda tx: approvals.end(tx, approval, ApprovalState.LAPSED, "late", at))
    assert rig.typed("decisions", decision) == Exit.DONE
    assert capsys.readouterr().out.endswith("\nlapsed.\n")
    rig.settle(decision)
