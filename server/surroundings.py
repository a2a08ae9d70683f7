"""What the agent is told of the house: names and counts from our rows, nothing asked of others."""

import svcs

from agent.prompt.environment import Surroundings
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.rules.works import WorkKind
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, shelf
from server.adapters import held
from server.settings import Settings

OVER = ("failed", "removed")
LIBRARIES = tuple(Folders.name(kind) for kind in WorkKind)


class HouseView:
    """Looks at one house."""

    def __init__(self, ledger: Ledger, parts: svcs.Container, settings: Settings) -> None:
        """Take what was built from the settings."""
        self._ledger = ledger
        self._settings = settings
        clients = held(parts, Downloaders)
        self._downloaders = (
            () if clients is None else tuple(client.name for client in clients.clients)
        )
        self._libraries = () if held(parts, Folders) is None else LIBRARIES

    async def surroundings(self) -> Surroundings:
        """Cheap: three counts from one snapshot."""
        return Surroundings(
            downloaders=self._downloaders,
            indexers=tuple(indexer.name for indexer in self._settings.indexers),
            libraries=self._libraries,
            counts=await self._ledger.read(_counts),
        )


def _counts(conn: Snapshot) -> dict[str, int]:
    _, waiting = decisions.listing(conn, limit=1)
    return {
        "files in the library": shelf.count_assets(conn),
        "downloads under way": downloads.count_under_way(conn, OVER),
        "decisions that wait for the owner": waiting,
    }
