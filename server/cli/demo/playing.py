"""The demo itself: a goal becomes a plan, a plan is approved, a film stands in the library."""

import shutil
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from server.cli.card import card, now
from server.cli.demo.client import McpClient, connected
from server.cli.demo.client_programs import client_program
from server.cli.demo.clients import EMBEDDED
from server.cli.demo.dialling import dialling
from server.cli.demo.evidence import FilePair, one_claim_each, pair
from server.cli.demo.faults import DemoFailedError
from server.cli.demo.offers import show_offers
from server.cli.demo.owner import OwnerAtHome, at_home
from server.cli.demo.person import person_approves
from server.cli.demo.server_process import serving
from server.cli.demo.settings_text import settings_text
from server.cli.demo.showing import Bar, Screen
from world.scripts import acquire
from world.stage import staged

GOAL = "bring Sintel home in 1080p"
TITLE, YEAR = "Sintel", 2010
LOOK_EVERY_S = 0.2
LONGEST_S = 120
PLAN_TOOL = "update_plan"
OVER = frozenset({"succeeded", "failed", "cancelled", "budget_exceeded"})


@dataclass(frozen=True, slots=True)
class Options:
    """How the demo is played.

    Attributes:
        ask: wait for the person at the terminal instead of approving as the demo's owner.
        keep: leave everything running afterwards.
        downloader: who downloads, one of `clients.CLIENTS`.
    """

    ask: bool = False
    keep: bool = False
    downloader: str = EMBEDDED


@dataclass(slots=True)
class Played:
    """What happened, for people and as one document."""

    folder: Path
    started: float = field(default_factory=time.monotonic)
    steps: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    approval: dict[str, Any] = field(default_factory=dict[str, Any])
    run: dict[str, Any] = field(default_factory=dict[str, Any])
    invocations: dict[str, str] = field(default_factory=dict[str, str])
    files: list[FilePair] = field(default_factory=list[FilePair])
    addresses: dict[str, str] = field(default_factory=dict[str, str])
    duration_s: float = 0.0
    fell_short: str = ""

    def document(self) -> dict[str, Any]:
        """The one document of ``--json``."""
        return {
            "status": self.run.get("state", "failed"),
            "goal": GOAL,
            "steps": self.steps,
            "approval": self.approval,
            "invocations": self.invocations,
            "record": [file.document() for file in self.files],
            "report": self.run.get("report"),
            "addresses": self.addresses,
            "duration_s": round(self.duration_s, 2),
            **({"fell_short": self.fell_short} if self.fell_short else {}),
        }


@asynccontextmanager
async def play(options: Options, screen: Screen) -> AsyncGenerator[Played]:
    """Play the main job; everything stands until the block ends.

    Raises:
        DemoFailedError: something is not as the demo promises; where everything is to be left
            running, that is told in what was played instead.
    """
    folder = Path(tempfile.mkdtemp(prefix="matinee-demo-"))
    played = Played(folder)
    try:
        async with AsyncExitStack() as stack:
            try:
                await _play(options, screen, played, stack)
            except DemoFailedError as short:
                if not options.keep or "server" not in played.addresses:
                    raise
                played.fell_short = f"The demo fell short: {short}"
            yield played
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


async def _play(options: Options, screen: Screen, played: Played, stack: AsyncExitStack) -> None:
    home = await _set_the_stage(options, screen, played, stack)
    served = await stack.enter_async_context(serving(home, leave=options.keep))
    owner = await stack.enter_async_context(at_home(served.address))
    screen.step(f"Matinee serves at {served.address}")
    key = await owner.move_in(served.code)
    screen.step(f"the owner's account is made; its passphrase is {owner.passphrase}")
    played.addresses |= {"server": served.address, "home": str(home)}
    client = await stack.enter_async_context(connected(home, key))
    screen.heading("The offers, and what the rules say of them")
    await show_offers(client, screen, TITLE, YEAR)
    screen.heading(f'The goal: "{GOAL}", by an MCP client over stdio')
    run = str((await client.call("start_run", goal=GOAL))["run"])
    await _until_asked(client, run, screen, played)
    await _approval(options, owner, screen, played)
    with anyio.fail_after(LONGEST_S):
        await _until_over(client, run, owner, screen, played)
    await _look(owner, screen, played)
    played.duration_s = time.monotonic() - played.started
    screen.heading("The report")
    screen.text("\n".join(f"    {line}" for line in played.run["report"]["lines"]))


async def _set_the_stage(
    options: Options, screen: Screen, played: Played, stack: AsyncExitStack
) -> Path:
    screen.heading("The stage: a world on this machine, nothing beyond loopback")
    world, home = played.folder / "world", played.folder / "home"
    library = played.folder / "library"
    downloads, films, series = played.folder / "downloads", library / "films", library / "series"
    for folder in (world, home, downloads, films, series):
        folder.mkdir(mode=0o700, parents=True)
    script = acquire(TITLE, year=YEAR, resolution="1080p")
    stage = await stack.enter_async_context(staged(world, script))
    client = await stack.enter_async_context(client_program(options.downloader, played.folder))
    text = settings_text(stage, played.folder, client)
    (home / "settings.toml").write_text(text, encoding="utf-8")
    played.addresses |= {
        "indexer": stage.indexer.address,
        "metadata": stage.metadata.address,
        "model": stage.model.base_url,
    }
    if client is not None:
        played.addresses[client.kind] = client.address
        screen.step(f"a real {client.kind} of its own")
        if client.to_dial is not None:
            await stack.enter_async_context(dialling(stage.seed, client.to_dial))
    screen.step(f"an indexer with {len(stage.offers)} offers, all but one wrong on purpose")
    screen.step("a metadata source, a scripted model, and a seeder with a real video of 64 MiB")
    return home


