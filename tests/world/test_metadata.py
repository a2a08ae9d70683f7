from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from starlette.responses import PlainTextResponse

from world.metadata import LoopbackMetadata, serving_metadata

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def visiting() -> AsyncGenerator[tuple[LoopbackMetadata, httpx2.AsyncClient]]:
    async with serving_metadata() as metadata:
        headers = {"Authorization": f"Bearer {metadata.token}"}
        async with httpx2.AsyncClient(
            base_url=metadata.address, headers=headers, trust_env=False
        ) as client:
            yield metadata, client


async def ask(path: str, **query: str) -> Any:
    async with visiting() as (_, client):
        answer = await client.get(path, params=query)
    assert answer.status_code == 200
    return answer.json()


@pytest.mark.parametrize(
    ("number", "imdb_id", "title", "year"),
    [
        (10378, "tt1254207", "Big Buck Bunny", "2008"),
        (45745, "tt1727587", "Sintel", "2010"),
        (133701, "tt2285752", "Tears of Steel", "2012"),
        (10331, "tt0063350", "Night of the Living Dead", "1968"),
    ],
)
async def test_the_free_films_are_there_under_their_true_numbers(
    number: int, imdb_id: str, title: str, year: str
) -> None:
    film = await ask(f"/movie/{number}")
    found = await ask(f"/find/{imdb_id}", external_source="imdb_id")

    assert (film["title"], film["release_date"][:4], film["imdb_id"]) == (title, year, imdb_id)
    assert [row["id"] for row in found["movie_results"]] == [number]


async def test_two_films_of_different_years_share_a_title() -> None:
    answer = await ask("/search/movie", query="sintel")
    of_one_year = await ask("/search/movie", query="sintel", year="2010")

    assert {row["release_date"][:4] for row in answer["results"]} == {"2010", "1994"}
    assert [row["id"] for row in of_one_year["results"]] == [45745]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("big BUCK", [10378]),
        ("大雄兔", [10378]),
        ("雄兔", [10378]),
        ("durian", [45745]),
        ("lantern", [900001]),
        ("lan", []),
        ("", []),
        ("。", []),
    ],
)
async def test_a_query_finds_words_of_any_title(query: str, ids: list[int]) -> None:
    answer = await ask("/search/multi", query=query)

    assert [row["id"] for row in answer["results"]] == ids


async def test_a_series_lists_its_seasons_and_a_season_its_episodes() -> None:
    series = await ask("/tv/900001")
    season = await ask("/tv/900001/season/2")

    assert [(s["season_number"], s["episode_count"]) for s in series["seasons"]] == [(1, 3), (2, 3)]
    assert [e["air_date"] for e in season["episodes"]] == ["2021-09-06", "2021-09-13", "2021-09-20"]


async def test_a_series_has_orders_of_its_episodes_and_a_film_its_collection() -> None:
    groups = await ask("/tv/900001/episode_groups")
    order = await ask(f"/tv/episode_group/{groups['results'][0]['id']}")
    film = await ask("/movie/10378")
    collection = await ask(f"/collection/{film['belongs_to_collection']['id']}")

    assert [(row["type"], row["group_count"]) for row in groups["results"]] == [(2, 2), (3, 1)]
    assert {group["order"]: len(group["episodes"]) for group in order["groups"]} == {0: 1, 1: 6}
    assert {part["id"] for part in collection["parts"]} == {10378, 45745, 133701}


async def test_a_number_of_thetvdb_finds_its_series() -> None:
    found = await ask("/find/990001", external_source="tvdb_id")
    by_imdb = await ask("/find/990001", external_source="imdb_id")

    assert [row["id"] for row in found["tv_results"]] == [900001]
    assert by_imdb["tv_results"] == []


async def test_an_answer_that_has_not_changed_is_only_said_to_be_the_same() -> None:
    async with visiting() as (_, client):
        first = await client.get("/movie/10378")
        again = await client.get("/movie/10378", headers={"If-None-Match": first.headers["ETag"]})
        other = await client.get("/movie/45745", headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert (other.status_code, other.json()["id"]) == (200, 45745)


async def test_only_what_is_asked_for_is_appended() -> None:
    film = await ask("/movie/10378", append_to_response="translations,external_ids")

    assert film["external_ids"] == {"imdb_id": "tt1254207"}
    assert "translations" in film
    assert "alternative_titles" not in film


async def test_words_come_in_the_language_that_is_asked_for() -> None:
    chinese = await ask("/movie/10378", language="zh-CN")
    german = await ask("/movie/10378", language="de")

    assert (chinese["title"], german["title"]) == ("大雄兔", "Big Buck Bunny")
    assert german["overview"].startswith("Ein gutmütiger")


@pytest.mark.parametrize(
    "path",
    [
        "/movie/1",
        "/tv/10378",
        "/person/1",
        "/tv/900001/season/9",
        "/tv/1/season/1",
        "/tv/1/episode_groups",
        "/tv/episode_group/ff",
        "/collection/1",
        "/search/x",
        "/",
    ],
)
async def test_what_is_unknown_is_404_in_tmdbs_words(path: str) -> None:
    async with visiting() as (_, client):
        answer = await client.get(path)

    assert (answer.status_code, answer.json()["status_code"]) == (404, 34)


@pytest.mark.parametrize("header", [None, "Bearer wrong", "loopback.metadata.token"])
async def test_nobody_enters_without_the_token(header: str | None) -> None:
    async with serving_metadata() as metadata, httpx2.AsyncClient(trust_env=False) as client:
        headers = {"Authorization": header} if header else {}
        answer = await client.get(f"{metadata.address}/movie/10378", headers=headers)

    assert (answer.status_code, answer.json()["status_code"]) == (401, 7)


async def test_the_key_opens_too() -> None:
    async with serving_metadata() as metadata, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{metadata.address}/movie/10378?api_key={metadata.api_key}")

    assert answer.status_code == 200


async def test_trouble_comes_when_told_and_then_is_over() -> None:
    async with visiting() as (metadata, client):
        metadata.throttle_next(retry_after="7")
        metadata.throttle_next()
        metadata.answer_next(PlainTextResponse("proxy error", 502))
        answers = [await client.get("/movie/10378") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [429, 429, 502, 200]
    assert answers[0].headers["Retry-After"] == "7"
    assert "Retry-After" not in answers[1].headers
    assert [request.url.path for request in metadata.requests] == ["/3/movie/10378"] * 4


async def test_results_come_in_pages() -> None:
    async with serving_metadata(page_size=1) as metadata, httpx2.AsyncClient() as client:
        query = {"query": "sintel", "api_key": metadata.api_key}
        pages = [
            (
                await client.get(f"{metadata.address}/search/multi", params={**query, "page": n})
            ).json()
            for n in ("1", "2", "3")
        ]

    assert [[row["id"] for row in page["results"]] for page in pages] == [[45745], [900002], []]
    assert {page["total_pages"] for page in pages} == {2}
