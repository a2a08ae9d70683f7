"""Looking whether a torrent was added, without believing anybody."""

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.faults import ElsewhereError, WorldFaultError
from capabilities.kernel.probing import Finding, Verdict


async def probe_add(downloaders: Downloaders, info_hash: str) -> Finding:
    """Ask every client for a torrent, read only.

    Returns:
        APPLIED as soon as one has it, with that client's name and its state for the torrent;
        NOT_APPLIED when all answered that they have it not; CANNOT_TELL when one could not be
        asked and no other has it.

    Raises:
        ElsewhereError: one runs in another process, and none of those here has it.
    """
    silent: list[str] = []
    elsewhere: ElsewhereError | None = None
    for client in downloaders.clients:
        try:
            transfer = await client.transfer(info_hash)
        except ElsewhereError as fault:
            elsewhere = fault
        except WorldFaultError:
            silent.append(client.name)
        else:
            if transfer is not None:
                return Finding(
                    Verdict.APPLIED,
                    {
                        "client": client.name,
                        "state": transfer.state.value,
                        "info_hash": transfer.hashes.key,
                    },
                )
    if elsewhere is not None:
        raise elsewhere
    if silent:
        return Finding(Verdict.CANNOT_TELL, {"not_answering": silent})
    return Finding(Verdict.NOT_APPLIED, {"asked": [client.name for client in downloaders.clients]})
