"""What a forked child does: act once, and maybe die of it; or recover from a death, and tell."""

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import anyio

from capabilities.kernel.outcomes import AnyOutcome, facts, word
from capabilities.kernel.registry import Registry
from ledger.clock import Clock
from ledger.database import Snapshot, writing_engine
from ledger.ledger import Ledger
from ledger.location import SqliteFile
from ledger.migrate import migrate
from ledger.stores import claims, decisions
from ledger.stores.claims import Claim
from ledger.writer import Transaction
from server.background.recovery import look_at_unknown
from tests.crash.cast import CAST
from tests.crash.place import Place, ledger_of
from tests.crash.plays import Play
from tests.history import check_history

SETTLED_BY_THEN_S = 120.0
"""Longer than an effect without a key may take to arrive."""
REPORT = "report.json"
ANSWER = "answer.json"
OTHERS_ANSWER = "others-answer.json"
CROWD = 8


@dataclass(frozen=True, slots=True)
class Order:
    """What a child is to do: `act` or `recover`, in which play, where, and how broken it is."""

    act: str
    play: str
    place: Place

    @staticmethod
    def read(given: dict[str, Any]) -> "Order":
        """As it came through a pipe."""
        place = Place(
            Path(given["folder"]),
            given["address"],
            database=given.get("database", ""),
            busy_ms=given.get("busy_ms", 2_000),
        )
        return Order(given["act"], given["play"], place)


@dataclass(slots=True)
class Time:
    """A monotonic clock that is put forward by hand."""

    ahead_s: float = 0.0

    @property
    def clock(self) -> Clock:
        """The same as the ledger takes it."""
        return Clock(monotonic=lambda: monotonic() + self.ahead_s)


def furnish(order: Order) -> None:
    """Everything that was there before the call."""
    play, place = CAST[order.play], order.place
    play.furnish(place)
    engine = writing_engine(place.location)
    with engine.begin() as conn:
        play.rows(Transaction(conn), place)
    engine.dispose()


async def act(order: Order) -> None:
    """Make the call, once."""
    play, place = CAST[order.play], order.place
    async with ledger_of(place) as ledger, play.parts(place) as parts:
        registry = Registry([play.spec], ledger, parts)
        outcome = await registry.invoke(play.call())
        answer = {"outcome": word(outcome), "sentence": getattr(outcome, "sentence", "")}
        (place.folder / ANSWER).write_text(json.dumps(answer), encoding="utf-8")


async def recover(order: Order) -> None:
    """What a new start does, then the same call again, then another one for the same thing."""
    play, place, time = CAST[order.play], order.place, Time()
    told: dict[str, Any] = {}
    async with ledger_of(place, time.clock) as ledger, play.parts(place) as parts:
        registry = Registry([play.spec], ledger, parts)
        told["found"] = await _states(ledger)
        await ledger.engine.recover()
        await look_at_unknown(ledger, registry)
        again = [await registry.invoke(play.call(request=each)) for each in _asks(play)]
        told["again"] = [word(outcome) for outcome in again]
        if not play.natural:
            time.ahead_s += SETTLED_BY_THEN_S
            await look_at_unknown(ledger, registry)
            await registry.invoke(play.call())
        told["left"] = await _states(ledger)
        told["decisions"] = await ledger.read(_undecided)
        told["violations"] = await ledger.read(check_history)
    told["integrity"] = _integrity(place)
    (place.folder / REPORT).write_text(json.dumps(told), encoding="utf-8")


async def crowd(order: Order) -> None:
    """Make the call eight times at once, as eight callers with one key."""
    play, place = CAST[order.play], order.place
    outcomes: list[AnyOutcome] = []
    async with ledger_of(place) as ledger, play.parts(place) as parts:
        registry = Registry([play.spec], ledger, parts)

        async def ask(number: int) -> None:
            call = replace(play.call(), call_id=f"{os.getpid()}-{number}", client_key="one")
            outcomes.append(await registry.invoke(call))

        async with anyio.create_task_group() as callers:
            for number in range(CROWD):
                callers.start_soon(ask, number)
    told = [[word(outcome), facts(outcome)] for outcome in outcomes]
    (place.folder / f"crowd-{os.getpid()}.json").write_text(json.dumps(told), encoding="utf-8")


async def other(order: Order) -> None:
    """Go another way to the same effect."""
    play, place = CAST[order.play], order.place
    async with ledger_of(place) as ledger, play.parts(place) as parts:
        outcome = await Registry([play.spec], ledger, parts).invoke(play.other())
        told = {"outcome": word(outcome), "sentence": getattr(outcome, "sentence", "")}
        (place.folder / OTHERS_ANSWER).write_text(json.dumps(told), encoding="utf-8")


async def migrating(order: Order) -> None:
    """Bring the ledger to the declared tables, as any start does first."""
    migrate(order.place.location)


def _asks(play: Play) -> Sequence[str]:
    """Who asks after a death: the same request; where a key is natural, another one too."""
    return ("first", "second") if play.natural else ("first",)


async def _states(ledger: Ledger) -> list[str]:
    def look(conn: Snapshot) -> list[Claim]:
        return claims.newest(conn, limit=50)

    return [claim.state.value for claim in await ledger.read(look)]


def _undecided(conn: Snapshot) -> list[str]:
    waiting, _ = decisions.listing(conn)
    return [each.dedupe_key for each in waiting if each.dedupe_key.startswith("unknown:")]


def _integrity(place: Place) -> str:
    if not isinstance(place.location, SqliteFile):
        return "ok"
    with closing(sqlite3.connect(place.location.path)) as conn:
        return conn.execute("PRAGMA integrity_check").fetchone()[0]


ACTS: dict[str, Callable[[Order], Any]] = {
    "act": act,
    "recover": recover,
    "migrate": migrating,
    "crowd": crowd,
    "other": other,
}
