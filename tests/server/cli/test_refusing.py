"""Each of these is typed where no terminal is: it is refused before one would be needed."""

from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.stores import approvals, switches
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind, Option, offered
from ledger.stores.switches import SwitchName
from ledger.tables.effects import approval as rows
from server.cli.exits import Exit
from tests.server.cli.rig import OWNER, Rig, rigged
from tests.server.cli.typist import typist

NEEDS_A_TERMINAL = "there is none here"


@pytest.fixture
def refused(rig: Rig, capsys: pytest.CaptureFixture[str]) -> "Refused":
    return Refused(rig, capsys)


class Refused:
    def __init__(self, rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
        self._rig = rig
        self._capsys = capsys

    def __call__(self, *typed: str, status: Exit = Exit.FAILED) -> str:
        assert self._rig.typed(*typed) == status
        told = self._capsys.readouterr().err
        assert NEEDS_A_TERMINAL not in told
        return told


def turn(rig: Rig, *, on: bool, name: SwitchName = SwitchName.READ_ONLY) -> None:
    at, by = rig.ledger.now(), f"owner:{OWNER}"
    rig.write(lambda tx: switches.turn(tx, name, on=on, by=by, reason="moving\x1b", at=at))


@pytest.fixture
def read_only(rig: Rig) -> Generator[None]:
    turn(rig, on=True)
    yield
    turn(rig, on=False)


@pytest.mark.parametrize(
    "state",
    [
        ApprovalState.CONSUMED,
        ApprovalState.WITHDRAWN,
        ApprovalState.LAPSED,
        ApprovalState.DECLINED,
    ],
)
def test_what_is_over_is_neither_decided_nor_withdrawn(
    rig: Rig, refused: Refused, state: ApprovalState
) -> None:
    approval, decision = rig.ask_for_approval()
    at = rig.ledger.now()
    rig.write(lambda tx: approvals.end(tx, approval, ApprovalState.WITHDRAWN, "x", at))
    change = rows.update().where(rows.c.id == approval).values(state=state)
    rig.write(lambda tx: tx.conn.execute(change) and None)
    for typed in (approval, decision, approval[:12]):
        told = refused("approval", "withdraw", typed, "--reason", "x")
        assert f"This is {state} already. Nothing was changed." in told
    assert f"This is {state} already" in refused("approve", approval)
    assert f"This is {state} already" in refused("decline", approval, "--reason", "x")


def test_what_ran_out_is_not_decided(rig: Rig, refused: Refused) -> None:
    approval, _ = rig.ask_for_approval()
    past = rig.ledger.now() - timedelta(seconds=1)
    change = rows.update().where(rows.c.id == approval).values(expires_at=past)
    rig.write(lambda tx: tx.conn.execute(change) and None)
    assert "The time for this approval ran out." in refused("approve", approval)
    assert "ran out" in refused("decline", approval, "--reason", "x")


@pytest.mark.usefixtures("read_only")
def test_a_read_only_house_says_so_at_once(rig: Rig, refused: Refused) -> None:
    approval, _ = rig.ask_for_approval()
    question = rig.decide(DecisionKind.OTHER, "Shall it?", options=offered(Option.DISMISS))
    act = rig.leave_unknown("It hung up.")
    for typed in (
        ("approve", approval),
        ("decisions", "resolve", question, "dismiss"),
        ("claims", "settle", act, "--as", "done", "--reason", "I looked"),
        ("grant", "make", "shelf.put"),
    ):
        told = refused(*typed)
        assert f"The house is read-only, by owner:{OWNER}: moving" in told
        assert rig.hint("switch off read_only --reason …") in told
        assert "\x1b" not in told
    assert rig.typed("decline", approval, "--reason", "x") == Exit.NEEDS_YOU
    rig.settle(question)


def test_with_the_master_switch_off_it_is_told_that_nothing_will_be_done(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    turn(rig, on=False, name=SwitchName.MASTER)
    try:
        assert rig.typed("ask", "--no-follow", "what is in the library?") == Exit.DONE
    finally:
        turn(rig, on=True, name=SwitchName.MASTER)
    told = capsys.readouterr()
    assert f"Automatic acts are switched off, by owner:{OWNER}: moving" in told.err
    assert "switch on master --reason …" in told.err
    assert told.out.startswith("run_")


def test_a_decision_is_settled_once_and_by_what_it_offers(rig: Rig, refused: Refused) -> None:
    _, decision = rig.ask_for_approval()
    told = refused("decisions", "resolve", decision, "approve")
    assert rig.hint(f"approve {decision}") in told
    act = rig.decide(DecisionKind.OTHER, "Was it done?", options=offered(Option.CHECK, Option.DONE))
    told = refused("decisions", "resolve", act, "retry", status=Exit.USAGE)
    assert "There is no option 'retry'; the options are check, done." in told
    told = refused("decisions", "resolve", act, "done", status=Exit.USAGE)
    assert "Settling by hand needs a reason" in told
    rig.settle(act)
    told = refused("decisions", "resolve", act, "check")
    assert "This was settled already: gone. Nothing was changed." in told


def test_an_option_of_a_runs_own_needs_no_reason(rig: Rig) -> None:
    chosen = rig.decide(DecisionKind.CHOOSE_OPTION, "Which?", options=[{"id": "done"}])
    called = rig.decide(
        DecisionKind.OTHER, "Which?", options=[{"id": "done", "capability": "shelf.look"}]
    )
    for id_ in (chosen, called):
        assert rig.typed("decisions", "resolve", id_, "done") == Exit.NEEDS_YOU
        rig.settle(id_)


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        (("grant", "show", "grant_none"), Exit.FAILED),
        (("grant", "withdraw", "dec_0123456789", "--reason", "x"), Exit.FAILED),
        (("grant", "shorten", "grant_01", "--calls", "1"), Exit.USAGE),
        (("key", "revoke", "laptop"), Exit.FAILED),
        (("audit", "list", "--run", "run_01"), Exit.USAGE),
        (("switch", "off", "master", "--reason", " "), Exit.USAGE),
    ],
)
def test_what_can_be_no_id_or_no_reason_is_refused_at_once(
    refused: Refused, typed: tuple[str, ...], status: Exit
) -> None:
    refused(*typed, status=status)


def test_nobody_is_asked_for_the_passphrase_of_an_owner_that_there_is_not(
    tmp_path: Path,
) -> None:
    with rigged(tmp_path, owned=False) as rig:
        for typed in (("key", "list"), ("switch", "off", "master", "--reason", "x")):
            with typist(*typed, "--home", str(tmp_path)) as person:
                person.sees("There is no owner yet, so nobody can do this.")
                person.sees(rig.hint("owner"))
                assert person.leaves() == Exit.NEEDS_YOU
            assert "Passphrase" not in person.screen
