import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.sealing import KEY_BYTES, NONCE_BYTES, SealBrokenError, Sealed, SealingKey

KEY = SealingKey(bytes(range(KEY_BYTES)))


@given(name=st.text(max_size=20), value=st.text(max_size=200))
def test_what_is_sealed_opens_under_its_name(name: str, value: str) -> None:
    name, value = (text.encode(errors="replace").decode() for text in (name, value))
    assert KEY.open(name, KEY.seal(name, value)) == value


def test_nothing_of_the_value_shows() -> None:
    sealed = KEY.seal("a", "canary" * 5)
    assert b"canary" not in sealed.sealed
    assert len(sealed.nonce) == NONCE_BYTES


def test_two_sealings_share_nothing() -> None:
    one, two = KEY.seal("a", "value"), KEY.seal("a", "value")
    assert one.nonce != two.nonce
    assert one.sealed != two.sealed


def test_another_key_opens_nothing() -> None:
    sealed = KEY.seal("a", "value")
    other = SealingKey.fresh()
    assert other.id != KEY.id
    with pytest.raises(SealBrokenError, match="'a'"):
        other.open("a", sealed)


def test_another_name_opens_nothing() -> None:
    with pytest.raises(SealBrokenError):
        KEY.open("b", KEY.seal("a", "value"))


@pytest.mark.parametrize("at", range(20))
def test_a_changed_bit_opens_nothing(at: int) -> None:
    sealed = KEY.seal("a", "value")
    changed = bytearray(sealed.sealed)
    changed[at] ^= 1
    with pytest.raises(SealBrokenError):
        KEY.open("a", Sealed(sealed.key_id, sealed.nonce, bytes(changed)))


def test_a_nonce_of_no_length_opens_nothing() -> None:
    with pytest.raises(SealBrokenError):
        KEY.open("a", Sealed(KEY.id, b"", b""))


def test_a_key_is_read_as_it_is_written() -> None:
    key = SealingKey.fresh()
    assert SealingKey.read(f" {key.text}\n") == key


@pytest.mark.parametrize("text", ["", "x", base64.b64encode(b"short").decode(), "ä" * 44])
def test_what_is_no_key_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="32 bytes in Base64") as refused:
        SealingKey.read(text)
    assert not text or text not in str(refused.value)


def test_a_key_does_not_show_itself() -> None:
    assert KEY.text not in repr(KEY)
    assert repr(KEY) == "SealingKey()"
    assert KEY.id not in KEY.text
