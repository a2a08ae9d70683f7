import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.download.drafting import Known
from capabilities.download.grounds import Grounds, grounds
from capabilities.kernel.faults import DeclinedError
from capabilities.kernel.outcomes import HaltError
from ledger.stores import blocklist
from ledger.stores.blocklist import NewBlock
from tests.capabilities.download.known import context, known
from tests.capabilities.release.signal_hill import ended, hill, on_offer, searched
from tests.scene import OWNER, Scene


async def found(house: Scene) -> Known:
    """The first offer of the series, identified."""
    release = (await searched(house))["candidates"][0]["release"]
    assert (await house.answer("identity.resolve", release=release))["accepted"]
    return await known(house, release)


def episodes(of: Grounds) -> dict[int, int]:
    """How many episodes are known of each season."""
    return {season.number: len(season.episodes) for season in of.work.seasons}


@pytest.mark.anyio
async def test_the_latest_seasons_and_those_that_the_name_says_have_their_episodes(
    scene: Scene,
) -> None:
    async with hill(scene, ended(2, 3, 4, 5), on_offer(scene, "S01E01", episode=1)) as house:
        release = await found(house)
        assert not any(season.episodes for season in release.work.seasons)
        of = await grounds(release, context(house))
    assert episodes(of) == {1: 2, 2: 0, 3: 4, 4: 5}
    assert of.orders == {}


@pytest.mark.anyio
async def test_what_is_blocked_for_the_work_is_around_it(scene: Scene) -> None:
    release = await known(scene)
    for work in (release.work_id, "work_of_nobody"):
        block = NewBlock(f"for {work}", work=work, title="A.Title")
        await scene.write(
            lambda tx, block=block: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada")
        )
    of = await grounds(release, context(scene))
    assert [one.reason for one in of.around.blocked] == [f"for {release.work_id}"]


@pytest.mark.anyio
async def test_a_silent_source_stops_everybody_but_the_owner(scene: Scene) -> None:
    async with hill(scene, ended(2), on_offer(scene, "S01E01", episode=1)) as house:
        release = await found(house)
    silent = house.having(Catalogue([]))
    with pytest.raises(DeclinedError):
        await grounds(release, context(silent))
    assert (await grounds(release, context(silent, OWNER))).work == release.work
    bare = scene.having(without=[Catalogue])
    with pytest.raises(HaltError, match="No metadata source is configured"):
        await grounds(release, context(bare))
    assert (await grounds(release, context(bare, OWNER))).work == release.work


@pytest.mark.anyio
async def test_a_film_needs_no_source(scene: Scene) -> None:
    release = await known(scene)
    bare = scene.having(without=[Catalogue])
    of = await grounds(release, context(bare))
    assert of.work == release.work
