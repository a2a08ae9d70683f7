import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.orders_needed import orders_needed
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.episode_orders import EpisodeOrder, OrderKind
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.owned_names import Orders
from capabilities.rules.works import Work, WorkKey, WorkKind
from tests.capabilities.adapters.metadata.sources import tmdb
from tests.capabilities.rules.shelf import PIONEER, SINTEL
from world.metadata import LoopbackMetadata
from world.metadata_parts import (
    GroupedEpisode,
    KnownEpisode,
    KnownGroup,
    KnownOrder,
    KnownSeason,
)
from world.metadata_works import KnownSeries

NOBODY = Catalogue([])
ABSOLUTE = "[OPEN] Pioneer One - 04 [1080p]"


async def asked(*titles: str, work: Work = PIONEER, offsets: tuple[str, ...] = ()) -> Orders:
    """What comes of asking nobody; it raises where the source would be asked."""
    policy = IdentityPolicy(offsets=tuple(offset_from(line) for line in offsets))
    return await orders_needed(map(parse, titles), work, policy, NOBODY)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "titles",
    [
        pytest.param((), id="no offers"),
        pytest.param(("Pioneer.One.S01E02.1080p", "Pioneer.One.S02.1080p"), id="seasons"),
        pytest.param(("Pioneer.One.1080p",), id="no numbers"),
    ],
)
async def test_no_source_is_asked_where_every_name_says_its_season(titles: tuple[str, ...]) -> None:
    assert await asked(*titles) == {}


@pytest.mark.anyio
async def test_no_source_is_asked_for_a_film_or_where_the_owner_has_said_it() -> None:
    assert await asked(ABSOLUTE, work=SINTEL) == {}
    assert await asked(ABSOLUTE, offsets=("tmdb:series:4711 4-5 = S02E01",)) == {}


@pytest.mark.anyio
@pytest.mark.parametrize("title", [ABSOLUTE, "Pioneer.One.S03E01.1080p"])
async def test_a_number_that_stands_nowhere_needs_the_source(title: str) -> None:
    with pytest.raises(DeclinedError):
        await asked("Pioneer.One.S01E02.1080p", title)


@pytest.mark.anyio
async def test_the_orders_are_those_of_the_source() -> None:
    episodes = (
        KnownEpisode(episode_number=1, name="Home", air_date="2013-01-01", runtime=40),
        KnownEpisode(episode_number=2, name="Away", air_date="2013-01-08", runtime=40),
    )
    run = tuple(GroupedEpisode(season_number=1, episode_number=number) for number in (2, 1))
    group = KnownGroup(name="All", order=1, episodes=run)
    known = KnownSeries(
        id=900_702,
        imdb_id="tt99000702",
        tvdb_id=990_702,
        title="Pioneer One",
        original_title="Pioneer One",
        original_language="en",
        date="2013-01-01",
        popularity=5.0,
        overview="",
        alternative_titles=(),
        translations=(),
        episode_run_time=(40,),
        seasons=(KnownSeason(season_number=1, name="One", air_date="", episodes=episodes),),
        episode_groups=(KnownOrder(id="b1", name="Told", type=2, groups=(group,)),),
    )
    async with tmdb() as met:
        assert isinstance(met.double, LoopbackMetadata)
        met.double.know(known)
        told = Catalogue([met.source])
        key = WorkKey("tmdb", WorkKind.SERIES, "900702")
        (work,) = (await told.work(key)).works
        names = [parse("Pioneer.One.S04E01.1080p"), parse("Pioneer.One.S04E02.1080p")]
        orders = await orders_needed(names, work, IdentityPolicy(), told)
    ((asked_for, (order,)),) = orders.items()
    assert asked_for == key
    assert isinstance(order, EpisodeOrder)
    assert (order.kind, order.title) == (OrderKind.ABSOLUTE, "Told")
    assert [(one.season, one.episode) for one in order.groups[0].places] == [(1, 2), (1, 1)]
