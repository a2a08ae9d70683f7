"""The whole proof of `make crash`, run once, as a part of `make proof`: a test for each promise."""

import os
from collections.abc import Iterable

import pytest

from tests.crash.__main__ import RESULTS, prove
from tests.crash.proof import CONTROLS, DUPLICATE, PIECEMEAL, Proven
from tests.crash.tracing import is_there
from tests.promises.tally import Tally
from world.client_double import Arrival

pytestmark = [pytest.mark.proof, pytest.mark.timeout(4000)]


@pytest.fixture(scope="module")
def seen() -> Proven:
    if not is_there():
        pytest.skip("strace is not installed (scripts/services proof)")
    seed = int.from_bytes(os.urandom(3))
    return prove(RESULTS, full=os.environ.get("FULL") == "1", seed=seed)


def reported(seen: Proven, tally: Tally, *parts: str) -> list[str]:
    """What did not hold in these parts, counted for the page of promises."""
    tally.seed = seen.seed
    for name in parts:
        part = seen.parts[name]
        tally.add(part.counted or part.points, len(part.reports))
        tally.add(0, 0, **{f"{name}: points": part.points, f"{name}: killed": part.kills})
    return [report for name in parts for report in seen.parts[name].reports]


def caught(seen: Proven, tally: Tally, names: Iterable[str]) -> dict[str, int]:
    """How often broken builds were caught, counted likewise."""
    times = {name: seen.controls[name] for name in names}
    for name, n in times.items():
        tally.add(n, n, **{name: n})
    return times


@pytest.mark.promise("E1")
def test_no_death_at_any_system_call_makes_an_act_happen_twice(seen: Proven, tally: Tally) -> None:
    tally.notes["after the effect"] = seen.parts["kills"].after_effect
    assert reported(seen, tally, "kills", "recovery") == []
    assert [each for each in seen.failures if "deaths" in each] == []


@pytest.mark.promise("E1", control=True)
def test_builds_that_do_not_claim_or_look_act_twice(seen: Proven, tally: Tally) -> None:
    at_once = [
        each.name
        for each in CONTROLS
        if each.must_see == DUPLICATE and each.arrival is Arrival.AT_ONCE
    ]
    assert all(caught(seen, tally, at_once).values())


@pytest.mark.promise("E2")
def test_a_request_in_flight_at_death_is_not_repeated_blindly(seen: Proven, tally: Tally) -> None:
    assert reported(seen, tally, "in_flight") == []


@pytest.mark.promise("E2", control=True)
def test_a_build_that_does_not_look_repeats_a_request_in_flight(seen: Proven, tally: Tally) -> None:
    late = [each.name for each in CONTROLS if each.arrival is not Arrival.AT_ONCE]
    assert all(caught(seen, tally, late).values())


@pytest.mark.promise("E7", control=True)
def test_a_build_that_writes_in_place_leaves_half_files(seen: Proven, tally: Tally) -> None:
    assert all(caught(seen, tally, ["in_place, copy"]).values())


@pytest.mark.promise("E7")
def test_no_death_while_placing_leaves_half_a_file(seen: Proven, tally: Tally) -> None:
    kills = seen.parts["kills"]
    tally.seed = seen.seed
    tally.add(sum(kills.by_play[play] for play in ("hardlink", "copy", "move")))
    assert kills.broken["wrong"] == 0


@pytest.mark.promise("S1")
def test_a_disk_that_fails_never_makes_the_ledger_lie(seen: Proven, tally: Tally) -> None:
    tally.notes["answered as anything but done"] = seen.parts["disk"].loud
    assert reported(seen, tally, "disk") == []


@pytest.mark.promise("S1", control=True)
def test_a_build_that_answers_before_it_has_written_lies(seen: Proven, tally: Tally) -> None:
    assert all(caught(seen, tally, ["boasting, submit"]).values())


@pytest.mark.promise("S3")
def test_a_migration_that_comes_to_harm_is_whole_or_not_begun(seen: Proven, tally: Tally) -> None:
    assert reported(seen, tally, "migration") == []


@pytest.mark.promise("S3", control=True)
def test_a_migration_in_many_transactions_is_left_in_the_middle(seen: Proven, tally: Tally) -> None:
    assert all(caught(seen, tally, [PIECEMEAL]).values())
