import tomllib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint

from capabilities.kernel.actors import Actor, client, owner
from capabilities.kernel.calls import Call
from capabilities.kernel.deciding import decide
from capabilities.kernel.outcomes import Refused, Succeeded, facts
from ledger.clock import new_id
from ledger.stores import approvals, audit, claims, decisions, downloads, policies, runs
from ledger.stores.access import LOCAL_KEY, key_by_id
from ledger.stores.claims import ClaimState, NewClaim
from ledger.stores.decisions import Decision, DecisionKind
from ledger.stores.runs import OVER, Run, RunState
from server.cli.demo.settings_text import settings_text
from server.first_start import VERSION_1
from server.house import House, open_house
from server.settings import Settings
from tests.ledger.rows import new_claim
from tests.scene import VIDEO
from tests.stage_set import MIB
from world.scripts import acquire
from world.stage import Stage, staged

ADA = owner("ada")
WITHIN_S = 20


@dataclass(frozen=True)
class Plot:
    """A home in a staged world; nothing is opened yet."""

    stage: Stage
    home: Path
    settings: Settings

    @property
    def films(self) -> Path:
        folder = self.settings.folders.films
        assert folder is not None
        return folder


@asynccontextmanager
async def plot(folder: Path) -> AsyncGenerator[Plot]:
    world, home, library = folder / "world", folder / "home", folder / "library"
    for each in (world, home, folder / "downloads", library / "films", library / "series"):
        each.mkdir(parents=True)
    async with staged(world, acquire("Sintel", year=2010), size=MIB) as stage:
        settings = Settings.model_validate(tomllib.loads(settings_text(stage, folder)))
        yield Plot(stage, home, settings)


async def answer(house: House, capability: str, by: Actor = ADA, **given: object) -> dict[str, Any]:
    id_ = new_id("call")
    outcome = await house.registry.invoke(Call(capability, given, by, id_, id_))
    assert isinstance(outcome, Succeeded), outcome
    return facts(outcome)


async def until_looked_at(house: House) -> bool:
    """Whether the download client answers, once that is known."""
    with anyio.fail_after(WITHIN_S):
        async with house.ledger.feed.listening() as bell:
            while True:
                (client,) = (await answer(house, "downloader.list"))["downloaders"]
                if "reachable" in client:
                    return bool(client["reachable"])
                await bell.receive()


async def until_asked(house: House) -> Decision:
    """The approval request, once it waits."""
    with anyio.fail_after(WITHIN_S):
        async with house.ledger.feed.listening() as bell:
            while True:
                rows, _ = await house.ledger.read(
                    lambda conn: decisions.listing(conn, kind=DecisionKind.APPROVAL_REQUIRED)
                )
                if rows:
                    return rows[0]
                await bell.receive()


async def approve(house: House, asked: Decision) -> None:
    approval = await house.ledger.read(lambda conn: approvals.by_id(conn, str(asked.approval)))
    assert approval is not None
    outcome = await decide(
        house.ledger,
        approval.id,
        approved=True,
        by=ADA,
        payload_hash=approval.payload_hash,
        revision=approval.revision,
    )
    assert isinstance(outcome, Succeeded)


async def until_over(house: House, run: str) -> Run:
    with anyio.fail_after(WITHIN_S):
        async with house.ledger.feed.listening() as bell:
            while True:
                row = await house.ledger.read(lambda conn: runs.by_id(conn, run))
                assert row is not None
                if row.state in OVER:
                    return row
                await bell.receive()


def claim_of_a_dead_process() -> NewClaim:
    key = f"btih:{'ab' * 20}"
    facts_ = {"plan": "plan_1", "info_hash": "ab" * 20, "client": "embedded"}
    return new_claim(
        actor="key:laptop",
        principal="key:laptop",
        key="plan:plan_1:1",
        natural_key=key,
        worker="dead",
        target={"kind": "torrent", "natural_key": key, "facts": facts_},
        plan="plan_1",
        plan_hash="h",
        plan_revision=1,
    )


@pytest.mark.anyio
async def test_a_new_home_works_at_once_and_closes_cleanly_twice(tmp_path: Path) -> None:
    async with plot(tmp_path) as ready:
        for start in (1, 2):
            async with open_house(ready.home, ready.settings) as house:
                assert (house.recovered.disowned, house.recovered.settled) == (0, 0)
                for kind in VERSION_1:
                    row = await house.ledger.read(
                        lambda conn, kind=kind: policies.published(conn, kind)
                    )
                    assert row is not None
                    assert row.version == 1
                assert await house.ledger.read(lambda conn: key_by_id(conn, LOCAL_KEY))
                assert await until_looked_at(house)
                assert start


