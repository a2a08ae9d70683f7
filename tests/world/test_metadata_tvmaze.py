from typing import Any

import httpx2
import pytest
from starlette.responses import PlainTextResponse

from world.metadata_tvmaze import serving_tvmaze

pytestmark = pytest.mark.anyio


async def ask(path: str, status: int = 200) -> Any:
    async with serving_tvmaze() as tvmaze, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{tvmaze.address}{path}", follow_redirects=True)
    assert answer.status_code == status
    return answer.json()


@pytest.mark.parametrize(
    ("query", "ids"), [("lantern", [910001]), ("灯笼", [910001]), ("no such", []), ("", [])]
)
async def test_a_query_finds_shows_by_any_title(query: str, ids: list[int]) -> None:
    assert [hit["show"]["id"] for hit in await ask(f"/search/shows?q={query}")] == ids


@pytest.mark.parametrize("query", ["thetvdb=990001", "imdb=tt99000001"])
async def test_a_lookup_leads_to_the_show(query: str) -> None:
    assert (await ask(f"/lookup/shows?{query}"))["id"] == 910001


async def test_a_lookup_of_nothing_is_404_and_null() -> None:
    assert await ask("/lookup/shows?imdb=tt1", 404) is None


async def test_only_what_is_asked_for_is_embedded() -> None:
    plain = await ask("/shows/910001")
    show = await ask("/shows/910001?embed[]=akas")
    assert "_embedded" not in plain
    assert list(show["_embedded"]) == ["akas"]


async def test_a_special_has_no_number() -> None:
    episodes = await ask("/shows/910001/episodes")
    assert [each["number"] for each in episodes] == [1, 2, 3, None, 1, 2]


@pytest.mark.parametrize("path", ["/shows/1", "/shows/1/episodes"])
async def test_what_is_unknown_is_404_in_tvmazes_words(path: str) -> None:
    assert (await ask(path, 404))["status"] == 404


async def test_trouble_comes_when_told_and_then_is_over() -> None:
    async with serving_tvmaze() as tvmaze, httpx2.AsyncClient(trust_env=False) as client:
        tvmaze.answer_next(PlainTextResponse("down", 503))
        answers = [await client.get(f"{tvmaze.address}/shows/910001") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [503, 200]
    assert len(tvmaze.requests) == 2
