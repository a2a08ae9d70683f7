"""Peers that the DHT knows (BEP 5), for whoever asked."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import libtorrent as lt

from capabilities.adapters.downloader.embedded_alerts import Handlers

Peers = Sequence[tuple[str, int]]


class DhtSearches:
    """Who waits for the peers of which hash; answers come in parts, some of them late."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Callable[[Peers], None]]] = []

    def handlers(self) -> Handlers:
        """What is done with the DHT's answers."""
        return {lt.dht_get_peers_reply_alert: self._on_peers}

    @contextmanager
    def told_to(self, found: Callable[[Peers], None], *info_hashes: str) -> Generator[None]:
        """For the time of the block, call ``found`` with peers of these hashes (40 digits)."""
        mine = [(info_hash, found) for info_hash in info_hashes]
        self._waiting += mine
        try:
            yield
        finally:
            self._waiting = [each for each in self._waiting if each not in mine]

    def _on_peers(self, alert: lt.dht_get_peers_reply_alert) -> None:
        peers = alert.peers()
        for info_hash, found in self._waiting:
            if info_hash == str(alert.info_hash):
                found(peers)
