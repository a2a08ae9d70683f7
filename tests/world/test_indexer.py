from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from xml.etree.ElementTree import Element, fromstring

import anyio
import httpx2
import pytest
from starlette.responses import Response

from world.indexer import LoopbackIndexer, serving_indexer
from world.indexer_feed import NEWZNAB, TORZNAB, Offer, torznab_error

pytestmark = pytest.mark.anyio

FILMS = [
    Offer("Sintel.2010.1080p.BluRay.x264-A", 700, tmdb_id=45745, imdb_id="tt1727587"),
    Offer("Sintel.2010.720p.WEB-DL.x264-B", 300, tmdb_id=45745, imdb_id="tt1727587"),
    Offer("Big.Buck.Bunny.2008.1080p-C", 500, tmdb_id=10378, categories=(2040,)),
]
EPISODES = [
    Offer(f"Lantern.Street.S01E0{n}.720p-D", 90, season=1, episode=n, categories=(5040,))
    for n in (1, 2, 3)
]


@asynccontextmanager
async def visiting(
    offers: list[Offer] = FILMS + EPISODES, **options: object
) -> AsyncGenerator[tuple[LoopbackIndexer, httpx2.AsyncClient]]:
    async with (
        serving_indexer(offers, **options) as indexer,  # pyright: ignore[reportArgumentType]  passed on as they are
        httpx2.AsyncClient(trust_env=False) as client,
    ):
        yield indexer, client


async def ask(indexer: LoopbackIndexer, client: httpx2.AsyncClient, **query: str) -> Element:
    answer = await client.get(indexer.address, params={"apikey": indexer.api_key, **query})
    assert answer.status_code == 200
    return fromstring(answer.text)  # noqa: S314  our own server


def titles(feed: Element) -> set[str]:
    return {title.text or "" for title in feed.iterfind("channel/item/title")}


async def test_capabilities_tell_modes_categories_and_limits() -> None:
    async with visiting(film_params=("q", "imdbid"), page_size=7) as (indexer, client):
        caps = await ask(indexer, client, t="caps")

    film, limits = caps.find("searching/movie-search"), caps.find("limits")
    assert film is not None
    assert limits is not None
    assert film.attrib == {"available": "yes", "supportedParams": "imdbid,q"}
    assert limits.get("max") == "7"
    assert {c.get("id") for c in caps.iterfind("categories/category")} == {"2000", "5000"}
    assert "2040" in {c.get("id") for c in caps.iterfind("categories/category/subcat")}


async def test_incomplete_capabilities_tell_of_text_search_only() -> None:
    async with visiting(complete=False) as (indexer, client):
        caps = await ask(indexer, client, t="caps")
        feed = await ask(indexer, client, t="search", q="sintel")

    assert [mode.tag for mode in caps.iterfind("searching/*")] == ["search"]
    assert caps.find("limits") is None
    assert feed.find(f"channel/{{{NEWZNAB}}}response") is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"t": "search", "q": "SINTEL 1080p"}, {FILMS[0].title}),
        ({"t": "search", "q": "sint"}, set[str]()),
        ({"t": "search", "cat": "2000"}, {film.title for film in FILMS}),
        ({"t": "search", "cat": "2040,9999"}, {FILMS[2].title}),
        ({"t": "movie", "imdbid": "1727587"}, {FILMS[0].title, FILMS[1].title}),
        ({"t": "movie", "imdbid": "tt1727587"}, {FILMS[0].title, FILMS[1].title}),
        ({"t": "movie", "tmdbid": "10378"}, {FILMS[2].title}),
        ({"t": "tvsearch", "q": "lantern street", "season": "1"}, {e.title for e in EPISODES}),
        ({"t": "tvsearch", "season": "1", "ep": "2"}, {EPISODES[1].title}),
        ({"t": "tvsearch", "season": "2"}, set[str]()),
    ],
)
async def test_searches_find_what_matches(query: dict[str, str], found: set[str]) -> None:
    async with visiting() as (indexer, client):
        assert titles(await ask(indexer, client, **query)) == found


async def test_an_item_carries_what_its_offer_says_and_nothing_else() -> None:
    offer = Offer("A", 700, seeders=3, tmdb_id=1, magnet="magnet:?xt=x", download_factor=None)
    async with visiting([offer]) as (indexer, client):
        feed = await ask(indexer, client, t="search")

    attributes = {
        element.get("name"): element.get("value")
        for element in feed.iterfind(f"channel/item/{{{TORZNAB}}}attr")
    }
    assert attributes == {
        "size": "700",
        "category": "2000",
        "seeders": "3",
        "magneturl": "magnet:?xt=x",
        "tmdbid": "1",
        "uploadvolumefactor": "1.0",
    }
    assert feed.find("channel/item/enclosure") is None


