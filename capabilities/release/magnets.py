"""A magnet becomes a torrent file before anything is planned, and goes on as one."""

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.metadata_source import NoMetadataError, metadata_of
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.downloader.torrent_file import Magnet, parse_magnet
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.adapters.shelf.folders import NEEDS_FOLDERS
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import ElsewhereError, WorldFaultError
from capabilities.kernel.outcomes import Failed, HaltError
from capabilities.rules.found import Found
from ledger.database import Snapshot
from ledger.stores import releases, runs

_LATER = "Try again when somebody shares it, or give the torrent file instead."
_WITHHELD = (
    "Only its hash was used: the addresses in a magnet are followed where the signed-in owner "
    "gives it, or the goal of a run they started holds it. Have it given so, or give the torrent "
    "file."
)
_THERE = "The process that runs it looks into magnets: ask there, or give the torrent file instead."


async def torrent_of_offer(found: Found, context: Context) -> bytes:
    """The torrent file behind an offer, from peers where the indexer has only a magnet.

    Raises:
        WorldFaultError: the indexer could not give it, or what came is refused.
        HaltError: failed; no metadata came, or another process runs the client.
    """
    fetched = await context.part(Indexers, "indexer").fetch_torrent(found)
    if isinstance(fetched, bytes):
        return fetched
    return await _torrent_of(parse_magnet(fetched.address), context, otherwise=_LATER)


async def torrent_of_magnet(text: str, context: Context) -> bytes:
    """The torrent file for a magnet that somebody gives, or for a bare hash.

    The addresses in it are followed on the signed-in owner's word alone: a model that was talked
    into it could put what it knows into the address of a tracker.

    Raises:
        BadTorrentError: it is no magnet, or what came is refused.
        HaltError: failed; no metadata came, or another process runs the client.
    """
    magnet = parse_magnet(text)
    if await _is_owners_word(text, context):
        return await _torrent_of(magnet, context, otherwise=_LATER)
    bare = magnet.without_addresses()
    withheld = bool(magnet.trackers or magnet.peers)
    return await _torrent_of(bare, context, otherwise=_WITHHELD if withheld else _LATER)


async def _is_owners_word(text: str, context: Context) -> bool:
    actor = context.actor
    if actor.kind != "run":
        return actor.decides
    run = await context.ledger.read(lambda conn: runs.by_id(conn, actor.id))
    # What else an owner says to a run may repeat the run's own words, e.g. a chosen option.
    return run is not None and run.actor.startswith("owner:") and text.strip() in run.goal


async def _torrent_of(magnet: Magnet, context: Context, *, otherwise: str) -> bytes:
    known = await context.ledger.read(lambda conn: _kept(conn, magnet.hashes))
    if known is not None:
        return known
    try:
        clients = context.part(Downloaders, "download client", NEEDS_FOLDERS)
        return await metadata_of(magnet, clients)
    except NoMetadataError as fault:
        raise HaltError(_failed(Code.TIMEOUT, fault, otherwise)) from fault
    except ElsewhereError as fault:
        raise HaltError(_failed(Code.UNAVAILABLE, fault, _THERE)) from fault


def _kept(conn: Snapshot, hashes: InfoHashes) -> bytes | None:
    """What is known of that torrent already, from whatever release."""
    for info_hash in (hashes.v1, hashes.v2):
        if info_hash is not None:
            raw = releases.torrent_named(conn, info_hash)
            if raw is not None:
                return raw
    return None


def _failed(code: Code, fault: WorldFaultError, hint: str) -> Failed:
    said = f"{fault.system[:1].upper()}{fault.system[1:]}: {fault.sentence}"
    return Failed(code, said, hint, retry=True)
