import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import (
    NotSeen,
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
from capabilities.adapters.media_server.together import (
    FIRST_S,
    FORGOTTEN_S,
    LONGEST_S,
    AskedTogether,
)
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.adapters.media_server.bench import at_work

pytestmark = pytest.mark.anyio

IMPORTS = 6
AWAY = UnreachableError("the media server", "It is away.")


@dataclass
class Den:
    """A server that shows some files; keeps what it was asked, and how many ask at once."""

    shows: set[str] = field(default_factory=set[str])
    asked: list[list[str]] = field(default_factory=list[list[str]])
    told: list[str] = field(default_factory=list[str])
    away: bool = False
    at_once: int = 0
    most_at_once: int = 0
    name: str = "den"
    kind: ServerKind = ServerKind.JELLYFIN

    async def health(self) -> ServerHealth:
        return ServerHealth(reachable=True, version="1")

    async def libraries(self) -> list[ServerLibrary]:
        return []

    async def refresh(self, paths: Sequence[str]) -> None:
        self.told += paths

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.append(sorted(paths))
        await anyio.lowlevel.checkpoint()
        self.at_once -= 1
        if self.away:
            raise AWAY
        return {path: Seen(path, path) if path in self.shows else NotSeen() for path in paths}


@dataclass
class Rig:
    den: Den = field(default_factory=Den)
    time: float = 0.0

    def __post_init__(self) -> None:
        self.server = AskedTogether(self.den, now=lambda: self.time)

    async def sight(self, path: str) -> Sight:
        return (await self.server.seen([path]))[path]


async def test_all_who_wait_are_answered_by_one_look_at_a_time() -> None:
    rig = Rig()
    rig.den.shows = {"7"}
    sights: dict[str, Sight] = {}

    async def ask(path: str) -> None:
        sights[path] = await rig.sight(path)

    async with anyio.create_task_group() as asking:
        for number in range(50):
            asking.start_soon(ask, str(number))

    assert len(sights) == 50
    assert [path for path, sight in sights.items() if isinstance(sight, Seen)] == ["7"]
    assert rig.den.most_at_once == 1
    assert len(rig.den.asked) == 1


async def test_one_who_asks_soon_after_is_told_what_is_known_already() -> None:
    rig = Rig()
    await rig.sight("a")
    rig.time += FIRST_S - 1
    assert await rig.sight("a") == NotSeen()
    rig.time += 1
    await rig.sight("a")

    assert rig.den.asked == [["a"], ["a"]]


async def test_a_file_that_is_new_is_asked_for_at_once_and_alone() -> None:
    rig = Rig()
    await rig.sight("a")
    await rig.sight("b")

    assert rig.den.asked == [["a"], ["b"]]


async def test_a_look_that_is_due_asks_for_all_who_wait() -> None:
    rig = Rig()
    await rig.sight("a")
    await rig.sight("b")
    rig.den.shows = {"b"}
    rig.time += FIRST_S
    await rig.sight("a")
    rig.time += FIRST_S - 1

    assert await rig.sight("b") == Seen("b", "b")
    assert rig.den.asked == [["a"], ["b"], ["a", "b"]]


async def test_looks_come_further_apart_and_soon_again_after_news() -> None:
    rig = Rig()
    looks: list[float] = []
    while len(looks) < 7:
        before = len(rig.den.asked)
        await rig.sight("a")
        if len(rig.den.asked) > before:
            looks.append(rig.time)
        rig.time += 1
    pauses = [after - before for before, after in itertools.pairwise(looks)]
    rig.den.shows = {"b"}
    await rig.sight("b")
    rig.time += FIRST_S
    before = len(rig.den.asked)
    await rig.sight("a")

    assert pauses[0] == FIRST_S
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_S
    assert len(rig.den.asked) == before + 1


async def test_a_server_that_is_away_is_not_asked_anew_by_each() -> None:
    rig = Rig()
    rig.den.away = True
    for path in ("a", "b", "c"):
        with pytest.raises(UnreachableError):
            await rig.sight(path)
    rig.den.away = False
    rig.time += LONGEST_S
    await rig.sight("a")

    assert rig.den.asked == [["a"], ["a", "b", "c"]]


async def test_a_server_that_is_away_is_not_told_by_each_either() -> None:
    rig = Rig()
    rig.den.away = True
    with pytest.raises(UnreachableError):
        await rig.sight("a")
    with pytest.raises(UnreachableError):
        await rig.server.refresh(["b"])
    rig.time += LONGEST_S
    await rig.server.refresh(["b"])

    assert rig.den.told == ["b"]


async def test_what_was_seen_or_is_asked_for_no_more_is_forgotten() -> None:
    rig = Rig()
    rig.den.shows = {"b"}
    await rig.server.seen(["a", "b"])
    rig.time += FORGOTTEN_S
    await rig.sight("c")

    assert rig.den.asked == [["a", "b"], ["c"]]


async def test_two_imports_of_one_file_are_both_answered() -> None:
    rig = Rig()
    rig.den.shows = {"a"}
    sights: list[Sight] = []

    async def ask() -> None:
        sights.append(await rig.sight("a"))

    async with anyio.create_task_group() as asking:
        asking.start_soon(ask)
        asking.start_soon(ask)

    assert sights == [Seen("a", "a")] * 2


async def test_all_else_is_the_servers_own() -> None:
    rig = Rig()
    await rig.server.refresh(["a"])

    assert (rig.server.name, rig.server.kind) == ("den", ServerKind.JELLYFIN)
    assert (await rig.server.health()).version == "1"
    assert await rig.server.libraries() == []
    assert rig.den.told == ["a"]


async def test_imports_that_wait_ask_little_of_a_library_of_100_000(tmp_path: Path) -> None:
    """Ten minutes, in which each import looks as often as a verifier does."""
    async with at_work(tmp_path, jellyfin) as bench:
        bench.double.pretends_to_hold(100_000, bench.films)
        server = AskedTogether(bench.server, now=bench.watch.monotonic)
        pauses = {bench.film(f"Film {n} (2010)/Film {n}.mkv"): 5.0 for n in range(IMPORTS)}
        due = dict.fromkeys(pauses, 0.0)
        asked = 0
        while bench.watch.ticks < 600:
            for path in [path for path, at in due.items() if at <= bench.watch.ticks]:
                assert await server.seen([path]) == {path: NotSeen()}
                asked += 1
                due[path] += pauses[path]
                pauses[path] = min(2 * pauses[path], 120.0)
            bench.watch.advance(seconds=5)
        requests = len(bench.double.requests)

    assert asked >= 8 * IMPORTS
    assert requests <= 200  # one in three seconds; at each look all of it would be 500 pages