async def test_results_come_in_pages_with_a_total() -> None:
    async with visiting(page_size=4) as (indexer, client):
        pages = [await ask(indexer, client, t="search", offset=n) for n in ("0", "4", "8")]
        small = await ask(indexer, client, t="search", limit="1")

    totals = {page.find(f"channel/{{{NEWZNAB}}}response").get("total") for page in pages}  # pyright: ignore[reportOptionalMemberAccess]  an absent one fails the test
    assert totals == {"6"}
    assert [len(titles(page)) for page in [*pages, small]] == [4, 2, 0, 1]
    assert len(titles(pages[0]) | titles(pages[1])) == 6


async def test_the_order_follows_the_seed() -> None:
    async def order(seed: int | None) -> tuple[int, list[str | None]]:
        offers = [Offer(f"Release {n}", 1) for n in range(30)]
        async with visiting(offers, seed=seed) as (indexer, client):
            feed = await ask(indexer, client, t="search")
        return indexer.seed, [title.text for title in feed.iterfind("channel/item/title")]

    first_seed, first = await order(None)
    again_seed, again = await order(first_seed)
    other_seed, other = await order(None)

    assert (again_seed, again) == (first_seed, first)
    assert other_seed != first_seed
    assert other != first
    assert sorted(map(str, other)) == sorted(map(str, first))


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"t": "search", "apikey": "wrong"}, "100"),
        ({"t": "music"}, "202"),
        ({}, "202"),
        ({"t": "search", "imdbid": "1"}, "201"),
        ({"t": "movie", "season": "1"}, "201"),
    ],
)
async def test_wrong_requests_are_errors_with_http_200(query: dict[str, str], code: str) -> None:
    async with visiting() as (indexer, client):
        error = await ask(indexer, client, **query)

    assert (error.tag, error.get("code")) == ("error", code)


async def test_a_mode_without_parameters_does_not_exist() -> None:
    async with visiting(series_params=()) as (indexer, client):
        error = await ask(indexer, client, t="tvsearch")
        caps = await ask(indexer, client, t="caps")

    mode = caps.find("searching/tv-search")
    assert error.get("code") == "202"
    assert mode is not None
    assert mode.get("available") == "no"


async def test_trouble_comes_when_told_and_then_is_over() -> None:
    async with visiting() as (indexer, client):
        indexer.fail_next(torznab_error(500), Response(b"\x00garbage"))
        answers = [
            await client.get(indexer.address, params={"t": "caps", "apikey": indexer.api_key})
            for _ in range(3)
        ]

    assert b'code="500"' in answers[0].content
    assert answers[1].content == b"\x00garbage"
    assert b"<caps>" in answers[2].content
    assert len(indexer.requests) == 3


async def test_held_searches_wait_until_they_are_released() -> None:
    answered = anyio.Event()

    async def search(indexer: LoopbackIndexer, client: httpx2.AsyncClient) -> None:
        await ask(indexer, client, t="search")
        answered.set()

    async with visiting() as (indexer, client), anyio.create_task_group() as group:
        release = indexer.hold()
        group.start_soon(search, indexer, client)
        await ask(indexer, client, t="caps")
        assert not answered.is_set()

        release.set()
        with anyio.fail_after(5):
            await answered.wait()


async def test_a_link_gives_the_torrent_file_to_those_with_the_key() -> None:
    async with visiting([Offer("A", 1, torrent=b"d4:infode")]) as (indexer, client):
        link = (await ask(indexer, client, t="search")).findtext("channel/item/link") or ""
        with_key = await client.get(link)
        without_key = await client.get(link.partition("?")[0])

    assert (with_key.status_code, with_key.content) == (200, b"d4:infode")
    assert without_key.status_code == 403


@pytest.mark.parametrize("target", ["magnet:?xt=urn:btih:00&dn=A%20b", "http://192.0.2.1/x?y=1"])
async def test_a_link_can_redirect_anywhere(target: str) -> None:
    async with visiting([Offer("A", 1, redirect=target)]) as (indexer, client):
        link = (await ask(indexer, client, t="search")).findtext("channel/item/link") or ""
        answer = await client.get(link)

    assert (answer.status_code, answer.headers["Location"]) == (302, target)


async def test_there_is_no_torrent_file_behind_other_numbers() -> None:
    async with visiting([Offer("A", 1, magnet="magnet:?xt=x")]) as (indexer, client):
        base = indexer.address.removesuffix("/api")
        answers = [
            await client.get(f"{base}/torrents/{number}", params={"apikey": indexer.api_key})
            for number in (0, 1)
        ]

    assert [answer.status_code for answer in answers] == [404, 404]
