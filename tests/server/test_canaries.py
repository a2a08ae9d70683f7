"""Secrets stay in: whatever the house does, none is where it was not put."""

import base64
import logging
import os
import secrets
import signal
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import pytest
import structlog
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from capabilities.kernel.actors import owner
from ledger.ledger import opened
from ledger.location import database_file
from server.api.app import PREFIX
from server.cli.home import Home
from server.cli.one_time_code import forgotten_afterwards, keep
from server.guard.setup_code import as_typed
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from server.serving import Started, serve
from tests.promises.tally import Tally
from tests.server.canaries import PASSKEY, Aviary, files_below, members_of, spoken, tables_of
from tests.stage_set import MIB
from world.indexer import LoopbackIndexer, serving_indexer
from world.indexer_feed import Offer
from world.metadata import LoopbackMetadata, serving_metadata
from world.model import ScriptedModel, scripted_model
from world.samples import Sample, stretched
from world.scripts import acquire
from world.seeder import seeding
from world.tracker import tracking

RELEASE = "Sintel.2010.1080p.BluRay.x264-OPEN"
GOAL = "bring Sintel home in 1080p"
WITHIN_S = 30
LOOK_S = 0.05
OVER = {"succeeded", "failed", "cancelled", "budget_exceeded"}
PLANTED = (
    "indexer key",
    "refused indexer key",
    "model key",
    "sealed metadata token",
    "sealed by a door",
    "passphrase",
    "wrong passphrase",
    PASSKEY,
    "planted in a log",
)
DECLARED = {
    "home:settings.toml": {"indexer key", "refused indexer key"},
    "home:secret.key": {"sealing key"},
    "home:run/one-time-code.json": {"one-time code"},
    # A torrent's announce address is what its client announces to.
    "home:torrents/": {PASSKEY},
    "home:matinee.sqlite": {PASSKEY},
    "table:release.torrent": {PASSKEY},
    "told at the start": {"one-time code"},
    "the answer that makes a key": {"api key"},
    "the answer that opens a session": {"session"},
}


@dataclass(frozen=True)
class World:
    """Neighbours that want the canaries as their keys."""

    indexer: LoopbackIndexer
    strict: LoopbackIndexer
    metadata: LoopbackMetadata
    model: ScriptedModel


@asynccontextmanager
async def world(folder: Path, aviary: Aviary) -> AsyncGenerator[World]:
    own = aviary.canaries
    (folder / RELEASE).mkdir(parents=True)
    stretched(Sample.FILM_1080P, folder / RELEASE / f"{RELEASE}.mkv", MIB)
    async with tracking() as tracker:
        tracker.announce_url += f"?passkey={own[PASSKEY]}"
        async with seeding(folder / RELEASE, tracker=tracker) as seed:
            offer = Offer(RELEASE, MIB, torrent=seed.torrent_bytes, tmdb_id=45745)
            async with (
                serving_indexer([offer], api_key=own["indexer key"]) as indexer,
                serving_indexer([offer], api_key="another key") as strict,
                serving_metadata(token=own["sealed metadata token"]) as metadata,
                scripted_model(acquire("Sintel", year=2010), key=own["model key"]) as model,
            ):
                yield World(indexer, strict, metadata, model)


def settings_text(folder: Path, around: World, own: dict[str, str]) -> str:
    """The model's key comes from the environment, the metadata's token is sealed."""
    return f"""\
[folders]
downloads = "{folder / "downloads"}"
films = "{folder / "library" / "films"}"
series = "{folder / "library" / "series"}"
[metadata]
sources = ["tmdb"]
[metadata.tmdb]
address = "{around.metadata.address}"
[[indexers]]
name = "one"
address = "{around.indexer.address}"
key = "{own["indexer key"]}"
[[indexers]]
name = "strict"
address = "{around.strict.address}"
key = "{own["refused indexer key"]}"
[[upstreams]]
name = "scripted"
address = "{around.model.base_url}"
key_env = "CANARY_OF_THE_MODEL"
model = "{around.model.name}"
[downloader.embedded]
loopback_world = true
[policy]
min_free_bytes = 0
"""


@dataclass
class Served:
    """A house at work in this process, whose every answer is kept."""

    aviary: Aviary
    started: Started
    http: httpx2.AsyncClient

    async def ask(
        self, method: str, path: str, body: object = None, *, place: str = "", **more: Any
    ) -> httpx2.Response:
        answer = await self.http.request(method, f"{PREFIX}{path}", json=body, **more)
        self.aviary.see(place or f"answer:{method} {path}", answer.content)
        self.aviary.see(place or f"headers:{method} {path}", str(answer.headers.raw))
        return answer

    async def get(self, path: str) -> Any:
        return (await self.ask("GET", path)).json()