async def _until_asked(client: McpClient, run: str, screen: Screen, played: Played) -> None:
    with anyio.fail_after(LONGEST_S):
        while True:
            seen = await _look_at_run(client, run, screen, played)
            if seen["state"] in OVER:
                raise DemoFailedError(f"The run ended before it asked: {seen.get('reason')}")
            if seen.get("waits_for"):
                played.approval = {"decision": seen["waits_for"]["decision"]}
                return
            await anyio.sleep(LOOK_EVERY_S)


async def _approval(options: Options, owner: OwnerAtHome, screen: Screen, played: Played) -> None:
    await owner.sign_in(owner.passphrase)
    decision = await owner.get(f"/decisions/{played.approval['decision']}")
    asked = await owner.get(f"/approvals/{decision['approval']}")
    screen.heading("The plan, as the owner is shown it")
    if options.ask:
        screen.step(f"approve it with the passphrase {owner.passphrase}, or press Ctrl-C")
        await person_approves(played.folder / "home", asked["id"])
        screen.step("approved at the terminal: once, exactly this plan")
    else:
        screen.text(card(asked, now(), colour=False))
        await owner.approve(asked)
        screen.step("signed in with the passphrase and approved: once, exactly this plan")
    played.approval = await owner.get(f"/approvals/{asked['id']}")


async def _until_over(
    client: McpClient, run: str, owner: OwnerAtHome, screen: Screen, played: Played
) -> None:
    screen.heading("The download")
    with screen.progress() as bar:
        while True:
            seen = await _look_at_run(client, run, screen, played)
            await _show_download(owner, bar)
            if seen["state"] in OVER:
                break
            await anyio.sleep(LOOK_EVERY_S)
    played.run = {name: seen.get(name) for name in ("id", "state", "reason", "report", "usage")}
    if seen["state"] != "succeeded":
        raise DemoFailedError(f"The run ended {seen['state']}: {seen.get('reason')}")


async def _show_download(owner: OwnerAtHome, bar: Bar) -> None:
    for each in (await owner.call("download.list"))["downloads"]:
        size = each["size_gb"] * 1e9
        bar.show(each["work"] or each["title"], each["percent"] / 100 * size, size)


async def _look_at_run(
    client: McpClient, run: str, screen: Screen, played: Played
) -> dict[str, Any]:
    seen = await client.call("get_run", run=run, after_seq=_last(played))
    for event in seen["events"]:
        played.steps.append(event)
        sentence = _told(event, played.steps)
        if sentence is not None:
            screen.step(sentence)
    return seen


def _told(event: dict[str, Any], steps: list[dict[str, Any]]) -> str | None:
    """A result as one sentence with what was asked; the agent's own plan is not a step."""
    body = event["body"]
    if event["type"] != "tool_result" or body["tool"] == PLAN_TOOL:
        return None
    asked = next(
        each["body"]["sentence"]
        for each in steps
        if each["type"] == "tool_call" and each["body"]["call"] == body["call"]
    )
    return f"{asked}. {body['sentence']}"


def _last(played: Played) -> int:
    return played.steps[-1]["seq"] if played.steps else 0


async def _look(owner: OwnerAtHome, screen: Screen, played: Played) -> None:
    """At the shelf, at the files, and at the ledger."""
    played.approval = await owner.get(f"/approvals/{played.approval['id']}")
    if played.approval["state"] != "consumed":
        raise DemoFailedError(f"The approval is {played.approval['state']}, not used up.")
    history = await owner.get("/invocations", limit=200)
    played.invocations = one_claim_each(history["invocations"])
    shelf = await owner.call("inventory.query")
    inspected = await owner.call("download.inspect", download="dl:1")
    placed = [file for record in inspected["records"] for file in record["files"]]
    if not placed:
        raise DemoFailedError("No file was placed.")
    for file in placed:
        source = played.folder / "downloads" / file["source"]
        target = played.folder / "library" / "films" / file["target"]
        played.files.append(await anyio.to_thread.run_sync(pair, source, target))
    shown = {each["path"] for work in shelf["works"] for each in work["files"]}
    if not shown & {str(file.target) for file in played.files}:
        raise DemoFailedError("The library does not list the file that was placed.")
    screen.heading("The library")
    screen.tree(played.folder / "library" / "films")
    size = sum(file.size for file in played.files) / 1e6
    screen.step(
        f"{len(played.files)} files, {size:.0f} MB: hard links of the download, same SHA-256"
    )
    screen.step("one claim for the submission, one for the placing, both succeeded")
