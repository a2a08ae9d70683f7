from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from capabilities.adapters.shelf.roots import opened
from capabilities.kernel.faults import LostAnswerError
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.import_plan import organize_plan
from capabilities.organize.placing import OnShelf, Work
from ledger.ledger import Ledger
from ledger.stores import shelf
from ledger.stores.claims import Held
from ledger.stores.plans import Plan
from ledger.stores.shelf import RecordRow
from tests.left_behind import dead_placing
from tests.scene import FOLDER, IMPORT, SUBTITLE, VIDEO, Scene

RECORD = "rec_0123456789abcdef"
TOKEN = "of-the-plan"


async def begun(ledger: Ledger, plan: str) -> None:
    at = ledger.now()
    row = RecordRow(RECORD, plan, "dl_1", "work_1", None, "running", [], [], None, None, at, None)
    await ledger.write(lambda tx: shelf.open_record(tx, row))


@asynccontextmanager
async def begun_plan(scene: Scene) -> AsyncGenerator[tuple[Plan, Callable[[Held | None], Work]]]:
    """A plan whose record was begun, and attempts at it."""
    row = await scene.arrived()
    answer = await scene.answer("organize.plan", IMPORT, download=row.id)
    plan = await scene.plan(await scene.id_of(answer["plan"], IMPORT))
    await begun(scene.ledger, plan.id)
    async with (
        opened(scene.folders.downloads, "the downloads") as sources,
        opened(scene.folders.films, "the library") as library,
    ):
        wanted = organize_plan(plan)

        def attempt(held: Held | None) -> Work:
            return Work(scene.ledger, RECORD, TOKEN, wanted, sources, library, held)

        yield plan, attempt


async def carried_out(scene: Scene) -> list[OnShelf]:
    async with begun_plan(scene) as (_, attempt):
        return await attempt(None).carry_out()


def leave(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    left = folder / name
    left.write_bytes(b"half of it")
    return left


@pytest.mark.anyio
async def test_every_file_is_placed_written_down_and_verified(scene: Scene) -> None:
    video, subtitle = await carried_out(scene)
    assert (video.file.target, subtitle.file.target) == (VIDEO, SUBTITLE)
    assert video.streams is not None
    assert video.streams.height == 1080
    assert subtitle.streams is None
    assert (video.digest, video.inode) == (None, video.file.source.inode)
    record = await scene.read(lambda conn: shelf.record_by_id(conn, RECORD))
    assert record is not None
    steps = [(step["file"], step.get("through"), step["step"]) for step in record.journal]
    written = ["planned", "temporary_written", "checked", "renamed", "flushed"]
    assert steps == [(0, 1, step) for step in written]


@pytest.mark.anyio
async def test_what_a_dead_attempt_at_this_plan_left_goes_and_nothing_else(
    scene: Scene,
) -> None:
    folder = scene.folders.films / FOLDER
    ours = [leave(folder, f".matinee-{TOKEN}-{each}.tmp") for each in ("a1b2c3-0", "d4e5f6-0", "1")]
    others = leave(folder, ".matinee-another-a1b2c3-0.tmp")
    await carried_out(scene)
    assert not any(each.exists() for each in ours)
    assert others.exists()


@pytest.mark.anyio
async def test_no_two_attempts_share_a_temporary_name(scene: Scene) -> None:
    async with begun_plan(scene) as (_, attempt):
        first, second = attempt(None), attempt(None)
        assert first.token == second.token
        assert first.attempt != second.attempt
        assert min(len(first.attempt), len(second.attempt)) >= 6


@pytest.mark.anyio
async def test_an_attempt_whose_claim_somebody_else_has_places_and_removes_nothing(
    scene: Scene,
) -> None:
    async with begun_plan(scene) as (plan, attempt):
        claim = await dead_placing(scene, plan)
        theirs = leave(scene.folders.films / FOLDER, f".matinee-{TOKEN}-a1b2c3-0.tmp")
        with pytest.raises(LostAnswerError, match="Another attempt took over"):
            await attempt(Held(claim.id, claim.token)).carry_out()
    assert theirs.read_bytes() == b"half of it"
    assert scene.on_shelf() == [f"{FOLDER}/{theirs.name}"]


@pytest.mark.anyio
async def test_a_file_of_another_size_is_not_what_was_planned(scene: Scene) -> None:
    async with begun_plan(scene) as (plan, attempt):
        there = scene.folders.films / SUBTITLE
        there.parent.mkdir()
        source = organize_plan(plan).files[1].source.path
        there.hardlink_to(scene.folders.downloads / source)
        with there.open("a", encoding="utf-8") as file:
            file.write("more")
        with pytest.raises(HaltError, match="not the file that the plan was made for"):
            await attempt(None).carry_out()
