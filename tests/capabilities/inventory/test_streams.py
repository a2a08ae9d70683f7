import pytest

from capabilities.inventory.stream_words import UNREADABLE
from capabilities.inventory.streams import NO_VIDEO, read_streams
from ledger.stores import assets
from ledger.stores.shelf import AssetRow
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene
from world.samples import Sample, original

pytestmark = pytest.mark.anyio


async def held(scene: Scene) -> dict[str, AssetRow]:
    found = await scene.read(lambda conn: assets.below(conn, str(scene.folders.series)))
    return {path.removeprefix(f"{scene.folders.series}/"): row for path, row in found.items()}


async def test_streams_are_read_once_with_their_time(scene: Scene) -> None:
    series, pilot = scene.folders.series, episode(1, "S01E01")
    put(series, pilot)
    (series / pilot).write_bytes(original(Sample.FILM_1080P).read_bytes())
    await adopted(scene, series)
    assert (await held(scene))[pilot].probed_at is None
    assert await read_streams(scene.ledger, is_late=lambda: False) == 1
    row = (await held(scene))[pilot]
    assert (row.streams["width"], row.streams["video_codec"]) == (1920, "AVC")
    assert row.streams["dynamic_range"] == ["sdr"]
    assert row.probed_at is not None
    assert await read_streams(scene.ledger, is_late=lambda: False) == 0


async def test_a_file_that_is_no_video_is_told_of_as_that(scene: Scene) -> None:
    put(scene.folders.series, episode(1, "S01E01"))
    await adopted(scene, scene.folders.series)
    assert await read_streams(scene.ledger, is_late=lambda: False) == 1
    assert (await held(scene))[episode(1, "S01E01")].streams == {UNREADABLE: NO_VIDEO}


async def test_a_file_that_is_away_stays_to_be_read(scene: Scene) -> None:
    put(scene.folders.series, episode(1, "S01E01"))
    await adopted(scene, scene.folders.series)
    disk = scene.folders.series.rename(scene.folders.series.with_name("off"))
    assert await read_streams(scene.ledger, is_late=lambda: False) == 0
    disk.rename(scene.folders.series)
    assert await read_streams(scene.ledger, is_late=lambda: False) == 1
    assert (await held(scene))[episode(1, "S01E01")].probed_at is not None


async def test_nothing_is_read_when_it_is_late(scene: Scene) -> None:
    put(scene.folders.series, episode(1, "S01E01"))
    await adopted(scene, scene.folders.series)
    assert await read_streams(scene.ledger, is_late=lambda: True) == 0