@asynccontextmanager
async def served(home: Home, aviary: Aviary) -> AsyncGenerator[Served]:
    """Serve the home as the command does."""
    told: list[Started] = []
    up, ended = anyio.Event(), anyio.Event()

    def tell(started: Started) -> None:
        keep(home, started.code)
        told.append(started)
        up.set()

    async def run() -> None:
        with forgotten_afterwards(home):
            await serve(home, host=None, port=0, tell=tell)
        ended.set()

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        await up.wait()
        address = str(told[0].address)
        headers = {"Origin": address}
        async with httpx2.AsyncClient(
            base_url=address, headers=headers, trust_env=False, timeout=WITHIN_S
        ) as http:
            yield Served(aviary, told[0], http)
        os.kill(os.getpid(), signal.SIGTERM)
        await ended.wait()


@contextmanager
def logged_to(path: Path) -> Generator[None]:
    """Everything that is logged by anybody, down to debugging, into one file."""
    handler = logging.FileHandler(path)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    with path.open("a", encoding="utf-8") as file:
        structlog.configure(
            processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
            logger_factory=structlog.PrintLoggerFactory(file),
            cache_logger_on_first_use=False,
        )
        try:
            yield
        finally:
            structlog.reset_defaults()
            root.removeHandler(handler)
            root.setLevel(before)
            handler.close()


async def move_in(house: Served) -> None:
    """Become the owner, sign in, make a key, seal a secret: each door that takes or gives one."""
    own = house.aviary.canaries
    code = str(house.started.code)
    own["one-time code"], own["one-time code as typed"] = code, as_typed(code)
    house.aviary.see("told at the start", repr(house.started))
    made = {"code": code, "name": "ada", "passphrase": own["passphrase"]}
    place = "the answer that opens a session"
    await house.ask("POST", "/owner", {**made, "code": "0000-0000-0000-0000"})
    await house.ask("POST", "/owner", made, place=place)
    await house.ask("POST", "/owner", made)
    await house.ask("POST", "/session", {"passphrase": own["wrong passphrase"]})
    await house.ask("POST", "/session", {"passphrase": own["passphrase"]}, place=place)
    own["session"] = house.http.cookies["matinee_session"]
    given = {"name": "desk", "scopes": ["read", "run", "run.ask", "plan"]}
    answer = await house.ask("POST", "/keys", given, place="the answer that makes a key")
    own["api key"] = answer.json()["secret"]
    sealed = {"value": own["sealed by a door"]}
    assert (await house.ask("PUT", "/secrets/upstreams.later.key", sealed)).status_code == 200
    assert (await house.ask("POST", "/secrets/rekey")).status_code == 200


async def play(house: Served, around: World) -> None:
    """The main job, by an MCP client over HTTP, while neighbours fail and repeat what they got."""
    own = house.aviary.canaries
    around.model.fail_next(
        500, message=f"Incorrect API key provided: {own['model key']}", retry_after="0"
    )
    headers = {"Authorization": f"Bearer {own['api key']}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as http,
        Client(streamable_http_client(f"{house.started.address}/mcp", http_client=http)) as mcp,
    ):
        begun = await mcp.call_tool("start_run", {"goal": GOAL})
        house.aviary.see("mcp:start_run", spoken(begun.model_dump()))
        await approve(house)
        told = await until_over(house, mcp, content(begun)["run"])
        searched = await mcp.call_tool("release__search", {"query": "Sintel"})
        house.aviary.see("mcp:release.search", spoken(searched.model_dump()))
    assert told["state"] == "succeeded", told


async def until_over(house: Served, mcp: Client, run: str) -> dict[str, Any]:
    while True:
        seen = await mcp.call_tool("get_run", {"run": run})
        house.aviary.see("mcp:get_run", spoken(seen.model_dump()))
        told = content(seen)
        if told["state"] in OVER:
            return told
        await anyio.sleep(LOOK_S)


def content(result: CallToolResult) -> dict[str, Any]:
    return cast("dict[str, Any]", result.structured_content or {})


async def approve(house: Served) -> None:
    while not (waiting := (await house.get("/approvals"))["approvals"]):  # noqa: ASYNC110  # a door rings no bell
        await anyio.sleep(LOOK_S)
    bound = {name: waiting[0][name] for name in ("payload_hash", "revision")}
    word = {"approve": True, **bound}
    answer = await house.ask("POST", f"/approvals/{waiting[0]['id']}/decision", word)
    assert answer.status_code == 200


