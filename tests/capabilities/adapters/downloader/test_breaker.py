from dataclasses import dataclass

import pytest
import structlog

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.kernel.faults import UnreachableError

FAULT = UnreachableError("the download client", "It is off.")


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_whoever_keeps_asking_reaches_one_that_is_away_a_few_times_a_minute() -> None:
    clock = Clock()
    breaker = Breaker("den", 30.0, clock)
    asked = 0
    while clock.now < 60:
        clock.now += 0.01
        if not breaker.left_s:
            asked += 1
            breaker.failed(FAULT)

    assert asked <= 10


def test_calls_fail_at_once_for_pauses_that_double_up_to_the_longest() -> None:
    clock = Clock()
    breaker = Breaker("den", 1.0, clock)
    pauses: list[float] = []
    for _ in range(6):
        breaker.failed(FAULT)
        pauses.append(breaker.left_s)
        with pytest.raises(UnreachableError, match="It is off"):
            breaker.check()
        clock.now += breaker.left_s
        breaker.check()

    assert pauses == [0.125, 0.25, 0.5, 1.0, 1.0, 1.0]


def test_one_that_answers_is_trusted_again() -> None:
    clock = Clock()
    breaker = Breaker("den", 60, clock)
    for _ in range(5):
        breaker.failed(FAULT)
    breaker.worked()
    breaker.check()
    breaker.failed(FAULT)

    assert breaker.left_s == 0.125


def test_a_pause_that_was_asked_for_is_kept() -> None:
    breaker = Breaker("den", 1.0, Clock())
    breaker.failed(FAULT, pause_s=600)

    assert breaker.left_s == 600


def test_it_is_told_once_that_it_is_gone_and_once_that_it_is_back() -> None:
    breaker = Breaker("den", 1.0, Clock())
    with structlog.testing.capture_logs() as told:
        breaker.worked()
        for _ in range(3):
            breaker.failed(FAULT)
        for _ in range(3):
            breaker.worked()

    assert [(line["event"], line["client"]) for line in told] == [
        ("the download client is gone", "den"),
        ("the download client is back", "den"),
    ]
