"""The ground on which hostile names are tried: a download folder with much around it to hit."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import libtorrent as lt

from capabilities.adapters.downloader.torrent_file import read_torrent
from tests.hostile.making import DATA, torrent
from tests.hostile.tree import Tree, changed, tree_of
from tests.hostile.vectors import Vector
from tests.promises.tally import Tally

DOWNLOADS = "a/b/c/d/downloads"
"""Deep enough that what leads up ends in sight."""
STATE = "state"
_WITHIN_S = 10
_LOOK_MS = 50
_LENT: "lt.settings_pack" = {
    "listen_interfaces": "127.0.0.1:0",
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    # uTP crawls on a loopback interface.
    "enable_outgoing_utp": False,
    "enable_incoming_utp": False,
    "allow_multiple_connections_per_ip": True,
    "alert_mask": lt.alert_category.status,
}


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder with everything in it.

    Attributes:
        before: how it stood when it was laid out.
    """

    folder: Path
    before: Tree

    @property
    def downloads(self) -> Path:
        """Where downloads may go, and nothing else."""
        return self.folder / DOWNLOADS

    @property
    def outside(self) -> Path:
        """A folder with a file that is none of a torrent's business."""
        return self.folder / "outside"

    def escapes(self, *more: str) -> list[str]:
        """What changed beside the download folder, the client's own, and `more`."""
        now = tree_of(self.folder)
        return changed(self.before, now, roots=(DOWNLOADS, STATE, *more))


def laid_out(folder: Path) -> Ground:
    """The ground, with a file in every folder that a name could reach."""
    (folder / DOWNLOADS).mkdir(parents=True)
    (folder / "outside").mkdir()
    above = folder / DOWNLOADS
    while above != folder:
        above = above.parent
        (above / "outside.mkv").write_bytes(b"the owner's own")
    (folder / "outside" / "film.mkv").write_bytes(b"the owner's own")
    return Ground(folder, tree_of(folder))


def stored(vector: Vector, folder: Path) -> Path:
    """The bytes of a vector that is taken, as its seeder has them."""
    for file in read_torrent(torrent(vector.info)).shown():
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(DATA)
    return folder


def write_unguarded(params: "lt.add_torrent_params", ground: Ground, awaited: Path) -> None:
    """A build that gives what it got to libtorrent as it is; ends when `awaited` is written.

    Raises:
        TimeoutError: it was not.
    """
    params.save_path = str(ground.downloads)
    params.flags &= ~(lt.torrent_flags.auto_managed | lt.torrent_flags.paused)
    session = lt.session(_LENT)
    session.add_torrent(params)
    deadline = time.monotonic() + _WITHIN_S
    while not awaited.exists() or awaited.read_bytes() != DATA:
        if time.monotonic() > deadline:
            raise TimeoutError("nothing was written")
        session.wait_for_alert(_LOOK_MS)
        session.pop_alerts()


def count(tally: Tally, tried: Iterable[Vector], escapes: list[str]) -> None:
    """Note how many of each kind were tried, for the page of promises."""
    kinds = Counter(vector.kind.value for vector in tried)
    tally.add(kinds.total(), len(escapes), vectors=kinds.total(), escapes=len(escapes))
    tally.add(0, 0, **{f"{kind}:": n for kind, n in kinds.items()})
