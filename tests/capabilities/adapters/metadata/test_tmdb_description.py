"""TMDB's client against a server that nobody here wrote: Prism, serving TMDB's own OpenAPI file.

Prism refuses a request that the description does not allow, and answers with its real examples.
"""

import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from datetime import date
from typing import Any, TypeVar

import httpx2
import pytest

from capabilities.adapters.metadata.answer_cache import Topic
from capabilities.adapters.metadata.outside_answer import OutsideAnswer
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.metadata.tmdb_answers import (
    AlternativeTitles,
    ExternalIds,
    Translations,
)
from capabilities.adapters.metadata.tmdb_api import TmdbApi
from capabilities.adapters.outbound import Outbound
from capabilities.rules.episode_orders import OrderKind
from capabilities.rules.works import CollectionRef, WorkKey, WorkKind
from tests.capabilities.adapters.prism import serving

pytestmark = [pytest.mark.anyio, pytest.mark.proof]

TOKEN = "any.access.token"
A = TypeVar("A", bound=OutsideAnswer)

STAR_WARS = WorkKey("tmdb", WorkKind.FILM, "11")
THRONES = WorkKey("tmdb", WorkKind.SERIES, "1399")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with serving("tmdb.json", tmp_path_factory.mktemp("prism"), with_examples) as base:
        yield f"{base}/3"


def with_examples(description: str) -> Any:
    """The description; its examples are JSON within strings, which Prism would serve as strings."""

    def mended(node: dict[str, Any]) -> dict[str, Any]:
        value = node.get("value")
        if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
            return {**node, "value": json.loads(value)}
        return node

    return json.loads(description, object_hook=mended)


@asynccontextmanager
async def looking(address: str) -> AsyncGenerator[Tmdb]:
    async with Outbound(version="0") as out:
        yield Tmdb(out, TOKEN, address=address)


async def test_the_server_is_strict_about_what_it_is_asked(address: str) -> None:
    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"{address}/movie/11")).status_code == 401
        headers = {"Authorization": f"Bearer {TOKEN}"}
        assert (await client.get(f"{address}/search/tv", headers=headers)).status_code == 422


@pytest.mark.parametrize(
    ("kind", "kinds", "first"),
    [
        (None, set(WorkKind), ("tmdb:film:11", "Star Wars", 1977)),
        (WorkKind.FILM, {WorkKind.FILM}, ("tmdb:film:550", "Fight Club", 1999)),
        (WorkKind.SERIES, {WorkKind.SERIES}, ("tmdb:series:1396", "Breaking Bad", 2008)),
    ],
)
async def test_its_searches_are_read(
    address: str, kind: WorkKind | None, kinds: set[WorkKind], first: tuple[str, str, int]
) -> None:
    async with looking(address) as tmdb:
        found = await tmdb.search("anything", kind=kind, limit=10)

    assert {work.key.kind for work in found} == kinds
    assert (str(found[0].key), found[0].title, found[0].year) == first


async def test_its_film_is_read_with_its_collection(address: str) -> None:
    async with looking(address) as tmdb:
        film = await tmdb.work(STAR_WARS)

    assert film is not None
    assert (film.title, film.year, film.runtime_minutes) == ("Star Wars", 1977, 121)
    assert film.collection == CollectionRef("tmdb", "10", "Star Wars Collection")


async def test_its_series_is_read_with_its_seasons_and_episodes(address: str) -> None:
    async with looking(address) as tmdb:
        series = await tmdb.work(THRONES)
        season = await tmdb.season(THRONES, 1)

    assert series is not None
    assert (series.title, series.year) == ("Game of Thrones", 2011)
    assert [s.number for s in series.seasons][:2] == [0, 1]
    assert season is not None
    assert (season.number, season.year, season.episode_count) == (1, 2011, 10)
    assert season.episodes[0].title == "Winter Is Coming"
    assert season.episodes[0].air_date == date(2011, 4, 17)


async def test_its_collection_is_read(address: str) -> None:
    async with looking(address) as tmdb:
        collection = await tmdb.collection(CollectionRef("tmdb", "10", ""))

    assert collection is not None
    assert collection.ref.title == "Star Wars Collection"
    assert (collection.films[0].title, collection.films[0].year) == ("Star Wars", 1977)


async def test_its_episode_groups_are_read(address: str) -> None:
    async with looking(address) as tmdb:
        (order,) = await tmdb.orders(THRONES)

    assert order.kind in OrderKind
    assert len(order.groups) == 6
    assert sum(len(group.places) for group in order.groups) > 0


@pytest.mark.parametrize("ids", [{"imdb": "tt1234567"}, {"tvdb": "1234"}])
async def test_its_find_is_read(address: str, ids: dict[str, str]) -> None:
    async with looking(address) as tmdb:
        found = await tmdb.find(ids)

    assert [(str(work.key), work.title) for work in found] == [("tmdb:film:934433", "Scream VI")]


async def asked(address: str, path: str, shape: type[A]) -> A:
    async with Outbound(version="0") as out:
        api = TmdbApi(out, TOKEN, address=address, language="en-US")
        answer = await api.ask(path, {}, shape, Topic.WORK)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/movie/11/alternative_titles", "Boytsovskiy klub"),
        ("/tv/1399/alternative_titles", "El Juego de Tronos"),
    ],
)
async def test_its_alternative_titles_are_read(address: str, path: str, title: str) -> None:
    answer = await asked(address, path, AlternativeTitles)
    assert title in [each.title for each in answer.titles]


@pytest.mark.parametrize(
    ("path", "title"),
    [("/movie/11/translations", None), ("/tv/1399/translations", "صراع العروش")],
)
async def test_its_translations_are_read(address: str, path: str, title: str | None) -> None:
    first, *others = (await asked(address, path, Translations)).translations
    assert (first.iso_639_1, first.iso_3166_1, first.data.title) == ("ar", "SA", title)
    assert len(others) > 10


@pytest.mark.parametrize(
    ("path", "ids"),
    [
        ("/movie/11/external_ids", ExternalIds(imdb_id="tt0137523")),
        ("/tv/1399/external_ids", ExternalIds(imdb_id="tt0944947", tvdb_id=121361)),
    ],
)
async def test_its_numbers_elsewhere_are_read(address: str, path: str, ids: ExternalIds) -> None:
    assert await asked(address, path, ExternalIds) == ids
