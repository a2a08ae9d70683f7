"""All torrents of the embedded client, by every name they have."""

from collections.abc import Iterator
from typing import TypeVar

import libtorrent as lt

from capabilities.adapters.downloader.embedded_task import Task
from capabilities.adapters.downloader.info_hashes import InfoHashes, normal_hash

KeyT = TypeVar("KeyT")


class Tasks:
    """Torrents in the order in which they came."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._named: dict[str, Task] = {}
        self._handled: dict[lt.torrent_handle, Task] = {}

    def __iter__(self) -> Iterator[Task]:
        return iter(sorted(self._tasks.values(), key=lambda task: task.intent.order))

    def put(self, task: Task) -> None:
        """Take one in, or take in its new handle, key and hashes."""
        self.remove(task)
        self._tasks[task.key] = task
        self._handled[task.handle] = task
        for name in task.hashes.names():
            self._named.setdefault(name, task)

    def remove(self, task: Task) -> None:
        """Know it no longer."""
        _forget(self._tasks, task)
        _forget(self._named, task)
        _forget(self._handled, task)

    def named(self, info_hash: str) -> Task | None:
        """By any spelling of any of its hashes."""
        name = normal_hash(info_hash)
        return None if name is None else self._named.get(name)

    def same_as(self, hashes: InfoHashes) -> Task | None:
        """The one that is the same torrent."""
        found = (self._named.get(name) for name in hashes.names())
        return next((task for task in found if task is not None), None)

    def handled(self, handle: lt.torrent_handle) -> Task | None:
        """By its handle."""
        return self._handled.get(handle)


def _forget(known: dict[KeyT, Task], task: Task) -> None:
    for key in [key for key, other in known.items() if other is task]:
        del known[key]
