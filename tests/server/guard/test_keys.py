from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.kernel.actors import owner
from capabilities.kernel.codes import Code
from ledger.stores import access, audit
from server.guard.faults import DoorError, NotSignedInError
from server.guard.keys import ensure_local_key
from server.guard.scopes import LOCAL_SCOPES
from tests.server.guard.gate import gate

pytestmark = pytest.mark.anyio

ANNA = owner("anna")
DAY = timedelta(days=1)


async def test_a_key_is_its_scopes_and_nothing_more(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        keys = here.guard().keys
        made = await keys.create(ANNA, "desk", ["read", "plan"], DAY)
        assert made.secret not in repr(made)
        actor = await keys.bearer(f"Bearer {made.secret}")
        assert (actor.kind, actor.id, actor.principal) == ("key", made.id, f"key:{made.id}")
        assert actor.scopes == {"read", "plan"}
        assert not actor.decides


async def test_a_key_ends_by_time_and_by_word(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        keys = here.guard().keys
        short = await keys.create(ANNA, "short", ["read"], DAY)
        ended = await keys.create(ANNA, "ended", ["read"], DAY)
        assert await keys.revoke(ANNA, ended.id)
        assert not await keys.revoke(ANNA, ended.id)
        assert not await keys.revoke(ANNA, "key_0")
        here.later(days=1)
        sentences = set[str]()
        for secret in (short.secret, ended.secret, "matinee_unknown", ""):
            with pytest.raises(NotSignedInError) as refused:
                await keys.bearer(f"Bearer {secret}")
            sentences.add(refused.value.sentence)
        assert len(sentences) == 1


async def test_making_and_revoking_are_audited_without_the_secret(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        keys = here.guard().keys
        made = await keys.create(ANNA, "desk", ["read"], DAY)
        await keys.revoke(ANNA, made.id)
        rows = await here.ledger.read(audit.newest)
        assert [(row.actor, row.action) for row in reversed(rows)] == [
            ("owner:anna", "key created"),
            ("owner:anna", "key revoked"),
        ]
        assert made.secret not in str(rows)


async def test_the_use_of_a_key_is_noted_once_a_minute(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        keys = here.guard().keys
        made = await keys.create(ANNA, "desk", ["read"], DAY)
        noted = list[object]()
        for wait in (0, 30, 30):
            here.later(seconds=wait)
            await keys.bearer(f"Bearer {made.secret}")
            noted.append((await keys.all())[0].last_used_at)
        assert noted[0] == noted[1]
        assert noted[2] == here.at


@pytest.mark.parametrize(
    ("scope", "hint"),
    [("red", "Did you mean 'read'?"), ("zzzz", "There are: read, plan, run, run.ask, shelf.put.")],
)
async def test_a_scope_that_does_not_exist_is_refused(
    tmp_path: Path, scope: str, hint: str
) -> None:
    async with gate(tmp_path) as here:
        with pytest.raises(DoorError) as refused:
            await here.guard().keys.create(ANNA, "desk", ["plan", scope], DAY)
        assert refused.value.code is Code.INVALID_INPUT
        assert refused.value.sentence == f"There is no scope '{scope}'. {hint}"
        assert await here.guard().keys.all() == []


async def test_the_local_key_is_made_once_and_stays_revoked(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        keys = here.guard().keys
        with pytest.raises(NotSignedInError):
            await keys.local()
        for _ in range(2):
            await here.ledger.write(lambda tx: ensure_local_key(tx, here.at))
        actor = await keys.local()
        assert (str(actor), actor.scopes) == ("key:local", frozenset(LOCAL_SCOPES))
        await keys.revoke(ANNA, access.LOCAL_KEY)
        await here.ledger.write(lambda tx: ensure_local_key(tx, here.at))
        with pytest.raises(NotSignedInError, match="revoked"):
            await keys.local()


async def test_the_local_key_of_an_earlier_version_carries_what_this_one_gives(
    tmp_path: Path,
) -> None:
    async with gate(tmp_path) as here:
        await here.ledger.write(
            lambda tx: access.add_key(
                tx, id_=access.LOCAL_KEY, name="this computer", secret=None, scopes=["read"],
                at=here.at,
            )
        )  # fmt: skip
        for _ in range(2):
            await here.ledger.write(lambda tx: ensure_local_key(tx, here.at))
        actor = await here.guard().keys.local()
        assert actor.scopes == frozenset(LOCAL_SCOPES)
        changed = [
            row for row in await here.ledger.read(audit.newest) if row.action == "key changed"
        ]
        assert len(changed) == 1
