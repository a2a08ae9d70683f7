import sys
from pathlib import Path

import pytest

from ledger.sealing import SealingKey
from server.secrets_at_rest.slots import FileSlots, KeyringSlots, SealingKeyError, Slot, Slots

ONE, TWO = SealingKey(b"1" * 32), SealingKey(b"2" * 32)

RING = """
import json, pathlib
from keyring.errors import KeyringError, PasswordDeleteError
FILE = pathlib.Path(__file__).with_name("held.json")

def _held():
    if FILE.with_name("locked").exists():
        raise KeyringError("locked")
    return json.loads(FILE.read_text()) if FILE.exists() else {}

def get_password(service, account):
    return _held().get(f"{service}/{account}")

def set_password(service, account, password):
    FILE.write_text(json.dumps({**_held(), f"{service}/{account}": password}))

def delete_password(service, account):
    held = _held()
    if f"{service}/{account}" not in held:
        raise PasswordDeleteError("not there")
    del held[f"{service}/{account}"]
    FILE.write_text(json.dumps(held))
"""
ERRORS = "class KeyringError(Exception): ...\nclass PasswordDeleteError(KeyringError): ...\n"


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A keyring that keeps its entries in a file, in the place of the package; its folder."""
    package = tmp_path / "site" / "keyring"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(RING)
    (package / "errors.py").write_text(ERRORS)
    monkeypatch.setattr(sys, "path", [str(package.parent), *sys.path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "keyring"]:
        monkeypatch.delitem(sys.modules, name)
    return package


@pytest.fixture(params=["files", "keyring"])
def slots(request: pytest.FixtureRequest, tmp_path: Path) -> Slots:
    if request.param == "files":
        return FileSlots(tmp_path)
    request.getfixturevalue("ring")
    return KeyringSlots(tmp_path)


def test_an_empty_place_holds_nothing(slots: Slots) -> None:
    assert [slots.read(slot) for slot in Slot] == [None, None, None]


def test_each_slot_holds_its_own_key(slots: Slots) -> None:
    slots.write(Slot.CURRENT, ONE)
    slots.write(Slot.NEXT, TWO)
    slots.write(Slot.NEXT, ONE)
    slots.write(Slot.OLD, TWO)
    assert [slots.read(slot) for slot in Slot] == [ONE, ONE, TWO]


def test_whoever_begins_second_gets_the_key_of_the_first(slots: Slots) -> None:
    assert slots.begin(ONE) == ONE
    assert slots.begin(TWO) == ONE
    assert slots.read(Slot.CURRENT) == ONE


def test_a_slot_can_be_emptied_twice(slots: Slots) -> None:
    slots.write(Slot.NEXT, ONE)
    slots.clear(Slot.NEXT)
    slots.clear(Slot.NEXT)
    assert slots.read(Slot.NEXT) is None


def test_files_are_their_owners_alone_and_nothing_else_is_left(tmp_path: Path) -> None:
    slots = FileSlots(tmp_path)
    slots.begin(ONE)
    slots.begin(TWO)
    slots.write(Slot.OLD, TWO)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.key", "secret.key.old"]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_can_read_is_refused(mode: int, tmp_path: Path) -> None:
    slots = FileSlots(tmp_path)
    slots.begin(ONE)
    slots.path(Slot.CURRENT).chmod(mode)
    with pytest.raises(SealingKeyError, match="Set its mode to 0600"):
        slots.read(Slot.CURRENT)
    with pytest.raises(SealingKeyError):
        slots.begin(TWO)


@pytest.mark.parametrize("text", ["", "AAAA", "no key", "é" * 40])
def test_a_file_that_holds_no_key_is_refused(text: str, tmp_path: Path) -> None:
    slots = FileSlots(tmp_path)
    path = slots.path(Slot.CURRENT)
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(SealingKeyError, match="no key of 32 bytes") as refused:
        slots.read(Slot.CURRENT)
    assert str(tmp_path) not in str(refused.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    slots = FileSlots(tmp_path)
    slots.path(Slot.CURRENT).mkdir()
    with pytest.raises(SealingKeyError, match="cannot be read"):
        slots.read(Slot.CURRENT)


def test_a_home_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    slots = FileSlots(tmp_path / "gone")
    for act in (lambda: slots.begin(ONE), lambda: slots.write(Slot.NEXT, ONE)):
        with pytest.raises(SealingKeyError, match="cannot be written"):
            act()
    with pytest.raises(SealingKeyError, match="cannot be written"):
        slots.clear(Slot.NEXT)


def test_entries_of_two_homes_are_apart(ring: Path, tmp_path: Path) -> None:
    assert ring.exists()
    one, two = KeyringSlots(tmp_path / "one"), KeyringSlots(tmp_path / "two")
    one.begin(ONE)
    assert two.read(Slot.CURRENT) is None


def test_an_entry_that_is_no_key_is_refused(ring: Path, tmp_path: Path) -> None:
    slots = KeyringSlots(tmp_path)
    slots.begin(ONE)
    held = ring / "held.json"
    held.write_text(held.read_text().replace(ONE.text, "nonsense"))
    with pytest.raises(SealingKeyError, match="no key of 32 bytes"):
        slots.read(Slot.CURRENT)


def test_a_keyring_that_is_locked_is_told(ring: Path, tmp_path: Path) -> None:
    (ring / "locked").touch()
    with pytest.raises(SealingKeyError, match="locked"):
        KeyringSlots(tmp_path).read(Slot.CURRENT)


def test_a_keyring_that_is_not_installed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(SealingKeyError, match="not installed"):
        KeyringSlots(tmp_path).read(Slot.CURRENT)
    assert list(tmp_path.iterdir()) == []
