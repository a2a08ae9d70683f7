"""Death at every named moment on the way of each effect, and what a new start makes of it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from capabilities.kernel.discovery import discovered
from capabilities.kernel.spec import Effect
from tests.crash.cast import CAST
from tests.crash.driver import Outcome, Theatre, Zygote, moments, play_through, recovered
from tests.crash.tracing import spread

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
FEWEST = 10
MOST = {
    "hardlink": 12,
    "copy": 6,
    "move": 6,
    "symlink": 6,
    "replace": 10,
    "exchange": 10,
    "nfo": 10,
}
"""So many moments of the long ways, evenly chosen; `make crash` takes them all."""
LEFT_BEHIND = {
    "download.recheck": "tests/capabilities/download/test_recheck.py",
    "download.remove": "tests/capabilities/download/test_remove_cut_short.py",
}
"""Not played yet: a check may happen twice, and a removal is told by what it leaves. Their tests
begin with the claims and files that a death leaves."""
OF_EVERY_ACT = {
    "before_claim",
    "in_claim",
    "claimed",
    "before_settle",
    "in_settlement",
    "settled",
    "before_answer",
}


def numbered(names: Sequence[str]) -> list[str]:
    """Each passing of a moment, as a fault point takes it."""
    passed: Counter[str] = Counter()
    points: list[str] = []
    for name in names:
        passed[name] += 1
        points.append(f"{name}:{passed[name]}")
    return points


async def killed_at(stage: Theatre, forks: Zygote, play: str, point: str) -> Outcome:
    after = await play_through(stage, forks, play, stage.place(), fault=f"{point}:kill")
    assert after.killed, f"{point} was not passed"
    return await recovered(stage, forks, after)


def test_every_capability_that_acts_in_the_world_is_played() -> None:
    acting = {spec.id for spec in discovered() if spec.effect is Effect.WORLD}
    played = {play.spec.id for play in CAST.values()}
    assert acting <= played | LEFT_BEHIND.keys()
    assert not played & LEFT_BEHIND.keys()
    assert all(Path(file).is_file() for file in LEFT_BEHIND.values())


@pytest.mark.parametrize("play", CAST)
async def test_a_play_that_nobody_disturbs_acts_once(
    stage: Theatre, forks: Zygote, play: str
) -> None:
    after = await play_through(stage, forks, play, stage.place())
    assert (after.status, after.answer, after.at_death.acts) == (0, "succeeded", 1)
    outcome = await recovered(stage, forks, after)
    assert (outcome.broken, outcome.acts, outcome.left) == ((), 1, "succeeded")


@pytest.mark.parametrize("play", CAST)
async def test_a_death_at_any_named_moment_never_leads_to_a_second_act(
    stage: Theatre, forks: Zygote, play: str
) -> None:
    points = numbered(await moments(stage, forks, play))
    names = {point.partition(":")[0] for point in points}
    assert names >= OF_EVERY_ACT
    assert len(points) >= FEWEST

    outcomes = {
        point: await killed_at(stage, forks, play, point)
        for point in spread(points, MOST.get(play, len(points)))
    }

    assert {point: each.broken for point, each in outcomes.items() if each.broken} == {}
    counted = [each for each in outcomes.values() if each.counted]
    assert any(each.after_effect for each in counted)
    assert not all(each.after_effect for each in counted)


@pytest.mark.parametrize(
    ("build", "play", "point"),
    [
        ("without_looking", "submit", "answered:1"),
        ("without_looking", "button", "answered:1"),
        ("without_claims", "button", "answered:1"),
    ],
)
async def test_a_build_that_breaks_the_promise_is_caught(
    stage: Theatre, forks: Zygote, build: str, play: str, point: str
) -> None:
    after = await play_through(
        stage, forks, play, stage.place(), fault=f"{point}:kill", build=build
    )
    outcome = await recovered(stage, forks, after, build=build)
    assert any(each.startswith("duplicate") for each in outcome.broken)
