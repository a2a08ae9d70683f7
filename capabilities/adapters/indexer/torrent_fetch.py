"""Torrent files fetched by us, so that a downloader is handed bytes and never an address."""

from dataclasses import dataclass

from capabilities.adapters.indexer.torznab_document import refused_credentials
from capabilities.adapters.indexer.torznab_item import magnet_info_hash
from capabilities.adapters.upstream import Answer, Upstream
from capabilities.kernel.faults import DeclinedError, UnreachableError
from capabilities.rules.found import Found

_MAX_HOPS = 5


@dataclass(frozen=True, slots=True)
class Magnet:
    """What there is instead of a torrent file.

    Attributes:
        info_hash: hexadecimal; the part that may be handed on.
        address: the whole magnet address, trackers and other addresses of strangers included.
    """

    info_hash: str
    address: str


async def fetch_torrent(found: Found, own: Upstream, public: Upstream) -> bytes | Magnet:
    """The torrent file behind an offer, or the magnet that its link or the offer leads to.

    Args:
        found: the offer.
        own: the way to the indexer itself, taken while the link stays there.
        public: the guarded way, taken from the first address elsewhere on.

    Raises:
        DeclinedError: there is nothing to fetch, or the link leads inside.
        UnreachableError: no answer, or something that is no torrent file.
        ThrottledError: the indexer asked to slow down.
    """
    if found.link is None:
        return _magnet(own.system, found.magnet or "")
    address, way = found.link, own
    for _ in range(_MAX_HOPS):
        if address.startswith("magnet:"):
            return _magnet(own.system, address)
        # Once outside, a redirect back to the indexer is a stranger's wish and not followed.
        way = way if way is own and own.reaches(address) else public
        answer = await way.read(address)
        if answer.location is None:
            return _torrent(own.system, answer)
        address = answer.location
    raise DeclinedError(own.system, "The link of this release redirects again and again.")


def _magnet(system: str, address: str) -> Magnet:
    info_hash = magnet_info_hash(address)
    if info_hash is None:
        raise DeclinedError(
            system, "This release has neither a torrent file nor a magnet that can be read."
        )
    return Magnet(info_hash, address)


def _torrent(system: str, answer: Answer) -> bytes:
    """The body when it has the outline of a bencoded dictionary; reading it is another's task."""
    if answer.status in {401, 403}:
        raise refused_credentials(system)
    if not answer.ok:
        raise DeclinedError(
            system, f"The torrent file of this release is not to be had (HTTP {answer.status})."
        )
    if not (answer.body.startswith(b"d") and answer.body.endswith(b"e")):
        raise UnreachableError(
            system,
            "Something else came instead of the torrent file. The indexer may have lost "
            "its session with the site; test it there.",
        )
    return answer.body
