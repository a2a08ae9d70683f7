import pytest
from starlette.responses import HTMLResponse, Response

from capabilities.adapters.indexer.torznab import Torznab
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import (
    DeclinedError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from tests.capabilities.adapters.indexer.loopback import Clock, at_once, searching
from tests.capabilities.adapters.scripted_neighbour import neighbour
from world.indexer_feed import Offer, feed, torznab_error

pytestmark = pytest.mark.anyio

MAGNET = "magnet:?xt=urn:btih:" + "ab" * 20
SINTEL = Offer("Sintel.2010.1080p-A", 700, magnet=MAGNET, tmdb_id=45745, imdb_id="tt1727587")
UNTAGGED = Offer("Sintel.2010.720p-B", 300, magnet=MAGNET)
EPISODES = [
    Offer(f"Lantern.Street.S01E0{n}-C", 9, magnet=MAGNET, season=1, episode=n, categories=(5040,))
    for n in (1, 2)
]


def many(count: int) -> list[Offer]:
    return [Offer(f"Release.{n}", 1, magnet=MAGNET) for n in range(count)]


async def test_a_text_search_finds_offers_as_they_were_made() -> None:
    offer = Offer(
        "Sintel.2010.1080p-A", 700, seeders=0, peers=4, torrent=b"de", download_factor=0.0
    )
    async with searching([offer, *EPISODES]) as (indexer, server):
        harvest = await indexer.search("sintel 1080p")

    (found,) = harvest.found
    assert (found.title, found.indexer, found.size) == (offer.title, "loopback", 700)
    assert (found.seeders, found.peers, found.download_factor) == (0, 4, 0.0)
    assert (found.link or "").startswith(server.address.removesuffix("api"))
    assert found.published == offer.published
    assert harvest.broken == 0


async def test_a_film_is_searched_by_the_id_that_the_indexer_takes() -> None:
    async with searching([SINTEL, UNTAGGED]) as (indexer, server):
        harvest = await indexer.movie("Sintel", year=2010, external_ids={"tmdb": "45745"})

    assert [found.title for found in harvest.found] == [SINTEL.title]
    assert harvest.found[0].external_ids == {"tmdb": "45745", "imdb": "tt1727587"}
    assert [r.query_params.get("tmdbid") for r in server.requests] == [None, "45745"]
    assert server.requests[1].query_params["cat"] == "2000,2030,2040"


async def test_a_film_unknown_by_id_is_searched_by_title_and_year() -> None:
    async with searching([UNTAGGED]) as (indexer, server):
        harvest = await indexer.movie("Sintel", year=2010, external_ids={"tmdb": "45745"})

    assert [found.title for found in harvest.found] == [UNTAGGED.title]
    assert server.requests[2].query_params["q"] == "Sintel 2010"


async def test_a_film_without_ids_is_searched_by_title() -> None:
    async with searching([SINTEL, UNTAGGED], film_params=()) as (indexer, server):
        harvest = await indexer.movie("Sintel")

    assert {found.title for found in harvest.found} == {SINTEL.title, UNTAGGED.title}
    assert server.requests[1].query_params["t"] == "search"


async def test_an_episode_is_searched_by_its_numbers() -> None:
    async with searching([SINTEL, *EPISODES]) as (indexer, _):
        episode = await indexer.tv("Lantern Street", season=1, episode=2)
        season = await indexer.tv("Lantern Street", season=1)

    assert [found.title for found in episode.found] == [EPISODES[1].title]
    assert {found.title for found in season.found} == {offer.title for offer in EPISODES}


async def test_an_episode_is_spelled_out_where_numbers_are_not_understood() -> None:
    async with searching(EPISODES, complete=False) as (indexer, _):
        harvest = await indexer.tv("Lantern Street", season=1, episode=1)

    assert [found.title for found in harvest.found] == [EPISODES[0].title]


@pytest.mark.parametrize("complete", [True, False])
async def test_pages_are_turned_until_everything_is_there(complete: bool) -> None:
    async with searching(many(250), complete=complete) as (indexer, server):
        harvest = await indexer.search("release")

    assert len({found.title for found in harvest.found}) == len(harvest.found) == 250
    assert [r.query_params.get("offset") for r in server.requests] == [None, "0", "100", "200"]


async def test_a_full_last_page_costs_no_further_question_when_the_total_is_known() -> None:
    async with searching(many(20), page_size=10) as (indexer, server):
        harvest = await indexer.search("release")

    assert (len(harvest.found), len(server.requests)) == (20, 3)


async def test_no_more_than_ten_pages_are_read() -> None:
    async with searching(many(50), page_size=2) as (indexer, server):
        harvest = await indexer.search("release")

    assert (len(harvest.found), len(server.requests)) == (20, 11)


async def test_an_indexer_that_ignores_the_offset_is_not_asked_for_ever() -> None:
    page = feed([(None, offer) for offer in many(3)], offset=0, total=900)
    async with searching() as (indexer, server):
        await indexer.caps()
        server.fail_next(*[page] * 5)
        harvest = await indexer.search("release")

    assert (len(harvest.found), len(server.requests)) == (3, 3)


async def test_broken_items_are_counted_and_the_rest_is_kept() -> None:
    offers = [Offer("Sintel.no.handle", 1), Offer("  ", 1, magnet=MAGNET), SINTEL]
    async with searching() as (indexer, server):
        await indexer.caps()
        server.fail_next(feed([(None, offer) for offer in offers], offset=0, total=3))
        harvest = await indexer.search("sintel")

    assert ([found.title for found in harvest.found], harvest.broken) == ([SINTEL.title], 2)


async def test_a_page_of_broken_items_does_not_hide_the_next_one() -> None:
    broken = feed([(None, Offer("No.handle", 1))], offset=0, total=2)
    good = feed([(None, SINTEL)], offset=1, total=2)
    async with searching() as (indexer, server):
        await indexer.caps()
        server.fail_next(broken, good)
        harvest = await indexer.search("sintel")

    assert ([found.title for found in harvest.found], harvest.broken) == ([SINTEL.title], 1)


async def test_a_page_without_items_is_the_last_whatever_the_total_says() -> None:
    async with searching() as (indexer, server):
        await indexer.caps()
        server.fail_next(feed([], offset=0, total=900))
        harvest = await indexer.search("sintel")

    assert (harvest.found, len(server.requests)) == ([], 2)


async def test_capabilities_are_asked_for_once_in_twelve_hours() -> None:
    clock = Clock()
    async with searching([SINTEL], clock=clock) as (indexer, server):
        for moment in (0.0, 43_199.0, 43_200.0):
            clock.now = moment
            await indexer.caps()

    assert len(server.requests) == 2


async def test_a_wrong_key_is_declined_without_being_repeated() -> None:
    async with searching(api_key="wrong-canary") as (indexer, _):
        with pytest.raises(DeclinedError, match="API key") as caught:
            await indexer.search("sintel")

    assert caught.value.system == 'the indexer "loopback"'
    assert "canary" not in str(caught.value)


async def test_an_indexer_without_key_is_sent_none() -> None:
    async with searching(api_key=" ") as (indexer, server):
        with pytest.raises(DeclinedError):
            await indexer.caps()

    assert "apikey" not in server.requests[0].query_params


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (torznab_error(500), ThrottledError),
        (torznab_error(910), UnreachableError),
        (Response(b"\x00garbage"), UnreachableError),
        (HTMLResponse("<!DOCTYPE html><p>Sign in"), UnreachableError),
        (Response("<caps/>"), UnreachableError),
        (Response("<rss/>"), UnreachableError),
        (HTMLResponse("<p>Forbidden</p>", 403), DeclinedError),
        (HTMLResponse("no", 404), UnreachableError),
        (Response("<rss><channel/></rss>", 400), DeclinedError),
    ],
)
async def test_trouble_of_every_kind_is_told_apart(
    answer: Response, fault: type[WorldFaultError]
) -> None:
    async with searching() as (indexer, server):
        await indexer.caps()
        server.fail_next(answer)
        with pytest.raises(fault) as caught:
            await indexer.search("sintel")

    assert type(caught.value) is fault


async def test_an_indexer_that_cannot_search_like_that_says_so() -> None:
    without = '<caps><searching><search available="no"/></searching></caps>'
    async with neighbour(default=Response(without)) as peer, Outbound(version="0") as out:
        indexer = Torznab("loopback", peer.address, "", outbound=out)
        with pytest.raises(DeclinedError, match="no search that fits"):
            await indexer.search("sintel")


async def test_an_address_that_is_none_is_declined() -> None:
    async with Outbound(version="0", wait=at_once) as out:
        with pytest.raises(DeclinedError, match="settings"):
            Torznab("loopback", "indexer.example", "", outbound=out)
