"""Driving children through deaths: from an empty home to what stood there after a recovery."""

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import httpx2
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream, TextSendStream

from capabilities.kernel import fault_points
from ledger.location import SqliteFile, database_file
from ledger.migrate import migrate
from tests.crash.cast import CAST
from tests.crash.child import ANSWER, REPORT
from tests.crash.place import Place, launched_once
from tests.crash.plays import Seen
from tests.crash.zygote import MOMENTS
from tests.postgres import Server
from world.client_double import Arrival, ClientDouble, Tenant, client_double

TOP = Path(__file__).parents[2]
LONGEST_S = 60
KILLED = -signal.SIGKILL
UNSETTLED = frozenset({"running", "unknown"})


@dataclass(frozen=True, slots=True)
class After:
    """A play whose process is gone, and what stood there.

    Attributes:
        status: how it ended; negative for a signal.
        at_death: the world at once after the death.
        tenant: what the double was asked.
        answer: the word it was answered with; empty if it was not.
    """

    play: str
    place: Place
    status: int
    at_death: Seen
    tenant: Tenant
    answer: str = ""

    @property
    def killed(self) -> bool:
        """Whether it died of a signal rather than ended."""
        return self.status == KILLED


@dataclass(frozen=True, slots=True)
class Outcome:
    """A death and its recovery.

    Attributes:
        counted: whether the death fell between the claim and the settlement.
        after_effect: whether it had happened by then.
        acts: how often it had happened in the end.
        left: how the claims ended.
        broken: every promise that did not hold, as ``what: how``.
    """

    counted: bool
    after_effect: bool
    acts: int
    left: str
    broken: tuple[str, ...]


@dataclass(slots=True)
class Zygote:
    """One process that forks children, one at a time."""

    process: Process
    said: TextReceiveStream
    orders: TextSendStream
    rest: str = ""

    async def order(self, **order: object) -> dict[str, Any]:
        """Fork a child; it has furnished its place and waits."""
        await self.orders.send(json.dumps(order) + "\n")
        told = await self.hear()
        if not told["furnished"]:
            raise RuntimeError(f"a child broke before its call: {_log(order)}")
        return told

    async def release(self) -> None:
        """Let a held child go on."""
        await self.orders.send("\n")

    async def hear(self) -> dict[str, Any]:
        """The next thing that it says."""
        with anyio.fail_after(LONGEST_S):
            while "\n" not in self.rest:
                self.rest += await self.said.receive()
        line, _, self.rest = self.rest.partition("\n")
        return json.loads(line)


def _log(order: Mapping[str, object]) -> str:
    return Path(str(order["folder"]), f"{order['act']}.log").read_text(encoding="utf-8")


@dataclass(slots=True)
class Theatre:
    """The double, a template of an empty ledger, and places numbered from one."""

    folder: Path
    double: ClientDouble
    http: httpx2.AsyncClient
    template: bytes = b""
    places: int = 0
    templates: dict[int, str] = field(default_factory=dict[int, str])

    def place(self, *, arrival: Arrival = Arrival.AT_ONCE, busy_ms: int = 2_000) -> Place:
        """An empty home, and a tenant of its own at the double."""
        self.places += 1
        name = str(self.places)
        folder = self.folder / name
        folder.mkdir()
        database_file(folder).write_bytes(self.template)
        self.double.tenants[name] = Tenant(arrival=arrival)
        return Place(folder, f"{self.double.address}/{name}", busy_ms=busy_ms)

    async def shared(self, server: Server) -> Place:
        """The same, with an empty ledger in a database of its own on ``server``."""
        if server.port not in self.templates:
            made = server.create()
            await launched_once(Place(self.folder, "", made.url))
            self.templates[server.port] = made.url.rpartition("/")[2]
        made = server.create(self.templates[server.port])
        return replace(self.place(), database=made.url)

    def tenant(self, place: Place) -> Tenant:
        """What the double knows of a place."""
        return self.double.tenants[place.folder.name]

    async def hears_all(self) -> None:
        """Wait until the double has read what a dead process sent: it reads in turn."""
        for _ in range(2):
            answer = await self.http.get(
                f"{self.double.address}/ping", headers={"Connection": "close"}
            )
            answer.raise_for_status()


def spoken(play: str, place: Place, act: str, **more: object) -> dict[str, object]:
    """An order as a zygote reads it."""
    return {
        "act": act,
        "play": play,
        "folder": str(place.folder),
        "address": place.address,
        "database": place.database,
        "busy_ms": place.busy_ms,
        **more,
    }


