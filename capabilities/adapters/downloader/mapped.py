"""A download client on another machine, or in a container: it calls our folders otherwise."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import anyio

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import (
    CATEGORY,
    AddRequest,
    Downloader,
    Pauser,
    Transfer,
)
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.outside_text import cleaned
from capabilities.rules.path_mapping import PathMap

_LOOKED_AT = 20


class Mapped:
    """`Downloader` whose save paths are ours on this side, and the client's own on the other."""

    def __init__(self, client: Downloader, paths: PathMap) -> None:
        """Take the client, and what it calls our folders."""
        self.name = client.name
        self.kind = client.kind
        self._client = client
        self._paths = paths

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`; the save path is ours."""
        theirs = Path(self._paths.to_theirs(str(request.save_path)))
        return await self._client.add(replace(request, save_path=theirs))

    async def transfer(self, info_hash: str) -> Transfer | None:
        """See `Downloader.transfer`; the save path is ours."""
        transfer = await self._client.transfer(info_hash)
        return None if transfer is None else self._here(transfer)

    async def transfers(self) -> Sequence[Transfer]:
        """See `Downloader.transfers`; the save paths are ours."""
        return [self._here(transfer) for transfer in await self._client.transfers()]

    async def pause(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.pause`."""
        await self._client.pause(info_hash, by=by)

    async def resume(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.resume`."""
        await self._client.resume(info_hash, by=by)

    async def recheck(self, info_hash: str) -> None:
        """See `Downloader.recheck`."""
        await self._client.recheck(info_hash)

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """See `Downloader.remove`."""
        await self._client.remove(info_hash, delete_data=delete_data)

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """See `Downloader.changes`."""
        return self._client.changes()

    async def health(self) -> ClientHealth:
        """See `Downloader.health`; the note also says when finished files are not where we look.

        The proof is what it finished for us already. While there is nothing of that, and where one
        of the first files is there, nothing is said.
        """
        health = await self._client.health()
        if not health.reachable or health.note is not None:
            return health
        return replace(health, note=await self._misled())

    async def aclose(self) -> None:
        """See `Downloader.aclose`."""
        await self._client.aclose()

    def _here(self, transfer: Transfer) -> Transfer:
        theirs = transfer.save_path
        ours = Path(self._paths.to_ours(str(theirs)))
        return replace(transfer, save_path=ours, client_path=theirs)

    async def _misled(self) -> str | None:
        try:
            transfers = await self.transfers()
        except WorldFaultError:
            return None
        ours = [one for one in transfers if one.complete and one.category == CATEGORY]
        for transfer in ours[-_LOOKED_AT:]:
            if await _is_there(transfer):
                return None
        if not ours:
            return None
        return (
            f'It says that "{cleaned(ours[-1].name)}" is whole, and its files are not where our own'
            " name of its folder leads. Correct its `paths` in the settings, or mount the folder"
            " here."
        )


async def _is_there(transfer: Transfer) -> bool:
    for file in transfer.files:
        if file.wanted:
            try:
                return await (anyio.Path(transfer.save_path) / file.path).is_file()
            except OSError:
                return False
    return False
