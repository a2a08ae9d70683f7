"""A placing that is stopped, overtaken by another process, and wakes up in the middle of it."""

import json
from pathlib import Path

import pytest

from capabilities.kernel.registry import Registry
from ledger.stores import audit, claims
from server.background.recovery import look_at_unknown
from tests.crash.cast import CAST
from tests.crash.child import REPORT
from tests.crash.driver import Theatre, Zygote, ended, spoken, zygote
from tests.crash.place import Place, ledger_of
from tests.history import check_history
from tests.postgres import Server

pytestmark = [pytest.mark.anyio, pytest.mark.proof, pytest.mark.timeout(120)]
MODES = ["copy", "move", "hardlink"]
STOPS = [
    "claimed:1",
    "record_opened:1",
    "before_link:1",
    "before_checked_is_noted:1",
    "before_name:1",
]


def standing(place: Place) -> dict[Path, int]:
    """The inode of every file in the library."""
    return {p: p.stat().st_ino for p in place.folders.films.rglob("*") if p.is_file()}


async def late(place: Place) -> list[str | None]:
    """How the attempts ended whose claim was no longer theirs."""
    async with ledger_of(place) as ledger:
        rows = await ledger.read(audit.newest)
    return [row.outcome for row in rows if row.action == "late settlement"]


async def asleep(stage: Theatre, forks: Zygote, postgres: Server, play: str, point: str) -> Place:
    """Where a process is stopped in the middle of its placing, and its claim was taken from it."""
    place = await stage.shared(postgres)
    fault = f"{point}:pause"
    await forks.order(**spoken(play, place, "act", furnish=True, pauses=True, fault=fault))
    assert (await forks.hear())["stopped"]
    async with ledger_of(place) as ledger:
        await ledger.write(lambda tx: claims.disown(tx, ledger.worker))
    return place


@pytest.mark.parametrize("point", STOPS)
@pytest.mark.parametrize("play", MODES)
async def test_one_that_wakes_when_all_is_placed_changes_nothing(
    stage: Theatre, forks: Zygote, postgres: Server, play: str, point: str
) -> None:
    place = await asleep(stage, forks, postgres, play, point)
    played = CAST[play]
    async with ledger_of(place) as ledger, played.parts(place) as parts:
        registry = Registry([played.spec], ledger, parts)
        await look_at_unknown(ledger, registry)
        await registry.invoke(played.call())
    before = standing(place)

    await forks.release()
    after = await ended(stage, forks, play, place)
    assert (after.status, after.answer) == (0, "succeeded"), "it hears what the other one did"
    assert await late(place) in (["unknown"], ["failed"])
    assert standing(place) == before
    assert played.seen(place, after.tenant, over=True).wrong == ()
    async with ledger_of(place) as ledger:
        assert await ledger.read(check_history) == []


@pytest.mark.parametrize("play", MODES)
async def test_one_that_wakes_while_the_other_is_at_it_leaves_the_others_file_alone(
    stage: Theatre, forks: Zygote, postgres: Server, play: str
) -> None:
    place = await asleep(stage, forks, postgres, play, "before_checked_is_noted:1")
    async with zygote() as owner:
        fault = "before_checked_is_noted:1:pause"
        await owner.order(**spoken(play, place, "recover", pauses=True, fault=fault))
        assert (await owner.hear())["stopped"]
        theirs = standing(place)
        assert {path.suffix for path in theirs} == {".tmp"}

        await forks.release()
        after = await ended(stage, forks, play, place)
        assert (after.status, after.answer) == (0, "pending")
        assert await late(place) == ["unknown"]
        assert standing(place) == theirs

        await owner.release()
        assert (await owner.hear())["status"] == 0
    told = json.loads((place.folder / REPORT).read_text(encoding="utf-8"))
    assert (told["left"], told["violations"]) == (["succeeded"], [])
    assert CAST[play].seen(place, after.tenant, over=True).wrong == ()
