"""The main job by real processes, to be interrupted wherever a test wants."""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio

from server.cli.demo.owner import OwnerAtHome, at_home
from server.cli.demo.server_process import Served, serving
from server.cli.demo.settings_text import settings_text
from world.scripts import acquire
from world.stage import Stage, staged

T = TypeVar("T")

LOOK_S = 0.05
LONGEST_S = 60
SIZE = 24 * 1024 * 1024
OVER = {"succeeded", "failed", "cancelled", "budget_exceeded"}


@dataclass(slots=True)
class Job:
    """One goal on one home; the server may come and go."""

    stage: Stage
    home: Path
    folder: Path
    passphrase: str = ""
    run: str = ""

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[tuple[Served, OwnerAtHome]]:
        """A server for the home, with the owner signed in; ended with the block."""
        async with serving(self.home, leave=False) as served, at_home(served.address) as owner:
            if self.passphrase:
                await owner.sign_in(self.passphrase)
            else:
                await owner.move_in(str(served.code))
                self.passphrase = owner.passphrase
                await owner.sign_in(self.passphrase)
            yield served, owner

    async def begin(self, owner: OwnerAtHome) -> None:
        """Start the run."""
        begun = await owner.post("/agent/runs", {"goal": "bring Sintel home in 1080p"})
        self.run = begun["data"]["id"]

    async def seen(self, owner: OwnerAtHome) -> dict[str, Any]:
        """The run now."""
        shown = await owner.get(f"/agent/runs/{self.run}")
        return shown["data"]

    async def until_asked(self, owner: OwnerAtHome) -> dict[str, Any]:
        """Wait for the approval request; returns it."""

        async def asked() -> dict[str, Any] | None:
            waiting = (await owner.get("/approvals"))["approvals"]
            return waiting[0] if waiting else None

        return await until(asked)

    async def until_downloading(self, owner: OwnerAtHome) -> None:
        """Wait until some bytes are here, and not all."""

        async def midway() -> bool | None:
            rows = (await owner.call("download.list"))["downloads"]
            return bool(rows and 5 < rows[0]["percent"] < 95) or None

        await until(midway)

    async def until_completed(self, owner: OwnerAtHome) -> None:
        """Wait until every byte is here."""

        async def complete() -> bool | None:
            rows = (await owner.call("download.list"))["downloads"]
            return bool(rows and rows[0]["percent"] >= 100) or None

        await until(complete)

    async def until_over(self, owner: OwnerAtHome) -> dict[str, Any]:
        """Wait for the end of the run; returns it."""

        async def over() -> dict[str, Any] | None:
            run = await self.seen(owner)
            return run if run["state"] in OVER else None

        return await until(over)

    async def acts(self, owner: OwnerAtHome) -> Counter[tuple[str, str]]:
        """How often each act was claimed, by capability and state."""
        history = (await owner.get("/invocations", limit=200))["invocations"]
        return Counter(
            (each["capability"], each["state"])
            for each in history
            if each["capability"] in {"download.submit", "organize.execute"}
        )


async def until(look: Callable[[], Awaitable[T | None]], *, within_s: float = LONGEST_S) -> T:
    """Look again and again, for ``within_s`` seconds at most, until there is an answer."""
    with anyio.fail_after(within_s):
        while (found := await look()) is None:  # noqa: ASYNC110  # another process rings no bell
            await anyio.sleep(LOOK_S)
        return found


@asynccontextmanager
async def job(folder: Path, *, upload_limit: int = 0) -> AsyncGenerator[Job]:
    """A staged world and an empty home that points at it."""
    world, home = folder / "world", folder / "home"
    library = folder / "library"
    for each in (world, home, folder / "downloads", library / "films", library / "series"):
        each.mkdir(mode=0o700, parents=True)
    script = acquire("Sintel", year=2010)
    async with staged(world, script, size=SIZE, upload_limit=upload_limit) as stage:
        (home / "settings.toml").write_text(settings_text(stage, folder), encoding="utf-8")
        yield Job(stage, home, folder)


def kill(served: Served) -> None:
    """SIGKILL: nothing is flushed, nothing is said."""
    served.process.kill()
