"""How the downloads of a run stand, looked at through the server while the run waits for them."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from server.cli.api_client import Api
from server.cli.exits import EndError

LISTED = 50
OVER = frozenset({"imported", "failed", "removed"})


@dataclass(frozen=True, slots=True)
class Transfer:
    """A download as its client sees it; ``rate`` in MB/s, ``percent`` 0 to 100."""

    title: str
    state: str
    percent: float
    rate: float

    @property
    def line(self) -> str:
        """In words."""
        return f"{self.title}: {self.state}, {self.percent:.0f} %, {self.rate:.1f} MB/s"


class Downloads:
    """What a run submitted, by the titles that its events name."""

    def __init__(self, api: Api) -> None:
        """Nothing is under way yet."""
        self._api = api
        self._under_way: dict[str, str | None] = {}

    def note(self, type_: str, body: Mapping[str, Any]) -> None:
        """Hear of an event."""
        match type_:
            case "download_submitted":
                self._under_way[str(body["title"])] = None
            case "download_completed":
                self._under_way.pop(str(body["title"]), None)
            case _:
                pass

    @property
    def under_way(self) -> bool:
        """Whether there is something to look at."""
        return bool(self._under_way)

    def look(self) -> list[Transfer]:
        """All that is under way; what cannot be looked at now is left out."""
        if None in self._under_way.values():
            self._find()
        return list(self._transfers())

    def _find(self) -> None:
        """Learn the references under which this terminal may ask about them."""
        with suppress(EndError):
            listed = self._api.invoke("download.list", {"limit": LISTED}).data["downloads"]
            for row in reversed(listed):
                if row["title"] in self._under_way:
                    self._under_way[row["title"]] = row["download"]

    def _transfers(self) -> Iterator[Transfer]:
        for title, reference in list(self._under_way.items()):
            if reference is None:
                continue
            with suppress(EndError):
                seen = self._api.invoke("download.inspect", {"download": reference}).data
                if seen["state"] in OVER:
                    del self._under_way[title]
                    continue
                yield Transfer(title, seen["state"], seen["percent"], seen.get("rate_mb_s") or 0.0)
