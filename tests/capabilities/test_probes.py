"""Every capability that touches the world can look for its effect, in four kinds of world.

A capability without its four worlds here fails: applied, not applied, partly, and one that cannot
tell. They are made with the real client and real folders, and what the probe is given is the
target that the capability itself would have stored.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import svcs
from anyio import Path as AsyncPath

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.kernel.context import Context
from capabilities.kernel.discovery import discovered
from capabilities.kernel.probing import Verdict
from capabilities.kernel.reconcile import found
from capabilities.kernel.spec import Effect, Spec
from capabilities.kernel.targets import Target
from ledger.stores import releases
from tests.left_behind import frozen, place_by_hand
from tests.scene import OWNER, SUBTITLE, VIDEO, Scene, base, scene

__all__ = ["base", "scene"]

pytestmark = pytest.mark.anyio

ACTING = {spec.id: spec for spec in discovered() if spec.effect is Effect.WORLD}


@dataclass(frozen=True)
class Staged:
    """A world that is set up: what was aimed at, and the parts to look with."""

    target: Target
    parts: svcs.Container


Make = Callable[[Scene, Path], AbstractAsyncContextManager[Staged]]


@dataclass(frozen=True)
class World:
    """One world of a capability; ``says`` is the verdict, where it is not the world's own name.

    ``why`` is needed then.
    """

    make: Make
    says: Verdict | None = None
    why: str = ""


async def target(scene: Scene, capability: str, **arguments: object) -> Target:
    """What the capability stores with its claim."""
    spec = ACTING[capability]
    assert spec.target is not None
    context = Context(OWNER, scene.ledger, scene.parts, "request", "call")
    return await spec.target(spec.given.model_validate(arguments), context)


async def to_submit(scene: Scene) -> Target:
    drafted = await scene.drafted(by=OWNER)
    return await target(scene, "download.submit", plan=await scene.id_of(drafted["plan"], OWNER))


async def planned(scene: Scene, aim: Target) -> bytes:
    """The torrent file of the plan that was aimed at."""
    release = (await scene.plan(str(aim.facts["plan"]))).payload["release"]
    raw = await scene.read(lambda conn: releases.torrent(conn, release))
    assert raw is not None
    return raw


@asynccontextmanager
async def with_the_client(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
    aim = await to_submit(scene)
    await scene.client.add(AddRequest(await planned(scene, aim), scene.folders.downloads))
    await scene.until_complete(str(aim.facts["info_hash"]))
    yield Staged(aim, scene.parts)


@asynccontextmanager
async def with_nobody(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
    yield Staged(await to_submit(scene), scene.parts)


@asynccontextmanager
async def with_bytes_missing(scene: Scene, folder: Path) -> AsyncGenerator[Staged]:
    aim = await to_submit(scene)
    async with open_embedded(folder / "state", folder / "data", LoopbackProfile()) as alone:
        await alone.add(AddRequest(await planned(scene, aim), folder / "data"))
        yield Staged(aim, scene.having(Downloaders((alone,), alone.name)).parts)


@asynccontextmanager
async def with_a_client_that_is_gone(scene: Scene, folder: Path) -> AsyncGenerator[Staged]:
    aim = await to_submit(scene)
    async with open_embedded(
        folder / "state", folder / "data", LoopbackProfile(), name="gone"
    ) as gone:
        clients: tuple[EmbeddedDownloader, ...] = (scene.client, gone)
    yield Staged(aim, scene.having(Downloaders(clients, gone.name)).parts)


async def to_place(scene: Scene) -> Target:
    return await target(scene, "organize.execute", plan=(await frozen(scene)).id)


def placing(*placed: tuple[str, str]) -> Make:
    """A library in which these targets stand, each with the ending of its source."""

    @asynccontextmanager
    async def make(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
        aim = await to_place(scene)
        for name, suffix in placed:
            place_by_hand(scene, name, suffix)
        yield Staged(aim, scene.parts)

    return make


@asynccontextmanager
async def with_the_library_away(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
    aim = await to_place(scene)
    away = scene.folders.films.rename(scene.folders.films.with_name("away"))
    yield Staged(aim, scene.parts)
    away.rename(scene.folders.films)


async def to_remove(scene: Scene) -> Target:
    row = await scene.arrived()
    return await target(scene, "download.remove", download=row.id, delete_data=True)


def removing(*, let_go: bool, gone: int) -> Make:
    """A world in which the client let it go, or not, and the first listed files are gone."""

    @asynccontextmanager
    async def make(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
        aim = await to_remove(scene)
        if let_go:
            await scene.client.remove(str(aim.facts["info_hash"]), delete_data=False)
        for file in aim.facts["files"][:gone]:
            (scene.folders.downloads / file["path"]).unlink()
        yield Staged(aim, scene.parts)

    return make


@asynccontextmanager
async def with_its_hold_let_go(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
    aim = await to_recheck(scene)
    yield Staged(replace(aim, facts={**aim.facts, "before": "missing_files"}), scene.parts)


async def to_recheck(scene: Scene) -> Target:
    row = await scene.arrived()
    return await target(scene, "download.recheck", download=row.id)


@asynccontextmanager
async def with_a_check_that_left_no_trace(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
    yield Staged(await to_recheck(scene), scene.parts)


@asynccontextmanager
async def with_nothing_to_check(scene: Scene, _: Path) -> AsyncGenerator[Staged]:
    aim = await to_recheck(scene)
    await scene.client.remove(str(aim.facts["info_hash"]), delete_data=True)
    yield Staged(aim, scene.parts)


def with_its_client_gone(to_act: Callable[[Scene], Awaitable[Target]]) -> Make:
    """A world in which the client that has it does not answer any more."""

    @asynccontextmanager
    async def make(scene: Scene, folder: Path) -> AsyncGenerator[Staged]:
        aim = await to_act(scene)
        profile = LoopbackProfile()
        async with open_embedded(folder / "state", folder, profile, name="gone") as gone:
            clients = Downloaders((gone,), gone.name)
        yield Staged(aim, scene.having(clients).parts)

    return make


WORLDS: dict[str, dict[Verdict, World]] = {
    "download.recheck": {
        Verdict.APPLIED: World(with_its_hold_let_go),
        Verdict.NOT_APPLIED: World(with_nothing_to_check),
        Verdict.PARTLY: World(with_a_check_that_left_no_trace),
        Verdict.CANNOT_TELL: World(with_its_client_gone(to_recheck)),
    },
    "download.remove": {
        Verdict.APPLIED: World(removing(let_go=True, gone=2)),
        Verdict.NOT_APPLIED: World(removing(let_go=False, gone=0)),
        Verdict.PARTLY: World(removing(let_go=True, gone=1)),
        Verdict.CANNOT_TELL: World(with_its_client_gone(to_remove)),
    },
    "download.submit": {
        Verdict.APPLIED: World(with_the_client),
        Verdict.NOT_APPLIED: World(with_nobody),
        Verdict.PARTLY: World(
            with_bytes_missing,
            Verdict.APPLIED,
            "adding is one act of the client: a torrent that lacks bytes was added all the same",
        ),
        Verdict.CANNOT_TELL: World(with_a_client_that_is_gone),
    },
    "organize.execute": {
        Verdict.APPLIED: World(placing((VIDEO, ".mkv"), (SUBTITLE, ".en.srt"))),
        Verdict.NOT_APPLIED: World(placing()),
        Verdict.PARTLY: World(placing((SUBTITLE, ".en.srt"))),
        Verdict.CANNOT_TELL: World(with_the_library_away),
    },
}


def test_every_capability_that_touches_the_world_has_its_four_worlds() -> None:
    assert set(WORLDS) == set(ACTING)
    for worlds in WORLDS.values():
        assert set(worlds) == set(Verdict)
        assert all(world.why for world in worlds.values() if world.says is not None)
        assert {each.says or name for name, each in worlds.items()} >= {
            Verdict.APPLIED,
            Verdict.NOT_APPLIED,
            Verdict.CANNOT_TELL,
        }


def test_every_execute_has_a_target_and_every_act_in_the_world_its_adoption() -> None:
    for spec in ACTING.values():
        assert None not in {spec.target, spec.probe, spec.adopt}


CASES = [(ACTING[id_], name, world) for id_ in WORLDS for name, world in WORLDS[id_].items()]


@pytest.mark.parametrize(
    ("spec", "name", "world"), CASES, ids=[f"{spec.id}-{name}" for spec, name, _ in CASES]
)
async def test_a_probe_tells_what_the_world_is_like_and_changes_nothing(
    scene: Scene, tmp_path: Path, spec: Spec, name: Verdict, world: World
) -> None:
    async with world.make(scene, tmp_path) as staged:
        before = await seen(scene)
        finding = await found(spec, staged.target, staged.parts)
        again = await found(spec, staged.target, staged.parts)
        assert await seen(scene) == before
    assert finding.verdict is (world.says or name), finding
    assert again.verdict is finding.verdict
    evidence = json.dumps(dict(finding.evidence))
    assert str(scene.base.folder) not in evidence
    assert evidence != "{}"


async def test_a_target_is_the_same_after_it_was_stored(scene: Scene) -> None:
    for aim in (await to_submit(scene), await to_place(scene)):
        stored = json.loads(json.dumps(aim.stored()))
        assert stored["facts"] == dict(aim.facts)


async def seen(scene: Scene) -> tuple[list[str], list[str], list[str]]:
    """Everything that a probe must leave as it is."""
    torrents = [transfer.hashes.key for transfer in await scene.client.transfers()]
    downloads = AsyncPath(scene.folders.downloads)
    files = sorted([str(each) async for each in downloads.rglob("*")])
    shelf = scene.on_shelf() if scene.folders.films.exists() else []
    return torrents, files, shelf
