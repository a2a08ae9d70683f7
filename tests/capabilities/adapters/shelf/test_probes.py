import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.placements import Mode, Placement
from capabilities.adapters.shelf.probes import probe_placements
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.probing import Finding, Verdict
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene

pytestmark = pytest.mark.anyio


async def planned_pack(scene: Scene) -> list[Placement]:
    """Three episodes that are planned, of which none is placed."""
    plan: list[Placement] = []
    for number in (1, 2, 3):
        (scene.sources.path / f"{number}.mkv").write_bytes(bytes([number]))
        frozen = await freeze(scene.sources, f"{number}.mkv")
        plan.append(Placement(frozen, f"Series/E{number}.mkv", Mode.HARDLINK))
    return plan


def link(scene: Scene, *numbers: int) -> None:
    (scene.shelf.path / "Series").mkdir(exist_ok=True)
    for number in numbers:
        (scene.shelf.path / f"Series/E{number}.mkv").hardlink_to(
            scene.sources.path / f"{number}.mkv"
        )


async def test_a_pack_is_judged_file_by_file(scene: Scene) -> None:
    plan = await planned_pack(scene)
    names = [placement.target for placement in plan]
    assert await probe_placements(scene.shelf, plan) == Finding(
        Verdict.NOT_APPLIED, {"absent": names}
    )
    link(scene, 1, 3)
    assert await probe_placements(scene.shelf, plan) == Finding(
        Verdict.PARTLY, {"placed": [names[0], names[2]], "absent": [names[1]]}
    )
    link(scene, 2)
    assert await probe_placements(scene.shelf, plan) == Finding(Verdict.APPLIED, {"placed": names})


async def test_a_plan_without_files_is_an_error_of_the_caller(scene: Scene) -> None:
    with pytest.raises(ValueError, match="without placements"):
        await probe_placements(scene.shelf, [])


@pytest.mark.parametrize("mode", [Mode.HARDLINK, Mode.COPY, Mode.MOVE, Mode.SYMLINK])
async def test_what_was_placed_is_found(scene: Scene, mode: Mode) -> None:
    placement = await scene.planned(mode)
    placed = await scene.place(placement)
    finding = await probe_placements(scene.shelf, [replace(placement, digest=placed.digest)])
    assert finding == Finding(Verdict.APPLIED, {"placed": [TARGET]})


async def test_a_move_that_became_a_copy_is_found_by_its_digest(
    scene: Scene, roomy_disk: Path
) -> None:
    placement = await scene.planned(Mode.MOVE)
    with Root(roomy_disk, "the library") as other:
        placed = await Scene(scene.sources, other).place(placement)
        finding = await probe_placements(other, [replace(placement, digest=placed.digest)])
    assert finding.verdict is Verdict.APPLIED


def other_bytes(target: Path, film: bytes) -> None:
    target.write_bytes(os.urandom(len(film)))


def other_size(target: Path, film: bytes) -> None:
    target.write_bytes(film[:-1])


def folder(target: Path, _: bytes) -> None:
    target.mkdir()


def stray_link(target: Path, _: bytes) -> None:
    target.symlink_to("/etc/passwd")


def broken_link(target: Path, _: bytes) -> None:
    target.symlink_to("nowhere")


@pytest.mark.parametrize("stands", [other_bytes, other_size, folder, stray_link, broken_link])
@pytest.mark.parametrize("mode", Mode)
async def test_another_file_under_the_name_is_not_taken_for_ours(
    scene: Scene, mode: Mode, stands: Callable[[Path, bytes], None]
) -> None:
    placement = replace(await scene.planned(mode), digest=scene.digest())
    (scene.shelf.path / TARGET).parent.mkdir()
    stands(scene.shelf.path / TARGET, scene.film())
    finding = await probe_placements(scene.shelf, [placement])
    assert finding == Finding(Verdict.NOT_APPLIED, {"occupied": [TARGET]})


async def test_a_copy_is_no_hard_link(scene: Scene) -> None:
    await scene.place(Mode.COPY)
    placement = replace(await scene.planned(Mode.HARDLINK), digest=scene.digest())
    finding = await probe_placements(scene.shelf, [placement])
    assert finding.verdict is Verdict.NOT_APPLIED


async def test_a_copy_of_the_right_size_without_a_digest_cannot_be_told(scene: Scene) -> None:
    await scene.place(Mode.COPY)
    finding = await probe_placements(scene.shelf, [await scene.planned(Mode.COPY)])
    assert finding == Finding(Verdict.CANNOT_TELL, {"unknown": [TARGET]})


