"""Counting what was tried for a promise, and writing it down for the page of promises."""

import json
import os
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

RESULTS = "MATINEE_PROMISES"
"""Names the file that results are appended to; without it nothing is kept."""
MARK = "promise"


@dataclass(slots=True)
class Tally:
    """What one test tried: how often, how often the promise was broken, from which seed.

    A test that says nothing counts as one attempt.
    """

    attempts: int = 0
    violations: int = 0
    seed: int | None = None
    notes: dict[str, object] = field(default_factory=dict[str, object])

    def add(self, attempts: int = 1, violations: int = 0, **notes: object) -> None:
        """Count more of them; ``notes`` are further figures for the page."""
        self.attempts += attempts
        self.violations += violations
        self.notes.update(notes)


KEY = pytest.StashKey[Tally]()
SET_UP = pytest.StashKey[float]()


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """The count of the test that asks for it."""
    return request.node.stash.setdefault(KEY, Tally())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Append the result of every test that stands for a promise."""
    report = yield
    where = os.environ.get(RESULTS)
    if call.when == "setup":
        item.stash[SET_UP] = report.duration  # what several tests share is done in the first's
    if where and call.when == "call":
        lines = [json.dumps(each) + "\n" for each in _results(item, report)]
        with Path(where).open("a", encoding="utf-8") as file:
            file.writelines(lines)
    return report


def _results(item: pytest.Item, report: pytest.TestReport) -> Generator[dict[str, object]]:
    tally = item.stash.get(KEY, Tally())
    for mark in item.iter_markers(MARK):
        yield {
            "promise": mark.args[0],
            "control": mark.kwargs.get("control", False),
            "test": item.nodeid,
            "outcome": report.outcome,
            "attempts": tally.attempts or 1,
            "violations": tally.violations,
            "seed": tally.seed,
            "seconds": round(report.duration + item.stash.get(SET_UP, 0.0), 2),
            "notes": tally.notes,
        }