@pytest.mark.anyio
async def test_a_home_without_settings_opens_too(tmp_path: Path) -> None:
    async with open_house(tmp_path, Settings()) as house:
        assert (await answer(house, "download.list"))["downloads"] == []


@pytest.mark.anyio
async def test_reads_of_the_last_second_are_in_the_audit(tmp_path: Path) -> None:
    async with open_house(tmp_path, Settings()) as house:
        await answer(house, "download.list")
    async with open_house(tmp_path, Settings()) as house:
        rows = await house.ledger.read(audit.newest)
    assert [row.capability for row in rows] == ["download.list"]


@pytest.mark.anyio
async def test_what_a_dead_process_left_is_settled_before_the_house_is_open(
    tmp_path: Path,
) -> None:
    async with plot(tmp_path) as ready:
        async with open_house(ready.home, ready.settings) as house:
            at = house.ledger.now()
            await house.ledger.write(lambda tx: claims.claim(tx, claim_of_a_dead_process(), at))
        async with open_house(ready.home, ready.settings) as house:
            assert (house.recovered.disowned, house.recovered.settled) == (1, 1)
            (claim,) = await house.ledger.read(claims.newest)
            assert (claim.state, claim.free_again) == (ClaimState.FAILED, True)


@pytest.mark.anyio
async def test_an_exception_of_the_block_leaves_as_it_was_raised(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with open_house(tmp_path, Settings()):
            raise ZeroDivisionError


@pytest.mark.anyio
async def test_a_goal_becomes_a_film_on_the_shelf(tmp_path: Path) -> None:
    async with plot(tmp_path) as ready, open_house(ready.home, ready.settings) as house:
        run = (await answer(house, "runs.start_run", goal="bring Sintel home in 1080p"))["id"]
        asked = await until_asked(house)
        assert await house.ledger.read(downloads.listing) == []
        await approve(house, asked)
        ended = await until_over(house, run)
        assert ended.state is RunState.SUCCEEDED, ended.reason
        placed = ready.films / VIDEO
        assert placed.stat().st_size == MIB
        (film,) = (await answer(house, "inventory.query"))["works"]
        assert film["files"][0]["path"] == str(placed)
        acts = await house.ledger.read(lambda conn: claims.newest(conn, limit=100))
        done = [(c.capability, c.state) for c in acts if c.natural_key is not None]
        assert sorted(done) == [
            ("download.submit", ClaimState.SUCCEEDED),
            ("organize.execute", ClaimState.SUCCEEDED),
        ]
        assert (await answer(house, "decision.list"))["decisions"] == []


@pytest.mark.anyio
async def test_a_run_that_waits_for_the_owner_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with plot(tmp_path) as ready:
        async with open_house(ready.home, ready.settings) as house:
            run = (await answer(house, "runs.start_run", goal="bring Sintel home in 1080p"))["id"]
            asked = await until_asked(house)
        async with open_house(ready.home, ready.settings) as house:
            await approve(house, asked)
            ended = await until_over(house, run)
        assert ended.state is RunState.SUCCEEDED, ended.reason
        assert (ready.films / VIDEO).exists()


@pytest.mark.proof
@pytest.mark.anyio
async def test_a_run_that_the_end_of_the_house_cuts_off_goes_on_and_has_not_failed(
    tmp_path: Path,
) -> None:
    async with plot(tmp_path) as ready:
        gone = ready.stage.model.hang_next(1)
        async with open_house(ready.home, ready.settings) as house:
            run = (await answer(house, "runs.start_run", goal="bring Sintel home in 1080p"))["id"]
            with anyio.fail_after(WITHIN_S):
                while not ready.stage.model.requests:
                    await checkpoint()
        await gone.wait()
        async with open_house(ready.home, ready.settings) as house:
            await approve(house, await until_asked(house))
            ended = await until_over(house, run)
        assert ended.state is RunState.SUCCEEDED, ended.reason


@pytest.mark.anyio
async def test_what_needs_the_owner_says_where_the_console_is(tmp_path: Path) -> None:
    at = "http://127.0.0.1:8930"
    async with (
        plot(tmp_path) as ready,
        open_house(ready.home, ready.settings, console=lambda: at) as house,
    ):
        run = (await answer(house, "runs.start_run", goal="bring Sintel home in 1080p"))["id"]
        asked = await until_asked(house)
        held = await house.ledger.read(lambda conn: approvals.by_id(conn, str(asked.approval)))
        assert held is not None
        id_ = new_id("call")
        phone = client("phone", frozenset({"download.submit"}))
        refused = await house.registry.invoke(
            Call("download.submit", {"plan": held.plan}, phone, id_, id_)
        )
        assert isinstance(refused, Refused)
        assert refused.needs["address"] == f"{at}/decisions/{asked.id}"
        await answer(house, "runs.abort_run", run=run)
        await until_over(house, run)
