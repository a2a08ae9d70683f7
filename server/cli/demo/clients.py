"""The download clients that the demo can be played with."""

from typing import Final

EMBEDDED: Final = "embedded"
QBITTORRENT: Final = "qbittorrent"
TRANSMISSION: Final = "transmission"
CLIENTS: Final = (EMBEDDED, QBITTORRENT, TRANSMISSION)