@asynccontextmanager
async def theatre(folder: Path) -> AsyncGenerator[Theatre]:
    """Everything that plays share, below ``folder``."""
    async with (
        client_double() as double,
        httpx2.AsyncClient(trust_env=False, verify=False) as http,  # it is loopback HTTP
    ):
        made = Theatre(folder, double, http)
        home = folder / "template"
        home.mkdir()
        await anyio.to_thread.run_sync(migrate, SqliteFile(database_file(home)))
        await launched_once(Place(home, ""))
        made.template = database_file(home).read_bytes()
        yield made


@asynccontextmanager
async def zygote(**environment: str) -> AsyncGenerator[Zygote]:
    """A zygote for the time of the block."""
    inherited = {name: value for name, value in os.environ.items() if "COV" not in name}
    inherited |= {fault_points.VARIABLE: "", **environment}
    process = await anyio.open_process(
        [sys.executable, "-m", "tests.crash.zygote"], cwd=TOP, env=inherited, stderr=None
    )
    async with process:
        if process.stdout is None or process.stdin is None:
            raise RuntimeError("a zygote has no pipes")
        made = Zygote(process, TextReceiveStream(process.stdout), TextSendStream(process.stdin))
        await made.hear()
        try:
            yield made
        finally:
            with anyio.CancelScope(shield=True):
                await process.stdin.aclose()
                await process.wait()


async def moments(theatre: Theatre, forks: Zygote, play: str) -> list[str]:
    """Every named moment that a play passes, in order, as often as it does."""
    place = theatre.place()
    await play_through(theatre, forks, play, place, listed=True)
    return (place.folder / MOMENTS).read_text(encoding="utf-8").split()


async def play_through(
    theatre: Theatre, zygote: Zygote, play: str, place: Place, **order: object
) -> After:
    """Furnish a place and make the call there, up to its end or its death."""
    await zygote.order(**spoken(play, place, "act", furnish=True, **order))
    return await ended(theatre, zygote, play, place)


async def ended(theatre: Theatre, zygote: Zygote, play: str, place: Place) -> After:
    """Wait for the end of a child that makes its call."""
    status = (await zygote.hear())["status"]
    await theatre.hears_all()
    tenant = theatre.tenant(place)
    seen = CAST[play].seen(place, tenant, over=False)
    return After(play, place, status, seen, tenant, _answered(place))


def _answered(place: Place) -> str:
    told = place.folder / ANSWER
    text = told.read_text(encoding="utf-8") if told.exists() else ""
    return json.loads(text)["outcome"] if text else ""  # a full disk takes no answer either


async def recovered(theatre: Theatre, zygote: Zygote, after: After, **order: object) -> Outcome:
    """Start again where a process died, let recovery finish, and judge."""
    await zygote.order(**spoken(after.play, after.place, "recover", **order))
    status = (await zygote.hear())["status"]
    await theatre.hears_all()
    if status:
        log = _log({"folder": after.place.folder, "act": "recover"})
        return Outcome(
            counted=False, after_effect=False, acts=0, left="", broken=(f"not recovered: {log}",)
        )
    told = json.loads((after.place.folder / REPORT).read_text(encoding="utf-8"))
    done = told["left"] == ["succeeded"]
    seen = CAST[after.play].seen(after.place, after.tenant, over=done)
    counted = not UNSETTLED.isdisjoint(told["found"])
    return Outcome(
        counted=counted,
        after_effect=counted and after.at_death.acts > 0,
        acts=seen.acts,
        left=" ".join(told["left"]),
        broken=tuple(_broken(after, told, seen)),
    )


def _broken(after: After, told: Mapping[str, Any], seen: Seen) -> list[str]:
    """Every promise that did not hold."""
    left = told["left"]
    done = left == ["succeeded"] and seen.acts == 1
    open_ = left == ["unknown"] and len(told["decisions"]) == 1
    broken = [f"wrong: {each}" for each in (*after.at_death.wrong, *seen.wrong)]
    if seen.acts > 1:
        broken.append(f"duplicate: it happened {seen.acts} times")
    if "succeeded" in left and not seen.acts:
        broken.append("lost: it is called done and never happened")
    if after.answer == "succeeded" and "succeeded" not in told["found"]:
        broken.append(f"lied: it was answered as done and found as {told['found']}")
    if told["integrity"] != "ok":
        broken.append(f"corrupt: {told['integrity']}")
    if not (done or open_ or seen.acts > 1):
        broken.append(f"not recovered: {left}, decisions {told['decisions']}, {told['again']}")
    return broken + [f"history: {each}" for each in told["violations"]]