async def look_everywhere(house: Served) -> None:
    """Every page that shows something, and requests that are refused."""
    own = house.aviary.canaries
    pages = ("/status", "/settings", "/secrets", "/keys", "/audit", "/audit/verify", "/events")
    for path in (*pages, "/invocations", "/decisions?status=resolved", "/agent/runs", "/session"):
        assert (await house.ask("GET", path)).status_code == 200, path
    house.http.cookies.clear()
    for bearer in (own["session"], own["sealed by a door"], f"{own['api key']}x"):
        refused = {"Authorization": f"Bearer {bearer}"}
        assert (await house.ask("GET", "/status", headers=refused)).status_code == 401
    for query in (f"api_key={own['api key']}", f"x={own['api key']}"):
        assert (await house.ask("GET", f"/status?{query}", place="refused")).status_code == 403
    body = {"passphrase": own["passphrase"], "extra": own["wrong passphrase"]}
    assert (await house.ask("POST", "/session", body)).status_code == 422


async def take_bundles(house: Served) -> None:
    for titles in ("false", "true"):
        bundle = await house.ask("GET", f"/diagnostics?titles={titles}")
        for place, held in members_of(bundle.content):
            house.aviary.see(place, held)


def left_behind(home: Home, folder: Path, around: World) -> Iterator[tuple[str, bytes]]:
    """Tables, files, and what the model was sent; of a request's headers, the key is its place."""
    yield from tables_of(home.root)
    yield from files_below(home.root, "home")
    for name in ("downloads", "library"):
        yield from files_below(folder / name, name)
    for request in around.model.requests:
        yield "prompt", request.raw


@pytest.mark.promise("D5")
@pytest.mark.proof
@pytest.mark.anyio
async def test_no_secret_is_where_it_was_not_put(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tally: Tally,
) -> None:
    aviary = Aviary({name: f"canary{secrets.token_hex(16)}" for name in PLANTED})
    own, home, log = aviary.canaries, Home(tmp_path / "home"), tmp_path / "log"
    home.prepare()
    for folder in ("downloads", "library/films", "library/series"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("CANARY_OF_THE_MODEL", own["model key"])
    with anyio.fail_after(WITHIN_S), logged_to(log):
        async with world(tmp_path / "world", aviary) as around:
            text = settings_text(tmp_path, around, own)
            (home.root / "settings.toml").write_text(text)
            await seal(home, "metadata.tmdb.key", own["sealed metadata token"])
            async with served(home, aviary) as house:
                await move_in(house)
                structlog.get_logger().warning("planted", value=own["planted in a log"])
                await play(house, around)
                own["sealing key"] = (home.root / "secret.key").read_text().strip()
                home.log_file.write_bytes(log.read_bytes())
                await take_bundles(house)
                await look_everywhere(house)
                home.log_file.unlink()
            for place, held in left_behind(home, tmp_path, around):
                aviary.see(place, held)
    said = capfd.readouterr()
    for place, held in (("log", log.read_bytes()), ("stdout", said.out), ("stderr", said.err)):
        aviary.see(place, held)
    assert around.strict.requests, "the neighbour that repeats a key was never asked"
    assert len(around.model.requests) > 3
    assert {"bundle:log.txt", "prompt", "table:agent_message.body", "mcp:get_run"} <= {
        place for place, _ in aviary.evidence
    }
    # The last one was planted: a search that does not find it finds nothing.
    planted = {(place, "planted in a log") for place in ("log", "bundle:log.txt")}
    found = aviary.hits(DECLARED)
    tally.add(len(aviary.evidence), len(found - planted), canaries=len(PLANTED))
    assert found == planted
    assert database_file(home.root).exists()


async def seal(home: Home, name: str, value: str) -> None:
    async with opened(home.root) as ledger:
        sealed = SealedSecrets(ledger, sealing_keys(home.root, {}))
        await sealed.put(owner("ada"), name, value)


@pytest.mark.promise("D5", control=True)
@pytest.mark.parametrize("spelled", ["plain", "hex", "base64"])
def test_a_secret_that_leaks_in_any_spelling_is_found(spelled: str, tally: Tally) -> None:
    aviary = Aviary({name: f"canary{secrets.token_hex(16)}" for name in PLANTED})
    for name, canary in aviary.canaries.items():
        held = canary.encode()
        leak = {"plain": held, "hex": held.hex().encode(), "base64": base64.b64encode(b"x" + held)}
        aviary.see(f"nowhere:{name}", b"before " + leak[spelled] + b" after")
    found = aviary.hits(DECLARED)
    tally.add(len(PLANTED), len(found))
    assert {name for _, name in found} == set(PLANTED)
