"""Looking at what removing a download would take: client, disk, library and our own tables."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from capabilities.adapters.downloader.port import ClientState, Downloader, Downloaders, Transfer
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.below import below
from capabilities.adapters.shelf.deleting import DeleteList, listed
from capabilities.adapters.shelf.faults import SourceChangedError
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.links_into import Identity, links_into
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.download.library_names import fewer_elsewhere, holdings, library_names
from capabilities.download.other_torrents import files_of_others
from capabilities.download.owning import has_it
from capabilities.download.removal import Bar, Removal
from capabilities.download.removal_grounds import still_needed
from capabilities.kernel.faults import UnreachableError, WorldFaultError
from capabilities.rules.outside_text import cleaned
from ledger.ledger import Ledger
from ledger.stores import libraries
from ledger.stores.downloads import DownloadRow

DOWNLOADS: Final = "the download folder"
IMPORTED: Final = "imported"
KEPT: Final = "Its files stay where they are."
NOT_IN_LIBRARY: Final = "It is not in the library, and is not placed there any more."
NOWHERE: Final = (
    "No download client has it any more, so which files are its is not known. Nothing is deleted."
)
OUTSIDE: Final = "It lies outside the download folder, where nothing is deleted."
BY_HAND: Final = "Delete its files by hand, or remove it and keep them."


@dataclass(frozen=True, slots=True)
class RemovalLook:
    """What is looked at."""

    ledger: Ledger
    clients: Downloaders
    folders: Folders

    async def freeze(self, row: DownloadRow, *, delete_data: bool) -> Removal:
        """What removing this one would take now; what cannot be looked at bars it."""
        loses = KEPT if row.state == IMPORTED else f"{NOT_IN_LIBRARY} {KEPT}"
        wanted = Removal(row.id, row.info_hash, None, delete_data, loses=loses)
        at = self.ledger.now()
        try:
            found = await has_it(row, self.clients)
            bar = await self.ledger.read(lambda conn: still_needed(conn, row, at))
            if found is None:
                return replace(wanted, bar=bar or self._gone(row, delete_data=delete_data))
            client, transfer = found
            wanted = replace(wanted, client=client.name, bar=bar)
            if bar is not None or not delete_data:
                return wanted
            return await self._with_files(wanted, row, client, transfer)
        except UnreachableError as fault:
            return _barred(wanted, fault, passing=True)
        except WorldFaultError as fault:
            return _barred(wanted, fault)

    async def refuse_needed_since(self, doomed: DeleteList) -> None:
        """Before a list is gone on with: nobody has come to need what is left of it.

        Raises:
            SourceChangedError: a name elsewhere went since, so that these are the last ones of
                their bytes, or the library links to them now.
            WorldFaultError: it cannot be looked at.
        """
        downloads = self.folders.downloads
        async with roots.opened(downloads, DOWNLOADS) as root:
            left = await listed(root, [file.path for file in doomed.files])
            needed = await off_loop(_identities, root, left)
        if fewer_elsewhere(doomed.files, left.files) or await self._links(needed):
            raise SourceChangedError(
                DOWNLOADS, "The library, or somebody else, has come to need a file on the list."
            )

    async def _with_files(
        self, wanted: Removal, row: DownloadRow, client: Downloader, transfer: Transfer
    ) -> Removal:
        downloads = self.folders.downloads
        place = await off_loop(below, transfer.save_path, downloads)
        if place is None:
            return replace(wanted, bar=Bar(OUTSIDE, BY_HAND))
        real = await off_loop(os.path.realpath, transfer.save_path)
        others = await files_of_others(self.clients, client, transfer)
        names = own_names(transfer)
        kept = {name: others[f"{real}/{name}"] for name in names if f"{real}/{name}" in others}
        going = [name for name in names if name not in kept]
        async with roots.opened(downloads, DOWNLOADS) as root:
            doomed = await listed(root, going, below="/".join(place))
            needed = await off_loop(_identities, root, doomed)
        wanted = replace(wanted, doomed=doomed, kept=tuple(sorted(kept.items())))
        if links := await self._links(needed):
            return replace(wanted, bar=Bar(_needed_by("links", links), BY_HAND))
        held = await self.ledger.read(lambda conn: library_names(conn, row, doomed.files))
        has = await holdings(doomed.files, downloads, held)
        if has.itself:
            return replace(wanted, bar=Bar(_needed_by("is the same file as", has.itself), BY_HAND))
        return replace(wanted, loses=has.loses(doomed.files, imported=row.state == IMPORTED))

    def _gone(self, row: DownloadRow, *, delete_data: bool) -> Bar | None:
        if row.state == ClientState.REMOVED:
            return Bar("It was removed already.", "Nothing is left to do.")
        if row.client not in {client.name for client in self.clients.clients}:
            return Bar(
                f"Its download client {row.client!r} is no longer configured.",
                "Configure it again, or remove the torrent there by hand.",
            )
        return Bar(NOWHERE, BY_HAND) if delete_data else None

    async def _links(self, needed: frozenset[Identity]) -> list[str]:
        """Links in any library that lead to what would go."""
        if not needed:
            return []
        adopted = await self.ledger.read(libraries.adopted)
        names = {
            self.folders.films: "the library Films",
            self.folders.series: "the library Series",
        }
        places = {**{Path(one.path): "an adopted library" for one in adopted}, **names}
        found: list[str] = []
        for place, name in places.items():
            async with roots.opened(place, name) as library:
                found += [f"{name}: {cleaned(link)}" for link in await links_into(library, needed)]
        return found


def own_names(transfer: Transfer) -> list[str]:
    """Where the files of a torrent lie below its save path, as far as it was to fetch them.

    libtorrent keeps pieces of files that are not wanted in one more, of this name
    (https://libtorrent.org/manual-ref.html, "partfiles"). Pieces of files that are, and the rest
    of the torrent's files, are not ours to take away.
    """
    fetched = [file.path for file in transfer.files if file.wanted]
    parts = [f".{name}.parts" for name in sorted(transfer.hashes.names())]
    return [*fetched, *parts] if fetched else []


def _barred(wanted: Removal, fault: WorldFaultError, *, passing: bool = False) -> Removal:
    sentence = f"{fault.system}: {fault.sentence}"
    return replace(wanted, bar=Bar(sentence, "Try again." if passing else BY_HAND, passing))


def _needed_by(how: str, names: Sequence[str]) -> str:
    many = "" if len(names) == 1 else f", and {len(names) - 1} more"
    shown = cleaned(names[0])
    if how == "links":
        return f"The library needs its files: {shown} is a link to them{many}."
    return f"The library needs its files: {shown} {how} one of them{many}."


def _identities(root: Root, doomed: DeleteList) -> frozenset[Identity]:
    """The listed files, and every folder through which they are reached."""
    folders = {
        "/".join(parts[:end])
        for parts in (file.path.split("/") for file in doomed.files)
        for end in range(len(parts))
    }
    found = {file.identity for file in doomed.files}
    for folder in folders:
        with root.folder(folder) as handle:
            now = os.fstat(handle)
        found.add((now.st_dev, now.st_ino))
    return frozenset(found)
