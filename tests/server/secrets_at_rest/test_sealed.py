from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import structlog

from capabilities.kernel.actors import owner
from capabilities.kernel.codes import Code
from ledger.ledger import Ledger, opened
from ledger.sealing import SealingKey
from ledger.stores import audit, sealed_secrets
from ledger.stores.audit import AuditRow
from server.guard.faults import DoorError
from server.secrets_at_rest.keys import OLD_VARIABLE, VARIABLE, SealingKeys, sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from server.settings import Settings
from tests.ledger.homes import furnish

pytestmark = pytest.mark.anyio

ADA = owner("ada")
NAME, VALUE = "metadata.tmdb.key", "canary-of-tmdb"
ONE, TWO = SealingKey(b"1" * 32), SealingKey(b"2" * 32)


@dataclass(frozen=True)
class Home:
    root: Path
    ledger: Ledger

    def secrets(self, **environ: str) -> SealedSecrets:
        return SealedSecrets(self.ledger, sealing_keys(self.root, environ))

    async def trail(self) -> list[AuditRow]:
        return await self.ledger.read(audit.newest)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncGenerator[Home]:
    furnish(tmp_path)
    async with opened(tmp_path) as ledger:
        yield Home(tmp_path, ledger)


async def put(secrets: SealedSecrets, *names: str) -> None:
    for name in names:
        await secrets.put(ADA, name, VALUE)


async def values(secrets: SealedSecrets) -> dict[str, str]:
    return dict((await secrets.opened()).values)


async def test_a_secret_is_sealed_and_listed_without_its_value(home: Home) -> None:
    secrets = home.secrets()
    assert await secrets.all() == []
    await put(secrets, NAME)
    (state,) = await secrets.all()
    assert (state.name, state.trouble) == (NAME, None)
    assert VALUE not in repr(state)
    assert await values(secrets) == {NAME: VALUE}
    assert VALUE not in repr(await secrets.opened())


async def test_nothing_of_it_is_on_disk_in_the_clear(home: Home) -> None:
    await put(home.secrets(), NAME)
    assert not [path for path in home.root.iterdir() if VALUE.encode() in path.read_bytes()]


async def test_setting_removing_and_sealing_anew_are_in_the_audit(home: Home) -> None:
    secrets = home.secrets()
    await put(secrets, NAME)
    await secrets.reseal(ADA)
    assert await secrets.remove(ADA, NAME)
    assert not await secrets.remove(ADA, NAME)
    trail = [(row.actor, row.action, row.summary) for row in (await home.trail())[::-1]]
    assert trail == [
        ("owner:ada", action, {"secrets": [NAME]})
        for action in ("secret set", "secrets sealed anew", "secret removed")
    ]


async def test_a_key_that_is_gone_is_told_and_loses_nothing(home: Home) -> None:
    await put(home.secrets(), NAME)
    key = home.root / "secret.key"
    key.rename(home.root / "elsewhere")
    secrets = home.secrets()
    (state,) = await secrets.all()
    assert NAME in str(state.trouble)
    assert "Put it back" in str(state.trouble)
    assert await values(secrets) == {}
    with pytest.raises(DoorError, match="Nothing was changed") as refused:
        await secrets.reseal(ADA)
    assert refused.value.code is Code.PRECONDITION
    (home.root / "elsewhere").rename(key)
    assert await values(secrets) == {NAME: VALUE}


async def test_another_key_opens_nothing_and_loses_nothing(home: Home) -> None:
    await put(home.secrets(**{VARIABLE: ONE.text}), NAME)
    (state,) = await home.secrets(**{VARIABLE: TWO.text}).all()
    assert NAME in str(state.trouble)
    assert await values(home.secrets(**{VARIABLE: ONE.text})) == {NAME: VALUE}


async def test_a_key_file_that_others_can_read_is_the_reason_given(home: Home) -> None:
    secrets = home.secrets()
    await put(secrets, NAME)
    (home.root / "secret.key").chmod(0o644)
    (state,) = await secrets.all()
    assert "Set its mode to 0600" in str(state.trouble)
    with pytest.raises(DoorError, match="0600"):
        await put(secrets, NAME)


async def test_a_sealed_value_that_was_changed_is_told(home: Home) -> None:
    secrets = home.secrets()
    await put(secrets, NAME)
    (row,) = await home.ledger.read(sealed_secrets.all_of)
    changed = replace(row.seal, sealed=b"\0" * 32)
    await home.ledger.write(lambda tx: sealed_secrets.put(tx, NAME, changed, row.set_at))
    (state,) = await secrets.all()
    assert "was changed" in str(state.trouble)


async def test_settings_get_what_they_lack_and_what_does_not_open_is_logged(home: Home) -> None:
    secrets = home.secrets()
    await put(secrets, NAME, "indexers.gone.key")
    filled = await secrets.filled(Settings())
    assert filled.metadata.tmdb.key is not None
    assert filled.metadata.tmdb.key.get_secret_value() == VALUE
    (home.root / "secret.key").unlink()
    with structlog.testing.capture_logs() as logged:
        assert await secrets.filled(Settings()) == Settings()
    assert [each["name"] for each in logged] == ["indexers.gone.key", NAME]
    assert VALUE not in str(logged)


