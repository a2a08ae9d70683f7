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
from tests.crash.played import OVER, until
from tests.history import check_history
from tests.postgres import Server, serving
from world.dialogue import Call, Conversation, Turn
from world.metadata import serving_metadata
from world.model import scripted_model

RUNS = 18
STEPS = 25
WITHIN_S = 150


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
    home.mkdir(mode=0o700)
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
[database]
url = "{place.url.replace("+psycopg", "")}"
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


async def in_mid_run(ledger: str, crew: list[Member]) -> Member:
    """A worker that has a run in hand."""

    async def busy() -> Member | None:
        hands = at_work(ledger)
        return next((each for each in crew if hands[each.worker]), None)

    return await until(busy)