async def compared(scene: Scene, mode: Mode = Mode.COPY, **more: str) -> Finding:
    """What a probe finds that has no digest and may read the source."""
    placement = replace(await scene.planned(mode), origin=FILM)
    return await probe_placements(scene.shelf, [placement], sources=scene.sources, **more)


async def test_a_copy_without_a_digest_is_compared_with_its_source(scene: Scene) -> None:
    assert await compared(scene) == Finding(Verdict.NOT_APPLIED, {"absent": [TARGET]})
    await scene.place(Mode.COPY)
    assert await compared(scene) == Finding(Verdict.APPLIED, {"placed": [TARGET]})
    other_bytes(scene.shelf.path / TARGET, scene.film())
    assert await compared(scene) == Finding(Verdict.NOT_APPLIED, {"occupied": [TARGET]})


async def test_a_clone_without_a_digest_is_compared_with_its_source(
    scene: Scene, cloning_disk: Path
) -> None:
    downloads, library = cloning_disk / "downloads", cloning_disk / "library"
    (downloads / "pack").mkdir(parents=True)
    library.mkdir()
    (downloads / FILM).write_bytes(scene.film())
    with Root(downloads, "the downloads") as sources, Root(library, "the library") as shelf:
        there = Scene(sources, shelf)
        await there.place(Mode.REFLINK)
        assert (await compared(there, Mode.REFLINK)).verdict is Verdict.APPLIED


async def test_a_copy_whose_source_is_another_one_by_now_cannot_be_told(scene: Scene) -> None:
    placement = replace(await scene.planned(Mode.COPY), origin=FILM)
    await scene.place(Mode.COPY)
    for spoil in (os.utime, os.unlink):
        spoil(scene.sources.path_of(FILM))
        finding = await probe_placements(scene.shelf, [placement], sources=scene.sources)
        assert finding == Finding(Verdict.CANNOT_TELL, {"unknown": [TARGET]})


async def test_a_file_that_an_attempt_left_half_written_says_that_it_was_begun(
    scene: Scene,
) -> None:
    folder = (scene.shelf.path / TARGET).parent
    folder.mkdir()
    for name in (".matinee-ours-a1b2c3-1.tmp", ".matinee-theirs-a1b2c3-0.tmp"):
        (folder / name).write_bytes(b"half")
    assert (await compared(scene, token="ours")).verdict is Verdict.NOT_APPLIED
    (folder / ".matinee-ours-d4e5f6-0.tmp").write_bytes(b"half")
    assert await compared(scene, token="ours") == Finding(
        Verdict.PARTLY, {"absent": [TARGET], "unfinished": [TARGET]}
    )
    assert (await compared(scene)).verdict is Verdict.NOT_APPLIED


async def test_a_second_name_that_a_death_left_does_not_make_a_placed_file_half(
    scene: Scene,
) -> None:
    await scene.place(Mode.COPY)
    target = scene.shelf.path / TARGET
    (target.parent / ".matinee-ours-0.tmp").hardlink_to(target)
    finding = await compared(scene, token="ours")
    assert finding == Finding(Verdict.APPLIED, {"placed": [TARGET], "unfinished": [TARGET]})


async def test_a_device_with_a_new_number_is_still_the_same_disk(scene: Scene) -> None:
    placement = await scene.planned(Mode.HARDLINK)
    await scene.place(placement)
    renumbered = replace(placement, source=replace(placement.source, device=1))
    assert (await probe_placements(scene.shelf, [renumbered])).verdict is Verdict.APPLIED
    touched = replace(renumbered, source=replace(renumbered.source, mtime_ns=1))
    assert (await probe_placements(scene.shelf, [touched])).verdict is Verdict.NOT_APPLIED


async def test_a_folder_swapped_for_a_link_is_not_looked_into(scene: Scene) -> None:
    placement = await scene.planned(Mode.HARDLINK)
    await scene.place(placement)
    folder = scene.shelf.path / "Film (2009)"
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to("elsewhere")
    finding = await probe_placements(scene.shelf, [placement])
    assert finding == Finding(Verdict.NOT_APPLIED, {"occupied": [TARGET]})


async def test_one_target_that_cannot_be_read_leaves_the_whole_open(scene: Scene) -> None:
    plan = await planned_pack(scene)
    link(scene, 1, 2)
    unreadable = Root(scene.shelf.path, "the library")
    unreadable.close()
    finding = await probe_placements(unreadable, plan)
    assert finding.verdict is Verdict.CANNOT_TELL
    mixed = [*plan[:2], replace(plan[2], target="../E3.mkv")]
    assert (await probe_placements(scene.shelf, mixed)).verdict is Verdict.CANNOT_TELL
