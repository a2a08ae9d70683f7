"""A library as an owner has it: files that nobody brought here."""

from pathlib import Path
from typing import Any

from tests.scene import OWNER, Scene

LANTERN = "Lantern Street (2019)"


def put(folder: Path, *names: str, size: int = 900) -> None:
    """Files of this size below ``folder``."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"0" * size)


def episode(season: int, code: str, title: str = "") -> str:
    """The path of an episode of Lantern Street, as library programs write it."""
    told = f" - {title}" if title else ""
    return f"{LANTERN}/Season {season:02d}/{LANTERN} - {code}{told} [WEBDL-1080p].mkv"


async def adopted(scene: Scene, folder: Path) -> dict[str, Any]:
    """Take a library in, by the owner's hand."""
    plan = await scene.answer("inventory.plan", OWNER, path=str(folder))
    return await scene.answer("inventory.adopt", OWNER, plan=plan["plan"])
