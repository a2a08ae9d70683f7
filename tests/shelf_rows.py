"""Files that stand in the library of films before anything is imported, with their rows."""

from pathlib import Path

from ledger.clock import new_id
from ledger.stores import shelf
from ledger.stores.shelf import AssetRow
from tests.scene import Scene


async def standing_film(scene: Scene, name: str, *, width: int, height: int) -> Path:
    """A film in the library, adopted as it stood there: its file, its row, its filled slot."""
    path = scene.folders.films / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"the old film, {width}x{height}".encode() * 100)
    now, work = path.stat(), await scene.work_id()
    row = AssetRow(
        id=new_id("asset"),
        path=str(path),
        work=work,
        season=None,
        episode=None,
        quality="",
        size=now.st_size,
        device=now.st_dev,
        inode=now.st_ino,
        streams={"width": width, "height": height},
        record="adopted",
        seen_at=scene.ledger.now(),
    )
    await scene.write(lambda tx: shelf.put_asset(tx, row))
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, 0, 0, state="satisfied", asset_id=row.id)
    )
    return path
