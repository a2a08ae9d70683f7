"""A real Transmission for tests, or a skip where it is not installed."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.downloader.transmission import TransmissionDownloader, open_transmission
from capabilities.adapters.downloader.transmission_rpc import (
    Account,
    Nothing,
    Shape,
    ShapeT,
    TransmissionRpc,
)
from capabilities.adapters.downloader.transmission_upkeep import Timing
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Bounds
from tests.capabilities.adapters.downloader.programs import have_installed
from tests.capabilities.adapters.downloader.rig import LIMIT_S
from world.local_program import LocalProgram
from world.rpc_proxy import RpcProxy, proxying
from world.seeder import Seed
from world.transmission_program import PACKAGE, PROGRAM, TransmissionProfile, running

QUICK = Timing(look_every_s=0.05, look_at_all_every=5, given_up_after_s=0.8, away_s=0.1)
SLOW = Timing(look_every_s=60)
_NUDGE_EVERY_S = 0.1
_LOOK_AGAIN_S = 0.02
_MEET_S = 12


def profile_in(folder: Path) -> TransmissionProfile:
    """A profile below ``folder``, or a skip."""
    have_installed(PROGRAM, PACKAGE)
    return TransmissionProfile(folder / "transmission")


def account_of(program: LocalProgram) -> Account:
    """How it is entered."""
    return Account(program.address, program.user, program.password)


@asynccontextmanager
async def connected(
    account: Account, timing: Timing = QUICK
) -> AsyncGenerator[TransmissionDownloader]:
    """The adapter alone."""
    async with (
        Outbound(version="0") as outbound,
        open_transmission("transmission", account, outbound, timing=timing) as client,
    ):
        yield client


class _Labelled(Shape):
    labels: list[str]


class _Torrents(Shape):
    torrents: list[_Labelled]


class _Standing(Shape):
    status: int


class _Statuses(Shape):
    torrents: list[_Standing]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whoever works with the same Transmission by another program."""

    account: Account

    async def starts(self, key: str) -> None:
        """Let a torrent run."""
        await self.calls("torrent-start", Nothing, ids=[key])

    async def stops(self, key: str) -> None:
        """Stop a torrent."""
        await self.calls("torrent-stop", Nothing, ids=[key])

    async def sets(self, key: str, **arguments: object) -> None:
        """Change something about a torrent."""
        await self.calls("torrent-set", Nothing, ids=[key], **arguments)

    async def labels(self, key: str) -> list[str]:
        """The labels of a torrent."""
        [row] = (await self.calls("torrent-get", _Torrents, ids=[key], fields=["labels"])).torrents
        return row.labels

    async def until_labels(self, key: str, labels: list[str]) -> None:
        """Wait until a torrent has these labels."""
        with anyio.fail_after(LIMIT_S):
            there = await self.labels(key)
            while there != labels:
                await anyio.sleep(_LOOK_AGAIN_S)
                there = await self.labels(key)

    async def until_stopped(self, key: str) -> None:
        """Stop a torrent, and wait until it is; what it was told is on the disk then."""
        with anyio.fail_after(LIMIT_S):
            await self.stops(key)
            while await self._status(key):
                await anyio.sleep(_LOOK_AGAIN_S)
                # A start that was told before may come after a stop.
                await self.stops(key)

    async def _status(self, key: str) -> int:
        asked = await self.calls("torrent-get", _Statuses, ids=[key], fields=["status"])
        return asked.torrents[0].status

    async def calls(self, method: str, shape: type[ShapeT], **arguments: object) -> ShapeT:
        """Do one thing."""
        async with Outbound(version="0") as outbound:
            rpc = TransmissionRpc("Transmission", outbound, self.account, Breaker("owner", 0.1))
            return await rpc.act(method, arguments, shape)


def meeting(profile: TransmissionProfile, account: Account) -> Callable[[Seed], Awaitable[None]]:
    """How a seed finds this Transmission: see `Rig.meet`.

    Transmission thinks about whether a peer is of use every ten seconds, and whenever a torrent
    starts; so one that is nobody's is started beside it until something is given.
    """
    owner = Owner(account)
    nobodys = "0" * 40

    async def meet(seed: Seed) -> None:
        given = seed.given_bytes
        with anyio.fail_after(_MEET_S):
            while seed.given_bytes == given:
                seed.dial(("127.0.0.1", profile.peers_port))
                link = f"magnet:?xt=urn:btih:{nobodys}"
                await owner.calls("torrent-add", Nothing, filename=link)
                await owner.calls("torrent-remove", Nothing, ids=[nobodys])
                await anyio.sleep(_NUDGE_EVERY_S)

    return meet


@asynccontextmanager
async def real(profile: TransmissionProfile) -> AsyncGenerator[TransmissionDownloader]:
    """The adapter and the program behind it, which ends as on a shutdown."""
    async with running(profile) as program, connected(account_of(program)) as client:
        yield client


@asynccontextmanager
async def program_in(folder: Path) -> AsyncGenerator[tuple[TransmissionProfile, Account]]:
    """A Transmission for the time of the block, with all that it keeps below ``folder``."""
    profile = profile_in(folder)
    async with running(profile) as program:
        yield profile, account_of(program)
        # Nobody needs what it would take a second to write down.
        await program.kill()


@asynccontextmanager
async def proxied(
    account: Account, *, total_s: float = 5, timing: Timing = QUICK
) -> AsyncGenerator[tuple[RpcProxy, TransmissionDownloader]]:
    """The adapter behind a proxy; ``total_s`` is how long it waits for one answer."""
    async with proxying(account.address) as proxy:
        through = Account(proxy.address, account.user, account.password)
        async with (
            Outbound(version="0", bounds=Bounds(total_s=total_s)) as outbound,
            open_transmission("transmission", through, outbound, timing=timing) as client,
        ):
            yield proxy, client
