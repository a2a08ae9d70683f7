from pathlib import Path

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import NotAsked
from capabilities.adapters.metadata.name_reading import Read, read
from capabilities.identity.pack_files import pack_files
from capabilities.kernel.context import Context
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.identity_policy import IdentityPolicy
from ledger.stores import releases
from tests.capabilities.release.test_file_identity import pack
from tests.scene import KEY, Scene
from tests.stage_set import catalogue_of

POLICY = IdentityPolicy()
NAMES = ("Lantern.Street.S01E01.mkv", "Big.Buck.Bunny.2008.mkv", "Sintel.mkv")


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


async def held(scene: Scene) -> Read:
    return await read("Mix-OPEN", {}, [], POLICY, context(scene).part(Catalogue, "source"))


async def kept(scene: Scene, raw: bytes) -> str:
    id_ = await scene.id_of(await scene.release())
    await scene.write(lambda tx: releases.keep_torrent(tx, id_, raw, "ab" * 20))
    return id_


@pytest.mark.anyio
async def test_the_files_of_a_torrent_that_was_seen_are_identified(
    scene: Scene, tmp_path: Path
) -> None:
    release = await kept(scene, await pack(tmp_path / "Mix", *NAMES))
    files = await pack_files(release, {}, await held(scene), POLICY, context(scene))
    works = {each.file.path.rpartition("/")[2]: each.file.identity.work for each in files}
    assert {name: None if work is None else str(work.key) for name, work in works.items()} == {
        "Lantern.Street.S01E01.mkv": "tmdb:series:900001",
        "Big.Buck.Bunny.2008.mkv": "tmdb:film:10378",
        "Sintel.mkv": None,
    }


@pytest.mark.anyio
async def test_nothing_is_known_of_a_torrent_that_nobody_has_seen(scene: Scene) -> None:
    release = await scene.id_of(await scene.release())
    assert await pack_files(release, {}, await held(scene), POLICY, context(scene)) == []


@pytest.mark.anyio
async def test_titles_that_are_not_answered_for_in_time_leave_it_open(
    scene: Scene, tmp_path: Path
) -> None:
    release = await kept(scene, await pack(tmp_path / "Mix", *NAMES))
    name = await held(scene)
    fresh = scene.having(catalogue_of(scene.base))
    with pytest.raises(UnreachableError, match="did not answer in time for the titles of 3 of"):
        await pack_files(release, {}, name, POLICY, context(fresh), seconds=0)


@pytest.mark.anyio
async def test_titles_past_the_end_are_told_and_hold_nothing_up(
    scene: Scene, tmp_path: Path
) -> None:
    names = [f"Nothing.Like.{'x' * number}.mkv" for number in range(1, 20)]
    release = await kept(scene, await pack(tmp_path / "Mix", *names))
    files = await pack_files(release, {}, await held(scene), POLICY, context(scene))
    assert {each.not_asked for each in files} == {None, NotAsked.MANY}
