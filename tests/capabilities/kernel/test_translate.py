import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from capabilities.kernel.outcomes import Failed, Unknown
from capabilities.kernel.translate import from_cut_commit, from_ledger, from_world
from ledger.faults import LedgerUnavailableError, LedgerUnclearError

BOX = 'the indexer "loopback"'


def test_a_lost_answer_is_unknown_only_for_what_acts() -> None:
    lost = LostAnswerError(BOX, "It hung up.")
    acted = from_world(lost, acts=True, check="look")
    assert isinstance(acted, Unknown)
    assert acted.check == "look"
    assert acted.sentence.startswith('The indexer "loopback": It hung up.')
    read = from_world(lost, acts=False, check="look")
    assert isinstance(read, Failed)
    assert (read.code, read.retry) == (Code.UNAVAILABLE, True)


@pytest.mark.parametrize("acts", [True, False])
@pytest.mark.parametrize(
    ("fault", "code", "retry"),
    [
        (UnreachableError(BOX, "No route."), Code.UNAVAILABLE, True),
        (ThrottledError(BOX, "Slow down."), Code.RATE_LIMITED, True),
        (DeclinedError(BOX, "No."), Code.PRECONDITION, False),
        (WorldFaultError(BOX, "Odd."), Code.UNAVAILABLE, False),
    ],
    ids=lambda held: type(held).__name__,
)
def test_every_other_fault_is_a_failure_that_says_whether_to_repeat(
    fault: WorldFaultError, code: Code, *, acts: bool, retry: bool
) -> None:
    outcome = from_world(fault, acts=acts, check="look")
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry) == (code, retry)
    assert outcome.sentence == f'The indexer "loopback": {fault.sentence}'


@pytest.mark.parametrize(
    ("pause", "hint"), [(7.4, "Try again in 7 s."), (None, "Try again a little later.")]
)
def test_a_pause_that_was_asked_for_is_passed_on(pause: float | None, hint: str) -> None:
    fault = ThrottledError(BOX, "Slow down.", retry_after_s=pause)
    outcome = from_world(fault, acts=False, check="look")
    assert isinstance(outcome, Failed)
    assert outcome.hint == hint


def test_a_ledger_that_is_away_means_that_nothing_was_done() -> None:
    outcome = from_ledger(LedgerUnavailableError("the ledger could not be written: disk is full"))
    assert (outcome.code, outcome.retry) == (Code.UNAVAILABLE, True)
    assert outcome.sentence == "The ledger could not be written: disk is full."
    assert outcome.hint.startswith("Nothing was done.")


def test_what_to_do_is_what_the_ledger_says_and_not_always_the_disk_of_the_home() -> None:
    away = LedgerUnavailableError("the ledger could not be read: it is away", "Start the server.")
    assert from_ledger(away).hint == "Nothing was done. Start the server. Then try again."


def test_a_commit_that_was_cut_never_says_that_nothing_was_done() -> None:
    cut = LedgerUnclearError("the connection was cut, and nobody knows", "Look.")
    failed = from_ledger(cut)
    assert (failed.hint, failed.retry) == ("Look.", False)
    unknown = from_cut_commit(cut, "inv_1")
    assert unknown.sentence == "The connection was cut, and nobody knows."
    assert unknown.invocation == "inv_1"
    assert "this invocation" in unknown.check


def test_a_fault_names_its_system_and_what_happened() -> None:
    assert str(DeclinedError(BOX, "No.")) == f"{BOX}: No."
