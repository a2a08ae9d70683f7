from pathlib import Path

import pytest

from capabilities.kernel.codes import Code
from ledger.clock import new_id
from ledger.stores import shelf
from ledger.stores.shelf import AssetRow
from tests.capabilities.organize.downloads import laid_out, series_arrived
from tests.scene import Scene

pytestmark = pytest.mark.anyio

PACK = "Lantern.Street.S01.720p.WEB-DL-OPEN"
PARTS = {f"{PACK}.E0{number}.mkv": 60_000 + number for number in (1, 2)}


async def standing_double(scene: Scene, name: str, work: str) -> Path:
    """A file with both episodes, known with its small picture."""
    path = scene.folders.series / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"two small episodes" * 100)
    now = path.stat()
    row = AssetRow(
        id=new_id("asset"),
        path=str(path),
        work=work,
        season=1,
        episode=1,
        quality="",
        size=now.st_size,
        device=now.st_dev,
        inode=now.st_ino,
        streams={"width": 640, "height": 360},
        record="adopted",
        seen_at=scene.ledger.now(),
    )
    await scene.write(lambda tx: shelf.put_asset(tx, row))
    for episode in (1, 2):
        await scene.write(
            lambda tx, episode=episode: shelf.move_slot(
                tx, work, 1, episode, state="satisfied", asset_id=row.id
            )
        )
    return path


async def test_two_files_go_for_a_double_and_one_of_them_alone_does_not(
    scene: Scene, tmp_path: Path
) -> None:
    files = {name.replace(f"{PACK}.", "Lantern.Street.S01"): size for name, size in PARTS.items()}
    row = await series_arrived(scene, laid_out(tmp_path, PACK, files))
    targets = [
        one["target"] for one in (await scene.answer("organize.plan", download=row.id))["files"]
    ]
    assert len(targets) == 2
    folder = targets[0].rsplit("/", 1)[0]
    old = await standing_double(scene, f"{folder}/Lantern Street - S01E01-E02.avi", row.work)

    both = await scene.answer("organize.plan", download=row.id, replace=True)
    assert both["replaces"] == [str(old.relative_to(scene.folders.series))]

    (scene.folders.series / targets[0]).mkdir()
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", download=row.id, replace=True)
    assert "what it would replace holds more than comes in its place" in str(refused.needs)
    assert old.exists()
