"""A real qBittorrent for tests, or a skip where it is not installed."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.downloader.qbittorrent import QbittorrentDownloader, open_qbittorrent
from capabilities.adapters.downloader.qbittorrent_live import Pace
from capabilities.adapters.downloader.qbittorrent_session import Account, WebSession
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Bounds
from tests.capabilities.adapters.downloader.programs import have_installed
from world.local_program import LocalProgram
from world.qbittorrent_double import PASSWORD, USER, QbittorrentDouble
from world.qbittorrent_program import PACKAGE, PROGRAM, Profile, running
from world.seeder import Seed, giving

_MEET_S = 1.5
_BACK_S = 10
_DIAL_EVERY_S = 0.1

QUICK = Pace(busy_s=0.05, idle_s=0.05, longest_pause_s=0.2, settle_s=4, stale_s=0.5)


def profile_in(folder: Path) -> Profile:
    """A profile below ``folder``, or a skip."""
    have_installed(PROGRAM, PACKAGE)
    return Profile(folder / "qbittorrent")


def meeting_anew(profile: Profile, opened: AsyncExitStack) -> Callable[[Seed], Awaitable[None]]:
    """The same by a second seed of the same files, which lives until ``opened`` ends.

    Two that met as seeds look away from each other for a minute, whatever became of one.
    """

    async def meet(seed: Seed) -> None:
        another = await opened.enter_async_context(giving(seed.torrent_bytes, seed.folder))
        another.limit(max(seed.upload_limit, 0))
        await meeting(profile)(another)

    return meet


async def until_back(client: QbittorrentDownloader) -> None:
    """Wait until it can be reached."""
    with anyio.fail_after(_BACK_S):
        while not (await client.health()).reachable:  # noqa: ASYNC110  # nothing tells of it
            await anyio.sleep(0.01)


def meeting(profile: Profile) -> Callable[[Seed], Awaitable[None]]:
    """How a seed finds this qBittorrent soon: see `Rig.meet`.

    It dials seeds by itself, but one that it let go only after a while.
    """

    async def meet(seed: Seed) -> None:
        given = seed.given_bytes
        with anyio.move_on_after(_MEET_S):
            while seed.given_bytes == given:
                seed.dial(("127.0.0.1", profile.peers_port))
                await anyio.sleep(_DIAL_EVERY_S)

    return meet


async def owner_does(program: LocalProgram, path: str, fields: Mapping[str, str]) -> None:
    """Whoever works with the same qBittorrent in its own window does one thing."""
    async with Outbound(version="0") as outbound:
        upstream = outbound.neighbour("qBittorrent", program.address)
        session = WebSession(upstream, account_of(program), Breaker("owner", 0.1))
        assert (await session.act(path, fields)).ok


def account_of(served: QbittorrentDouble | LocalProgram) -> Account:
    """How its owner enters."""
    if isinstance(served, LocalProgram):
        return Account(served.address, served.user, served.password)
    return Account(served.address, USER, PASSWORD)


@asynccontextmanager
async def connected(
    account: Account, pace: Pace = QUICK, *, total_s: float = 5
) -> AsyncGenerator[QbittorrentDownloader]:
    """The adapter alone; ``total_s`` is how long it waits for one answer."""
    bounds = Bounds(connect_s=2, read_s=total_s / 2, total_s=total_s)
    async with (
        Outbound(version="0", bounds=bounds) as outbound,
        open_qbittorrent("qbittorrent", account, outbound, pace=pace) as client,
    ):
        yield client


@asynccontextmanager
async def real(profile: Profile, pace: Pace = QUICK) -> AsyncGenerator[QbittorrentDownloader]:
    """The adapter and the program behind it."""
    async with running(profile) as program, connected(account_of(program), pace) as client:
        yield client
