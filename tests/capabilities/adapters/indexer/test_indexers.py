from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from capabilities.adapters.indexer.indexers import IndexerFailure, Indexers
from capabilities.adapters.indexer.queries import FilmQuery, TextQuery
from capabilities.adapters.indexer.torznab import Torznab
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.found import Found
from tests.capabilities.adapters.indexer.loopback import at_once
from tests.capabilities.adapters.scripted_neighbour import neighbour
from world.indexer import LoopbackIndexer, serving_indexer
from world.indexer_feed import Offer, feed, torznab_error

pytestmark = pytest.mark.anyio

TORRENT = b"d4:infodee"


def offers(who: str, count: int = 1) -> list[Offer]:
    return [Offer(f"Sintel.2010.{who}.{n}", 1, torrent=TORRENT) for n in range(count)]


def with_magnets(who: str, count: int) -> list[Offer]:
    magnet = "magnet:?xt=urn:btih:" + "ab" * 20
    return [Offer(f"Sintel.2010.{who}.{n}", 1, magnet=magnet) for n in range(count)]


class Meeting:
    """An indexer that answers no search before all that are expected have come."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.came = 0
        self.all_came = anyio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if Request(scope).query_params["t"] == "caps":
            await Response("<caps/>")(scope, receive, send)
            return
        self.came += 1
        if self.came == self.expected:
            self.all_came.set()
        await self.all_came.wait()
        await feed([], offset=0, total=0)(scope, receive, send)


@asynccontextmanager
async def three() -> AsyncGenerator[tuple[list[LoopbackIndexer], list[Torznab]]]:
    """Indexers a, b and c with the priorities 30, 10 and 20."""
    async with (
        serving_indexer(offers("a")) as a,
        serving_indexer(offers("b", 3), page_size=2) as b,
        serving_indexer(offers("c")) as c,
        Outbound(version="0", wait=at_once) as out,
    ):
        servers = [a, b, c]
        named = zip("abc", servers, (30, 10, 20), strict=True)
        clients = [
            Torznab(name, server.address, server.api_key, outbound=out, priority=priority)
            for name, server, priority in named
        ]
        yield servers, clients


async def test_all_are_asked_and_the_preferred_come_first() -> None:
    async with three() as (_, clients):
        answer = await Indexers(clients).search_all(FilmQuery("Sintel", 2010))

    assert [found.indexer for found in answer.found] == ["b", "b", "b", "c", "a"]
    assert (answer.failures, answer.broken) == ((), 0)


async def test_one_that_fails_is_named_and_the_others_stay() -> None:
    async with three() as (servers, clients):
        servers[2].fail_next(torznab_error(100))
        answer = await Indexers(clients).search_all(TextQuery("sintel"))

    assert {found.indexer for found in answer.found} == {"a", "b"}
    assert [failure.name for failure in answer.failures] == ["c"]
    assert "API key" in answer.failures[0].sentence


async def test_one_that_fails_on_its_second_page_keeps_its_first() -> None:
    page = feed([(None, offer) for offer in with_magnets("b", 2)], offset=0, total=4)
    async with three() as (servers, clients):
        await clients[1].caps()
        servers[1].fail_next(page, torznab_error(500))
        answer = await Indexers(clients).search_all(TextQuery("sintel"))

    assert sum(found.indexer == "b" for found in answer.found) == 2
    assert [failure.name for failure in answer.failures] == ["b"]


async def test_one_that_is_slow_is_left_behind_at_the_deadline_with_what_it_had() -> None:
    async with three() as (servers, clients):
        for client in clients:
            await client.caps()
        release = servers[0].hold()
        answer = await Indexers(clients, deadline_s=0.3).search_all(TextQuery("sintel"))
        release.set()

    assert {found.indexer for found in answer.found} == {"b", "c"}
    assert answer.failures == (IndexerFailure("a", "It did not answer in full within 0.3 s."),)


async def test_they_are_asked_side_by_side() -> None:
    """Each search waits until all three have come: one after the other would never end."""
    together = Meeting(3)
    async with neighbour(default=together) as peer, Outbound(version="0") as out:
        clients = [Torznab(name, peer.address, "", outbound=out) for name in "abc"]
        with anyio.fail_after(5):
            answer = await Indexers(clients).search_all(TextQuery("sintel"))

    assert answer.failures == ()
    assert together.came == 3


async def test_without_indexers_there_is_nothing_and_no_failure() -> None:
    answer = await Indexers([]).search_all(TextQuery("sintel"))

    assert (answer.found, answer.failures) == ((), ())


async def test_a_torrent_file_is_fetched_through_the_indexer_that_offered_it() -> None:
    async with three() as (servers, clients):
        indexers = Indexers(clients)
        found = (await indexers.search_all(TextQuery("sintel"))).found[-1]
        content = await indexers.fetch_torrent(found)

    assert (found.indexer, content) == ("a", TORRENT)
    assert servers[0].requests[-1].url.path.startswith("/torrents/")


async def test_an_offer_of_an_indexer_that_is_gone_is_declined() -> None:
    with pytest.raises(DeclinedError, match="no longer configured"):
        await Indexers([]).fetch_torrent(Found("A", "gone", "g", link="http://h/"))


async def test_two_indexers_of_one_name_are_refused() -> None:
    async with three() as (_, clients):
        with pytest.raises(ValueError, match="same name"):
            Indexers([clients[0], clients[0]])
