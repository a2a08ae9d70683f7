import pytest
from starlette.responses import HTMLResponse, RedirectResponse, Response

from capabilities.adapters.address_guard import AddressGuard
from capabilities.adapters.indexer.torrent_fetch import Magnet
from capabilities.kernel.faults import DeclinedError, UnreachableError
from capabilities.rules.found import Found
from tests.capabilities.adapters.indexer.loopback import searching
from tests.capabilities.adapters.scripted_neighbour import neighbour
from world.indexer_feed import Offer

pytestmark = pytest.mark.anyio

TORRENT = b"d4:infod6:lengthi1e4:name1:aee"
HASH = "ab" * 20
MAGNET = f"magnet:?xt=urn:btih:{HASH}&tr=http%3A%2F%2F10.0.0.1%2F"
# 127.0.0.2 plays the public internet.
GUARD = AddressGuard(permits=lambda address: str(address) == "127.0.0.2")


async def fetched(offer: Offer) -> bytes | Magnet:
    async with searching([offer], guard=GUARD) as (indexer, _):
        (found,) = (await indexer.search("")).found
        return await indexer.fetch_torrent(found)


async def test_the_indexers_own_link_gives_the_file() -> None:
    assert await fetched(Offer("A", 1, torrent=TORRENT)) == TORRENT


async def test_a_link_that_redirects_to_a_magnet_gives_the_magnet() -> None:
    assert await fetched(Offer("A", 1, redirect=MAGNET)) == Magnet(HASH, MAGNET)


async def test_an_offer_without_link_gives_its_magnet() -> None:
    assert await fetched(Offer("A", 1, magnet=MAGNET)) == Magnet(HASH, MAGNET)


async def test_a_file_on_the_public_internet_is_fetched_there() -> None:
    async with neighbour(default=Response(TORRENT), host="127.0.0.2") as site:
        assert await fetched(Offer("A", 1, redirect=f"{site.address}/file")) == TORRENT


async def test_a_site_outside_may_redirect_to_a_magnet() -> None:
    to_magnet = Response(status_code=302, headers={"Location": MAGNET})
    async with neighbour(to_magnet, host="127.0.0.2") as site:
        assert await fetched(Offer("A", 1, redirect=site.address)) == Magnet(HASH, MAGNET)


async def test_a_link_that_leads_inside_is_declined_and_nobody_there_is_contacted() -> None:
    async with neighbour() as inside:
        with pytest.raises(DeclinedError, match="public internet"):
            await fetched(Offer("A", 1, redirect=f"{inside.address}/admin"))

    assert inside.requests == []


async def test_a_site_outside_cannot_send_us_back_to_the_indexer() -> None:
    async with searching([Offer("A", 1, torrent=TORRENT)], guard=GUARD) as (indexer, server):
        back = RedirectResponse(f"{server.address}?t=caps")
        async with neighbour(back, host="127.0.0.2") as site:
            with pytest.raises(DeclinedError, match="public internet"):
                await indexer.fetch_torrent(Found("A", "loopback", "g", link=site.address))

    assert server.requests == []


async def test_redirects_without_end_are_declined() -> None:
    async with neighbour(default=RedirectResponse("/again"), host="127.0.0.2") as site:
        with pytest.raises(DeclinedError, match="again and again"):
            await fetched(Offer("A", 1, redirect=site.address))

    assert len(site.requests) == 4


@pytest.mark.parametrize("address", ["ftp://127.0.0.2/x", "file:///etc/hostname", "http://h:x/"])
async def test_a_link_of_another_kind_is_declined(address: str) -> None:
    with pytest.raises(DeclinedError):
        await fetched(Offer("A", 1, redirect=address))


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (HTMLResponse("<p>Sign in</p>"), UnreachableError),
        (Response(b"d4:info"), UnreachableError),
        (Response(b""), UnreachableError),
        (Response(status_code=404), DeclinedError),
        (Response(status_code=403), DeclinedError),
    ],
)
async def test_what_is_no_torrent_file_is_never_handed_on(
    answer: Response, fault: type[Exception]
) -> None:
    async with neighbour(default=answer, host="127.0.0.2") as site:
        with pytest.raises(fault):
            await fetched(Offer("A", 1, redirect=site.address))


@pytest.mark.parametrize("magnet", ["magnet:?dn=x", None])
async def test_a_magnet_without_hash_or_nothing_at_all_is_declined(magnet: str | None) -> None:
    async with searching(guard=GUARD) as (indexer, _):
        with pytest.raises(DeclinedError, match="neither"):
            await indexer.fetch_torrent(Found("A", "loopback", "g", magnet=magnet))
