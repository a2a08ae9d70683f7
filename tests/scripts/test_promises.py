from datetime import UTC, datetime

import pytest

from scripts import promises
from tests.promises.manifest import PROMISES

AT = datetime(2026, 1, 2, tzinfo=UTC)


def results(**changed: object) -> list[promises.Result]:
    """One result of every test that the manifest names."""
    return [
        {
            "promise": promise.id,
            "control": name in promise.controls,
            "test": f"{name}[sqlite]",
            "outcome": "passed",
            "attempts": 7,
            "violations": 3 if name in promise.controls else 0,
            "seed": None,
            "seconds": 0.5,
            "notes": {},
            **changed,
        }
        for promise in PROMISES
        for name in (*promise.tests, *promise.controls)
    ]


def test_every_promise_is_on_the_page_with_its_limits_and_figures() -> None:
    text = promises.page(results(seed=42), commit="abc1234", at=AT)
    assert "Run of 2026-01-02 at commit `abc1234`." in text
    for promise in PROMISES:
        assert f"## {promise.id}" in text
        assert promise.limits in text
        for name in (*promise.tests, *promise.controls):
            assert f"`{name}`: 7 attempts in 0.5 s, seed 42" in text


def test_a_test_that_failed_is_a_violation_also_when_it_counted_none() -> None:
    text = promises.page(results(outcome="failed"), commit="abc1234", at=AT)
    first = PROMISES[0]
    (line,) = [row for row in text.splitlines() if row.startswith(f"| {first.id} |")]
    assert f"| {len(first.tests)} |" in line


def test_a_run_that_left_a_promise_out_gives_no_page() -> None:
    with pytest.raises(LookupError, match="has no result"):
        promises.page(results()[1:], commit="abc1234", at=AT)
