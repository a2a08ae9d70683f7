"""Three workers and a door share one ledger on PostgreSQL; one worker dies in mid-run."""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream

from ledger.database import Database
from ledger.location import PostgresServer
from ledger.migrate import migrate
from ledger.stores.audit_proof import verify
from server.cli.demo.owner import OwnerAtHome, at_home
from server.cli.demo.server_process import command, environment
from tests.crash.played import OVER, Job, job, until
from tests.history import check_history
from tests.postgres import Server, serving
from world.dialogue import Call, Conversation, Turn
from world.metadata import serving_metadata
from world.model import scripted_model

RUNS = 18
STEPS = 25
WITHIN_S = 150
SLOWLY = 1 << 20


def looks_around(conversation: Conversation) -> Turn:
    """Ask many harmless questions, one after another, then say so."""
    if conversation.turns < STEPS:
        return Turn(calls=(Call("list_runs", {"limit": 1 + conversation.turns % 20}),))
    return Turn(text="I looked around. Nothing was submitted.")


@dataclass(frozen=True, slots=True)
class Member:
    """One process of the house and the worker it registered as."""

    process: Process
    worker: str
    told: dict[str, Any]


def furnished(home: Path, settings: str) -> None:
    """Workers may share a home; each process with doors has its own."""
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "settings.toml").write_text(settings, encoding="utf-8")


@asynccontextmanager
async def member(home: Path, role: str, settings: str, ledger: str) -> AsyncGenerator[Member]:
    """A ``matinee serve`` in a home of its own; killed at the end if it still lives."""
    furnished(home, settings)
    known = set(workers(ledger))
    with (home / "log").open("ab") as log:
        process = await anyio.open_process(
            [command(), "serve", "--home", str(home), "--port", "0", "--json", "--role", role],
            env=environment(),
            stderr=log,
        )
    assert process.stdout is not None
    try:
        with anyio.fail_after(30):
            told = json.loads(await anext(TextReceiveStream(process.stdout)))
        (worker,) = set(workers(ledger)) - known
        yield Member(process, worker, told)
    finally:
        if process.returncode is None:
            process.kill()
        await process.aclose()


def asked(ledger: str, question: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(ledger.replace("+psycopg", "")) as conn:
        return conn.execute(question.encode()).fetchall()


def workers(ledger: str) -> dict[str, str]:
    return dict(asked(ledger, "SELECT id, state FROM worker"))


def at_work(ledger: str) -> Counter[str]:
    """How many runs each worker has in hand at this moment."""
    rows = asked(
        ledger,
        "SELECT executor_id FROM dbos.workflow_status"
        " WHERE status = 'PENDING' AND workflow_uuid LIKE 'run:%'",
    )
    return Counter(executor for (executor,) in rows)


async def all_over(owner: OwnerAtHome) -> list[dict[str, Any]] | None:
    runs = (await owner.get("/agent/runs", limit=50))["data"]["runs"]
    done = [each for each in runs if each["state"] in OVER]
    return done if len(done) == RUNS else None


@pytest.fixture
def server() -> Generator[Server]:
    with serving(durable=True) as made:
        yield made


@pytest.mark.proof
@pytest.mark.anyio
async def test_every_run_ends_once_though_a_worker_is_killed_in_the_middle(
    server: Server, tmp_path: Path
) -> None:
    place: PostgresServer = server.create(template=None)
    async with (
        AsyncExitStack() as house,
        serving_metadata() as metadata,
        scripted_model(looks_around) as model,
    ):
        settings = f"""\
{shared(place)}
[metadata]
sources = ["tmdb"]
[metadata.tmdb]
address = "{metadata.address}"
key = "{metadata.token}"
[[upstreams]]
name = "scripted"
address = "{model.base_url}"
key = "{model.key}"
model = "{model.name}"
"""
        migrate(place)
        door = await house.enter_async_context(
            member(tmp_path / "door", "api", settings, place.url)
        )
        crew = [
            await house.enter_async_context(
                member(tmp_path / f"worker-{n}", "worker", settings, place.url)
            )
            for n in range(3)
        ]
        owner = await house.enter_async_context(at_home(door.told["address"]))
        await owner.move_in(door.told["code"])
        await owner.sign_in(owner.passphrase)
        for n in range(RUNS):
            await owner.post("/agent/runs", {"goal": f"look around, number {n}"})
        victim = await in_mid_run(place.url, crew)
        victim.process.kill()
        with anyio.fail_after(WITHIN_S):
            runs = await until(lambda: all_over(owner), within_s=WITHIN_S)
    assert Counter(run["state"] for run in runs) == {"succeeded": RUNS}
    states = workers(place.url)
    assert states[victim.worker] == "dead"
    database = Database(place)
    assert await database.read(check_history) == []
    verdict = await database.read(verify)
    assert verdict.whole
    reports = asked(place.url, "SELECT run, count(*) FROM event WHERE type = 'report' GROUP BY run")
    assert [n for _, n in reports] == [1] * RUNS
    replies = asked(place.url, "SELECT count(*) FROM agent_message WHERE role = 'assistant'")
    assert replies == [(RUNS * (STEPS + 1),)]
    database.close()


@pytest.mark.proof
@pytest.mark.anyio
async def test_a_stand_by_takes_over_the_embedded_client_and_brings_the_film_home(
    server: Server, tmp_path: Path
) -> None:
    place: PostgresServer = server.create()
    async with AsyncExitStack() as house, job(tmp_path, upload_limit=SLOWLY) as film:
        settings = f"{shared(place)}\n{(film.home / 'settings.toml').read_text()}"

        async def joined(home: str, role: str) -> Member:
            return await house.enter_async_context(
                member(tmp_path / home, role, settings, place.url)
            )

        door, first = await joined("door", "api"), await joined("crew", "worker")
        second = await joined("crew", "worker")
        owner = await house.enter_async_context(at_home(door.told["address"]))
        await owner.move_in(door.told["code"])
        await owner.sign_in(owner.passphrase)
        await film.begin(owner)
        await owner.approve(await film.until_asked(owner))
        await until(lambda: some_bytes(place.url))
        assert at_work(place.url)[second.worker] == 0
        first.process.kill()
        film.stage.seed.limit(0)
        run = await until(lambda: ended(film, owner), within_s=WITHIN_S)
        acts = await film.acts(owner)
    assert run["state"] == "succeeded"
    assert acts == {("download.submit", "succeeded"): 1, ("organize.execute", "succeeded"): 1}
    assert workers(place.url)[first.worker] == "dead"
    placed = [path.suffix for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert sorted(placed) == [".mkv", ".srt"]


async def some_bytes(ledger: str) -> bool | None:
    rows = asked(ledger, "SELECT done FROM download")
    return bool(rows and rows[0][0] > 0) or None


async def ended(film: Job, owner: OwnerAtHome) -> dict[str, Any] | None:
    run = await film.seen(owner)
    return run if run["state"] in OVER else None


def shared(place: PostgresServer) -> str:
    """The settings of whoever shares this ledger."""
    return f'[database]\nurl = "{place.url.replace("+psycopg", "")}"'


async def in_mid_run(ledger: str, crew: list[Member]) -> Member:
    """A worker that has a run in hand."""

    async def busy() -> Member | None:
        hands = at_work(ledger)
        return next((each for each in crew if hands[each.worker]), None)

    return await until(busy)