async def test_a_house_without_sealed_secrets_needs_no_key(home: Home) -> None:
    secrets = home.secrets(**{VARIABLE: "no key"})
    assert await secrets.filled(Settings()) == Settings()


async def test_sealing_anew_takes_another_key_for_all(home: Home) -> None:
    secrets = home.secrets()
    await put(secrets, "upstreams.a.key", NAME)
    before = {row.key_id for row in await home.ledger.read(sealed_secrets.all_of)}
    assert await secrets.reseal(ADA) == [NAME, "upstreams.a.key"]
    after = {row.key_id for row in await home.ledger.read(sealed_secrets.all_of)}
    assert len(before) == len(after) == 1
    assert before != after
    assert await values(secrets) == {NAME: VALUE, "upstreams.a.key": VALUE}
    await put(secrets, "upstreams.b.key")
    assert {row.key_id for row in await home.ledger.read(sealed_secrets.all_of)} == after


async def test_with_nothing_sealed_no_key_is_made(home: Home) -> None:
    with pytest.raises(DoorError, match="No secret is sealed"):
        await home.secrets().reseal(ADA)
    assert not (home.root / "secret.key").exists()


class Dying:
    """Keys of a process that dies when its new key is to be adopted, or before anything."""

    def __init__(self, keys: SealingKeys, *, before: str) -> None:
        self._keys = keys
        self._before = before

    def __getattr__(self, name: str) -> object:
        if name == self._before:
            raise KeyboardInterrupt
        return getattr(self._keys, name)


@pytest.mark.parametrize("before", ["openers", "adopt"])
async def test_sealing_anew_that_is_cut_short_leaves_everything_open(
    before: str, home: Home
) -> None:
    await put(home.secrets(), NAME, "upstreams.a.key")
    dying = Dying(sealing_keys(home.root, {}), before=before)
    with pytest.raises(KeyboardInterrupt):
        await SealedSecrets(home.ledger, dying).reseal(ADA)  # pyright: ignore[reportArgumentType]  # it is one up to its death
    assert (home.root / "secret.key.next").exists()
    secrets = home.secrets()
    assert await values(secrets) == {NAME: VALUE, "upstreams.a.key": VALUE}
    await put(secrets, "upstreams.b.key")
    assert await secrets.reseal(ADA) == [NAME, "upstreams.a.key", "upstreams.b.key"]
    assert not (home.root / "secret.key.next").exists()
    assert len(await values(home.secrets())) == 3
    assert len({row.key_id for row in await home.ledger.read(sealed_secrets.all_of)}) == 1


async def test_a_ledger_that_fails_in_the_middle_leaves_everything_open(home: Home) -> None:
    secrets = home.secrets()
    await put(secrets, NAME, "upstreams.a.key")
    rows = await home.ledger.read(sealed_secrets.all_of)
    foreign = replace(rows[1].seal, key_id="gone")
    await home.ledger.write(
        lambda tx: sealed_secrets.put(tx, rows[1].name, foreign, rows[1].set_at)
    )
    with pytest.raises(DoorError, match="Nothing was changed"):
        await secrets.reseal(ADA)
    assert (await home.ledger.read(sealed_secrets.all_of))[0] == rows[0]
    assert await values(secrets) == {NAME: VALUE}


async def test_secrets_move_from_the_file_to_the_environment(home: Home) -> None:
    await put(home.secrets(), NAME)
    moved = home.secrets(**{VARIABLE: ONE.text})
    assert await moved.reseal(ADA) == [NAME]
    (home.root / "secret.key").unlink()
    assert await values(moved) == {NAME: VALUE}


async def test_only_the_owner_changes_the_key_of_the_environment(home: Home) -> None:
    secrets = home.secrets(**{VARIABLE: ONE.text})
    await put(secrets, NAME)
    with pytest.raises(DoorError, match=OLD_VARIABLE):
        await secrets.reseal(ADA)
    changed = home.secrets(**{VARIABLE: TWO.text, OLD_VARIABLE: ONE.text})
    assert await values(changed) == {NAME: VALUE}
    assert await changed.reseal(ADA) == [NAME]
    assert await values(home.secrets(**{VARIABLE: TWO.text})) == {NAME: VALUE}


async def test_keys_are_known_to_those_who_must_hide_them(home: Home) -> None:
    assert await home.secrets(**{VARIABLE: ONE.text}).key_texts() == {ONE.text}


async def test_what_does_not_open_is_known_from_the_start_on_and_as_soon_as_it_is_lost(
    home: Home,
) -> None:
    await put(home.secrets(), NAME)
    assert await home.secrets().unopened() == []
    key = home.root / "secret.key"
    kept = key.read_bytes()
    key.write_text("garbage")
    secrets = home.secrets()
    assert await secrets.unopened() == [NAME]
    await secrets.filled(Settings())
    key.write_bytes(kept)
    assert secrets.shut == {NAME}
    assert await secrets.unopened() == [NAME]
