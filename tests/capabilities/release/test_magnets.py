from collections.abc import AsyncGenerator
from pathlib import Path
from urllib.parse import quote

import libtorrent as lt
import pytest
import sqlalchemy as sa

from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from ledger.stores import releases, runs
from ledger.tables.media import release
from ledger.writer import Transaction
from tests.capabilities.adapters.downloader.rig import embedded
from tests.scene import KEY, OWNER, Scene, run_of
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

UNKNOWN = f"magnet:?xt=urn:btih:{'ab' * 20}&dn={RELEASE}"
HASTY = Timing(look_every_s=0.05, metadata_s=0.5)
AGENT = run_of("run_1")


@pytest.fixture
async def hasty(scene: Scene, tmp_path: Path) -> AsyncGenerator[Scene]:
    """The house with a client that does not wait long for what nobody has."""
    async with embedded(tmp_path, HASTY) as client:
        yield scene.having(Downloaders((client,), client.name))


def magnet_of(scene: Scene) -> str:
    """What somebody passes on of the release that is really there."""
    (announce,) = lt.load_torrent_buffer(scene.stage.seed.torrent_bytes).trackers
    return f"{scene.stage.seed.magnet}&tr={quote(announce)}&dn=Something.Else.1999"


async def begun(scene: Scene, goal: str, *, by: str = "owner:ada") -> None:
    """A run with this goal is on its way."""

    def write(tx: Transaction) -> None:
        runs.add(
            tx,
            id_=AGENT.id,
            goal=goal,
            actor=by,
            principal=by,
            trigger="user",
            options={},
            at=scene.ledger.now(),
        )

    await scene.write(write)


async def kept(scene: Scene) -> bytes | None:
    return await scene.read(lambda conn: releases.torrent_named(conn, str(scene.stage.seed.v1)))


@pytest.mark.anyio
async def test_a_magnet_in_the_owners_goal_goes_the_same_way_as_any_release(scene: Scene) -> None:
    magnet = magnet_of(scene)
    await begun(scene, f"Get this one home: {magnet}")
    seen = await scene.answer("release.inspect", AGENT, magnet=magnet)
    assert (seen["title"], seen["hash_v1"]) == (RELEASE, scene.stage.seed.v1)
    assert len(seen["files"]) == 2
    assert await scene.base.client.transfers() == []
    assert (await scene.answer("identity.resolve", AGENT, release=seen["release"]))["accepted"]
    draft = await scene.answer("download.plan", AGENT, release=seen["release"])
    assert set(draft["files"]) == {file["path"] for file in seen["files"]}
    await scene.approved("download.submit", AGENT, plan=draft["plan"])
    submitted = await scene.answer("download.submit", AGENT, plan=draft["plan"])
    assert (submitted["title"], submitted["adopted"]) == (RELEASE, False)
    await scene.until_complete(str(scene.stage.seed.v1))
    assert len(await scene.base.client.transfers()) == 1


@pytest.mark.anyio
async def test_what_peers_sent_is_kept_and_nobody_is_asked_again(
    scene: Scene, hasty: Scene
) -> None:
    seen = await scene.answer("release.inspect", OWNER, magnet=magnet_of(scene))
    again = await hasty.answer("release.inspect", OWNER, magnet=str(scene.stage.seed.v1))
    assert again == seen
    assert (await hasty.answer("release.inspect", OWNER, release=seen["release"])) == seen


@pytest.mark.anyio
async def test_an_indexers_magnet_can_be_planned_once_it_was_looked_into(scene: Scene) -> None:
    offer = Offer(RELEASE, GB, magnet=magnet_of(scene), tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        found = await offered.identified()
        refused = await offered.refusal(Code.PRECONDITION, "download.plan", release=found)
        assert "release__inspect" in str(refused.needs)
        await offered.answer("release.inspect", release=found)
        draft = await offered.answer("download.plan", release=found)
    assert len(draft["files"]) == 2


@pytest.mark.anyio
async def test_when_nobody_sends_the_metadata_it_says_what_to_do_and_keeps_nothing(
    hasty: Scene,
) -> None:
    failed = await hasty.failure(Code.TIMEOUT, "release.inspect", OWNER, magnet=UNKNOWN)
    assert failed.retry
    assert "within 0.5 s" in failed.sentence
    assert "give the torrent file instead" in str(failed.hint)
    count = sa.select(sa.func.count()).select_from(release)
    assert await hasty.read(lambda conn: conn.execute(count).scalar()) == 0


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, AGENT], ids=str)
async def test_addresses_in_a_magnet_are_not_followed_on_a_models_word(
    hasty: Scene, by: Actor
) -> None:
    await begun(hasty, "Get Sintel home")
    failed = await hasty.failure(Code.TIMEOUT, "release.inspect", by, magnet=magnet_of(hasty))
    assert "Only its hash was used" in str(failed.hint)
    assert await kept(hasty) is None


@pytest.mark.anyio
async def test_the_goal_of_a_client_is_not_the_owners_word(hasty: Scene) -> None:
    magnet = magnet_of(hasty)
    await begun(hasty, f"Get {magnet}", by="key:laptop")
    await hasty.failure(Code.TIMEOUT, "release.inspect", AGENT, magnet=magnet)
    assert await kept(hasty) is None


@pytest.mark.anyio
async def test_where_another_process_runs_the_client_it_says_so(scene: Scene) -> None:
    client = InOnePlace("embedded", "embedded", lambda: pytest.fail("it is not opened"))
    client.runs_elsewhere("that is box-1 on box")
    away = scene.having(Downloaders((client,), client.name))
    failed = await away.failure(Code.UNAVAILABLE, "release.inspect", OWNER, magnet=UNKNOWN)
    assert "that is box-1 on box" in failed.sentence
    assert "ask there" in str(failed.hint)
