"""Who is silent, by the watcher's own clock alone."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.heartbeat import Watch
from ledger.pace import Pace
from ledger.stores.workers import Worker, WorkerState
from tests.ledger.moments import START

PACE = Pace(beat_s=5, lease_s=30)


def worker(beat: int, id_: str = "other") -> Worker:
    return Worker(id_, "all", "away", WorkerState.ALIVE, beat, START, None)


def silent_at(watch: Watch, now: float, *beats: int) -> list[str]:
    present = [worker(beat, f"worker {n}") for n, beat in enumerate(beats)]
    return [each.id for each in watch.silent(present, now)]


def test_who_raises_no_beat_for_the_lease_is_silent_and_not_before() -> None:
    watch = Watch(PACE)
    seen = [silent_at(watch, now, 7) for now in range(0, 31, 5)]
    assert seen == [[]] * 6 + [["worker 0"]]


def test_a_new_beat_is_counted_from_when_it_is_seen() -> None:
    watch = Watch(PACE)
    for now in range(0, 30, 5):
        assert silent_at(watch, now, 7) == []
    assert silent_at(watch, 30, 8) == []
    assert silent_at(watch, 55, 8) == []


def test_of_several_only_the_silent_ones_are_named() -> None:
    watch = Watch(PACE)
    for turn in range(6):
        assert silent_at(watch, 5.0 * turn, 1, turn, 1) == []
    assert silent_at(watch, 30, 1, 6, 1) == ["worker 0", "worker 2"]


def test_who_was_away_and_comes_back_is_heard_anew() -> None:
    watch = Watch(PACE)
    for now in range(0, 30, 5):
        silent_at(watch, now, 7)
    assert silent_at(watch, 30) == []
    assert silent_at(watch, 35, 7) == []


def test_a_watcher_that_was_stopped_itself_buries_nobody_for_it() -> None:
    watch = Watch(PACE)
    assert silent_at(watch, 0, 7) == []
    assert silent_at(watch, 3600, 7) == []
    assert silent_at(watch, 3605, 7) == []
    assert silent_at(watch, 3620, 7) == []
    assert silent_at(watch, 3625, 7) == ["worker 0"]


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=1, max_size=60))
def test_nobody_is_silent_who_beats_between_any_two_looks(gaps: list[float]) -> None:
    watch, now = Watch(PACE), 0.0
    for beat, gap in enumerate(gaps):
        now += gap
        assert silent_at(watch, now, beat) == []


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=1, max_size=60))
def test_nobody_is_silent_before_enough_looks_and_enough_time(gaps: list[float]) -> None:
    watch, now = Watch(PACE), 0.0
    silent_at(watch, now, 1)
    for looks, _ in enumerate(gaps, 1):
        now += gaps[looks - 1]
        if silent_at(watch, now, 1):
            assert now >= PACE.lease_s
            assert looks >= PACE.lease_s / (2 * PACE.beat_s)
