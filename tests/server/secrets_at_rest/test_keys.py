import sys
from pathlib import Path

import pytest

from ledger.sealing import SealingKey
from server.secrets_at_rest.keys import OLD_VARIABLE, VARIABLE, Kept, SealingKeys, sealing_keys
from server.secrets_at_rest.slots import FileSlots, SealingKeyError, Slot

ONE, TWO = SealingKey(b"1" * 32), SealingKey(b"2" * 32)


def test_the_file_is_made_at_first_need_and_not_before(tmp_path: Path) -> None:
    keys = sealing_keys(tmp_path, {})
    assert keys.openers().keys == {}
    assert list(tmp_path.iterdir()) == []
    made = keys.sealer()
    assert keys.sealer() == made
    assert keys.openers().keys == {made.id: made}
    assert sealing_keys(tmp_path, {}).sealer() == made


def test_the_environment_goes_before_the_file_and_both_open(tmp_path: Path) -> None:
    filed = sealing_keys(tmp_path, {}).sealer()
    keys = sealing_keys(tmp_path, {VARIABLE: ONE.text, OLD_VARIABLE: TWO.text})
    assert keys.sealer() == ONE
    assert set(keys.openers().keys) == {ONE.id, TWO.id, filed.id}


def test_with_a_key_in_the_environment_no_file_is_made(tmp_path: Path) -> None:
    keys = sealing_keys(tmp_path, {VARIABLE: ONE.text})
    assert keys.sealer() == keys.successor() == ONE
    keys.adopt()
    assert list(tmp_path.iterdir()) == []
    assert keys.only_owner_changes
    assert not sealing_keys(tmp_path, {VARIABLE: ""}).only_owner_changes


def test_a_variable_that_holds_no_key_is_named_and_not_repeated(tmp_path: Path) -> None:
    keys = sealing_keys(tmp_path, {VARIABLE: "canary"})
    with pytest.raises(SealingKeyError, match=VARIABLE) as refused:
        keys.sealer()
    assert "canary" not in str(refused.value)


def test_a_place_that_cannot_be_looked_into_hides_no_other(tmp_path: Path) -> None:
    FileSlots(tmp_path).begin(TWO)
    (tmp_path / "secret.key").chmod(0o644)
    openers = sealing_keys(tmp_path, {VARIABLE: ONE.text}).openers()
    assert set(openers.keys) == {ONE.id}
    assert "secret.key" in openers.troubles[0]


def test_the_keyring_is_asked_only_when_the_settings_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert sealing_keys(tmp_path, {}).openers().troubles == ()
    with pytest.raises(SealingKeyError, match="keyring"):
        sealing_keys(tmp_path, {}, keyring=True).sealer()
    assert list(tmp_path.iterdir()) == []


def test_a_successor_waits_beside_the_key_in_use(tmp_path: Path) -> None:
    keys = sealing_keys(tmp_path, {})
    before, successor = keys.sealer(), keys.successor()
    assert keys.sealer() == before
    assert keys.successor() == successor
    assert set(keys.openers().keys) == {before.id, successor.id}


def test_an_adopted_successor_is_in_use_and_the_key_before_it_still_opens(tmp_path: Path) -> None:
    keys = sealing_keys(tmp_path, {})
    before, successor = keys.sealer(), keys.successor()
    keys.adopt()
    keys.adopt()
    assert keys.sealer() == successor
    assert set(keys.openers().keys) == {before.id, successor.id}
    keys.successor()
    keys.adopt()
    assert before.id not in keys.openers().keys


def test_a_successor_without_a_key_before_it_is_adopted_alone(tmp_path: Path) -> None:
    slots = FileSlots(tmp_path)
    keys = SealingKeys([Kept(slots)])
    successor = keys.successor()
    keys.adopt()
    assert (slots.read(Slot.CURRENT), slots.read(Slot.OLD)) == (successor, None)


class CutShort(FileSlots):
    """Files behind a process that dies at its nth change."""

    left = 0

    def write(self, slot: Slot, key: SealingKey) -> None:
        self._die_at_last()
        super().write(slot, key)

    def clear(self, slot: Slot) -> None:
        self._die_at_last()
        super().clear(slot)

    def _die_at_last(self) -> None:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1


@pytest.mark.parametrize("changes", [0, 1, 2])
def test_an_adoption_that_is_cut_short_loses_no_key(changes: int, tmp_path: Path) -> None:
    keys = sealing_keys(tmp_path, {})
    before, successor = keys.sealer(), keys.successor()
    dying = CutShort(tmp_path)
    dying.left = changes
    with pytest.raises(KeyboardInterrupt):
        SealingKeys([Kept(dying)]).adopt()
    assert {before.id, successor.id} <= set(keys.openers().keys)
    assert keys.successor() == successor
    keys.adopt()
    assert keys.sealer() == successor
