from datetime import UTC, datetime, timedelta

import pytest

from capabilities.rules.patience import Patience
from capabilities.rules.stalling import (
    LONGEST_LOOK_S,
    WITNESS_S,
    Clock,
    Look,
    Pulse,
    clock_json,
    clock_of,
    is_clients_fault,
    limit_s,
    pulse,
)

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR_S = 3_600.0


def look(state: str = "downloading", done: int = 0, rate: int = 0, *, files: bool = True) -> Look:
    return Look(state, done, rate, files)


def quiet_after(*looks: Look, every_s: float = 60, begin: Clock | None = None) -> float:
    """Seconds of quiet after these looks, one every ``every_s``."""
    clock = begin or Clock()
    for number, one in enumerate(looks):
        clock = clock.after(one, START + timedelta(seconds=number * every_s))
    return clock.quiet_s


@pytest.mark.parametrize(
    ("looks", "quiet_s"),
    [
        ([look()], 0),
        ([look(), look()], 60),
        ([look(), look(), look()], 120),
        ([look("stalled"), look("stalled")], 60),
        ([look("metadata", files=False), look("metadata", files=False)], 60),
        ([look(), look(), look(done=1)], 0),
        ([look(), look(), look(rate=1)], 0),
        ([look(), look(done=1), look(done=1)], 60),
        ([look("metadata", files=False), look("metadata", files=False), look()], 0),
        ([look(done=9), look(done=5), look(done=9)], 120),
        ([look(done=9), look("checking", 0), look(done=5)], 0),
        ([look(), look("paused_by_owner"), look()], 0),
        ([look(), look("paused_by_us"), look(), look()], 60),
        ([look("queued"), look("queued")], 0),
        ([look("checking"), look("checking")], 0),
        ([look("missing_files"), look("missing_files")], 0),
        ([look(), look(), look("paused_by_owner"), look("paused_by_owner"), look(), look()], 120),
        ([look(), look(), look(files=False)], 120),
    ],
    ids=[
        "the first look begins",
        "no byte",
        "no byte twice",
        "a client's word is not asked",
        "no list of files",
        "a byte",
        "a rate",
        "the last byte",
        "the list of files",
        "what was lost and came again is nothing new",
        "what came after a check is",
        "paused by the owner",
        "paused by us",
        "queued",
        "checking",
        "held for missing files",
        "a pause takes nothing back",
        "a list that is not told at every look",
    ],
)
def test_only_time_that_was_seen_to_pass_without_a_byte_counts(
    looks: list[Look], quiet_s: float
) -> None:
    assert quiet_after(*looks) == quiet_s


def test_what_passed_while_nobody_looked_counts_no_more_than_one_look() -> None:
    assert quiet_after(look(), look(), every_s=9 * HOUR_S) == LONGEST_LOOK_S


def test_a_clock_that_is_set_back_takes_nothing_away() -> None:
    clock = Clock(quiet_s=50, has_files=True, ran_at=START)
    assert clock.after(look(), START - timedelta(days=1)).quiet_s == 50


def test_the_time_of_a_client_that_does_not_answer_does_not_count() -> None:
    clock = Clock(quiet_s=50, has_files=True, ran_at=START).unseen()
    later = clock.after(look(), START + timedelta(seconds=100))
    assert later.quiet_s == 50
    assert later.after(look(), START + timedelta(seconds=110)).quiet_s == 60


def test_a_clock_goes_on_after_a_restart() -> None:
    clock = Clock(7, 50.0, has_files=True, ran_at=START)
    assert clock_of({"clock": clock_json(clock)}) == clock
    assert clock_of({}) == Clock()


def test_a_clock_set_back_keeps_all_else() -> None:
    assert Clock(7, 50.0, True, START).anew() == Clock(7, 0.0, True, START)


PATIENCE = Patience(stalled_minutes=6, last_candidate_minutes=24, metadata_minutes=1)


@pytest.mark.parametrize(
    ("has_files", "others", "minutes"),
    [(True, True, 6), (True, False, 24), (False, True, 1), (False, False, 1)],
    ids=["one of many", "the only one", "a magnet", "a lone magnet"],
)
def test_the_only_one_is_waited_for_longer(has_files: bool, others: bool, minutes: int) -> None:
    assert limit_s(Clock(has_files=has_files), PATIENCE, others=others) == minutes * 60


@pytest.mark.parametrize(
    ("clock", "limit", "expected"),
    [
        (Clock(0, 0), 6 * HOUR_S, Pulse.NEW),
        (Clock(5, 0), 6 * HOUR_S, Pulse.MOVING),
        (Clock(5, WITNESS_S - 1), 6 * HOUR_S, Pulse.MOVING),
        (Clock(5, WITNESS_S), 6 * HOUR_S, Pulse.SILENT),
        (Clock(0, WITNESS_S), 6 * HOUR_S, Pulse.SILENT),
        (Clock(5, 6 * HOUR_S - 1), 6 * HOUR_S, Pulse.SILENT),
        (Clock(5, 6 * HOUR_S), 6 * HOUR_S, Pulse.STALLED),
        (Clock(0, 59), 60, Pulse.NEW),
        (Clock(0, 60), 60, Pulse.STALLED),
    ],
)
def test_the_clock_says_how_it_goes(clock: Clock, limit: float, expected: Pulse) -> None:
    assert pulse(clock, limit) is expected


@pytest.mark.parametrize(
    ("pulses", "fault"),
    [
        ([], False),
        ([Pulse.STALLED], False),
        ([Pulse.STALLED, Pulse.STALLED], True),
        ([Pulse.STALLED, Pulse.SILENT], True),
        ([Pulse.SILENT, Pulse.SILENT], False),
        ([Pulse.STALLED, Pulse.STALLED, Pulse.NEW], True),
        ([Pulse.STALLED, Pulse.NEW], False),
        ([Pulse.STALLED, Pulse.STALLED, Pulse.MOVING], False),
        ([Pulse.STALLED, Pulse.MOVING], False),
    ],
    ids=[
        "nothing runs",
        "ARR-24 one alone is its own fault",
        "ARR-25 all of them",
        "one of them first",
        "none for too long yet",
        "one that was just begun says nothing",
        "just begun is not quiet",
        "one shows that the client works",
        "one of two does",
    ],
)
def test_where_everything_is_quiet_it_is_the_client(pulses: list[Pulse], *, fault: bool) -> None:
    assert is_clients_fault(pulses) is fault
