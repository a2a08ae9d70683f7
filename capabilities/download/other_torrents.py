"""The files that other torrents have where one lies: they need them as much as it does."""

import os
from typing import Final

from capabilities.adapters.downloader.port import Downloader, Downloaders, Transfer
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import DeclinedError

MOST_ASKED: Final = 500
"""Torrents of others whose files a client lists only when it is asked for each."""


async def files_of_others(
    clients: Downloaders, mine: Downloader, transfer: Transfer
) -> dict[str, str]:
    """Every path, links followed, that another torrent of any client has, and who has it.

    The same torrent in another client is another one.

    Raises:
        DeclinedError: more torrents lie there than can be asked about.
        WorldFaultError: a client did not answer, so what it has is not known.
    """
    here = await off_loop(os.path.realpath, transfer.save_path)
    held: dict[str, str] = {}
    asked = 0
    for client in clients.clients:
        for other in await client.transfers():
            same = bool(other.hashes.names() & transfer.hashes.names())
            if same and client.name == mine.name:
                continue
            there = await off_loop(os.path.realpath, other.save_path)
            if not _meet(here, there):
                continue
            whole: Transfer | None = other
            if not other.files:
                if (asked := asked + 1) > MOST_ASKED:
                    raise DeclinedError(
                        f"the download client {client.name!r}",
                        f"More than {MOST_ASKED} torrents of others lie in that folder, so it is "
                        "not looked up whose the files are.",
                    )
                whole = await client.transfer(other.hashes.key)
            why = f"another torrent in {client.name} has it"
            if same:
                why = f"{client.name} has the same torrent"
            files = () if whole is None else whole.files
            held |= {f"{there}/{file.path}": why for file in files}
    return held


def _meet(one: str, other: str) -> bool:
    """Whether something may lie in both folders."""
    inner, outer = sorted((f"{one.rstrip('/')}/", f"{other.rstrip('/')}/"), reverse=True)
    return inner.startswith(outer)
