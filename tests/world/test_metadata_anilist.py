from typing import Any

import httpx2
import pytest

from world.metadata_anilist import LoopbackAnilist, serving_anilist

pytestmark = pytest.mark.anyio


async def put(anilist: LoopbackAnilist, query: str, **variables: object) -> httpx2.Response:
    async with httpx2.AsyncClient(trust_env=False) as client:
        return await client.post(
            anilist.address, json={"query": query, "variables": variables}, follow_redirects=True
        )


def ids(answer: httpx2.Response) -> list[int]:
    body: Any = answer.json()
    return [each["id"] for each in body["data"]["Page"]["media"]]


async def test_a_search_looks_at_every_title_and_keeps_to_the_formats() -> None:
    async with serving_anilist() as anilist:
        series = await put(anilist, "media(search:", search="suisei", formats=["TV"])
        film = await put(anilist, "media(search:", search="紙の彗星", formats=["MOVIE"])

    assert (ids(series), ids(film)) == ([920001, 920002], [920003])


async def test_a_number_is_anilists_or_myanimelists_as_the_question_says() -> None:
    async with serving_anilist() as anilist:
        own = await put(anilist, "media(id: $id)", id=920001)
        mal = await put(anilist, "media(idMal: $id)", id=930001)
        none = await put(anilist, "media(id: $id)", id=930001)

    assert (ids(own), ids(mal), ids(none)) == ([920001], [920001], [])
    assert [question["variables"]["id"] for question in anilist.questions] == [
        920001,
        930001,
        930001,
    ]


async def test_complaints_come_when_told_and_then_are_over() -> None:
    async with serving_anilist() as anilist:
        anilist.complain_next(429, "Too Many Requests.", retry_after="60")
        answers = [await put(anilist, "media(id: $id)", id=920001) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [429, 200]
    assert answers[0].headers["Retry-After"] == "60"
    assert answers[0].json()["errors"][0]["status"] == 429
