import pytest
from starlette.responses import JSONResponse

from capabilities.rules.episode_orders import OrderKind, Place, absolute_numbers
from capabilities.rules.works import WorkKey, WorkKind
from tests.capabilities.adapters.metadata.tmdb_before_its_double import BUNNY, LANTERN, looking

pytestmark = pytest.mark.anyio


async def test_an_absolute_order_leads_from_a_number_to_season_and_episode_and_back() -> None:
    async with looking() as (tmdb, _):
        absolute, on_disc = await tmdb.orders(LANTERN)

    assert (absolute.kind, absolute.title) == (OrderKind.ABSOLUTE, "Absolute Order")
    numbers = absolute_numbers(absolute)
    assert numbers is not None
    assert numbers.place_of(5) == Place(2, 2)
    assert numbers.absolute_of(Place(2, 2)) == 5
    assert on_disc.kind is OrderKind.DVD
    assert on_disc.groups[0].places == (Place(1, 3), Place(1, 1), Place(1, 2))


async def test_what_has_no_other_order_has_none() -> None:
    async with looking() as (tmdb, _):
        assert await tmdb.orders(BUNNY) == []
        assert await tmdb.orders(WorkKey("tmdb", WorkKind.SERIES, "1")) == []


async def test_an_order_that_contradicts_its_list_is_left_out() -> None:
    row = {"id": "ab1", "name": "Odd", "type": 2}
    async with looking() as (tmdb, server):
        server.answer_next(
            JSONResponse({"id": 1, "results": [row, {**row, "type": 40}]}),
            JSONResponse({**row, "type": 12, "groups": []}),
        )
        assert await tmdb.orders(LANTERN) == []

    assert len(server.requests) == 2
