"""How the embedded client is, as it tells a person."""

import shutil
from pathlib import Path

import anyio.to_thread
import libtorrent as lt

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.embedded_upkeep import Upkeep


async def health_of(upkeep: Upkeep, downloads: Path) -> ClientHealth:
    """See `Downloader.health`; free bytes are those of the downloads folder."""
    kept = upkeep.kept
    return ClientHealth(
        version=f"libtorrent {lt.version}",
        reachable=upkeep.live.is_open,
        free_bytes=await anyio.to_thread.run_sync(_free_bytes, downloads),
        note=kept.trouble or kept.left_out or await _port_note(upkeep),
    )


async def _port_note(upkeep: Upkeep) -> str | None:
    wanted = upkeep.listen_port
    if not wanted or not upkeep.live.is_open:
        return None
    actual = await upkeep.live.listen_port()
    if actual == wanted:
        return None
    return (
        f"It listens on port {actual} instead of {wanted}, which is taken, so peers may not"
        " reach it. Free that port or choose another."
    )


def _free_bytes(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
