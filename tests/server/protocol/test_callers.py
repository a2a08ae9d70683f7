from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.stores import access
from ledger.stores.access import LOCAL_KEY
from server.protocol.callers import USE_NOTED_EVERY, Caller, Callers

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncGenerator[Ledger]:
    async with opened(tmp_path) as one:
        yield one


async def add_key(ledger: Ledger, secret: str | None, lifetime: timedelta | None = None) -> str:
    now = ledger.now()
    until = None if lifetime is None else now + lifetime
    return await ledger.write(
        lambda tx: access.add_key(
            tx,
            name="test",
            secret=secret,
            scopes=["read"],
            at=now,
            expires_at=until,
            id_=LOCAL_KEY if secret is None else None,
        )
    )


def later(ledger: Ledger, by: timedelta) -> Callers:
    then = ledger.now() + by
    return Callers(replace(ledger, clock=Clock(now=lambda: then)))


async def last_used(ledger: Ledger, key: str) -> object:
    row = await ledger.read(lambda conn: access.key_by_id(conn, key))
    assert row is not None
    return row.last_used_at


async def test_a_secret_leads_to_its_key(ledger: Ledger) -> None:
    key = await add_key(ledger, "secret")
    callers = Callers(ledger)
    assert await callers.key_of("secret") == key
    assert await callers.key_of("another") is None


async def test_no_secret_leads_to_the_local_key_where_there_is_one(ledger: Ledger) -> None:
    assert await Callers(ledger).key_of(None) is None
    await add_key(ledger, None)
    assert await Callers(ledger).key_of(None) == LOCAL_KEY


async def test_a_key_acts_with_its_scopes_until_it_is_revoked(ledger: Ledger) -> None:
    key = await add_key(ledger, "secret")
    callers = Callers(ledger)
    actor = await callers.actor(Caller(key, "conn"))
    assert actor is not None
    assert (str(actor), actor.scopes, actor.decides) == (f"key:{key}", {"read"}, False)
    await ledger.write(lambda tx: access.revoke_key(tx, key, ledger.now()))
    assert await callers.actor(Caller(key, "conn")) is None
    assert await callers.key_of("secret") is None


async def test_a_key_ends_when_it_expires(ledger: Ledger) -> None:
    key = await add_key(ledger, "secret", timedelta(hours=1))
    assert await later(ledger, timedelta(minutes=59)).key_of("secret") == key
    late = later(ledger, timedelta(minutes=61))
    assert await late.key_of("secret") is None
    assert await late.actor(Caller(key, "conn")) is None


async def test_a_key_that_never_was_is_nobody(ledger: Ledger) -> None:
    assert await Callers(ledger).actor(Caller("key_no", "conn")) is None


async def test_the_last_use_is_noted_once_a_minute(ledger: Ledger) -> None:
    key = await add_key(ledger, "secret")
    who = Caller(key, "conn")
    await Callers(ledger).actor(who)
    first = await last_used(ledger, key)
    assert first is not None
    await later(ledger, USE_NOTED_EVERY / 2).actor(who)
    assert await last_used(ledger, key) == first
    await later(ledger, USE_NOTED_EVERY * 2).actor(who)
    assert await last_used(ledger, key) != first
