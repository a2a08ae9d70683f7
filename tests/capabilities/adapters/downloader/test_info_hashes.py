import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.downloader.info_hashes import InfoHashes, named_by, normal_hash

V1 = "0123456789abcdef0123456789abcdef01234567"
V2 = "fedcba98" * 8


@given(st.binary(min_size=20, max_size=20))
def test_every_spelling_of_a_v1_hash_is_one_hash(raw: bytes) -> None:
    base32 = base64.b32encode(raw).decode()

    for text in (raw.hex(), raw.hex().upper(), f"  {raw.hex()}\n", base32, base32.lower()):
        assert normal_hash(text) == raw.hex()
        assert named_by(text) == InfoHashes(v1=raw.hex())


@given(st.text(max_size=70))
def test_a_text_is_a_hash_or_nothing(text: str) -> None:
    normal = normal_hash(text)

    assert normal is None or (len(normal) in {40, 64} and int(normal, 16) >= 0)


def test_a_long_hash_is_one_of_the_second_version() -> None:
    assert named_by(V2.upper()) == InfoHashes(v2=V2)
    assert named_by("not a hash") is None


def test_a_hybrid_is_known_by_both_hashes_and_by_the_short_one() -> None:
    hybrid = InfoHashes(V1, V2)

    assert hybrid.key == V1
    assert InfoHashes(v2=V2).key == V2
    assert hybrid.names() == {V1, V2, V2[:40]}
    assert hybrid.same_as(InfoHashes(v1=V1))
    assert InfoHashes(v1=V2[:40]).same_as(hybrid)
    assert not hybrid.same_as(InfoHashes(v1="ab" * 20))


@pytest.mark.parametrize(
    ("v1", "v2"), [(None, None), (V1.upper(), None), (V1[1:], None), (None, V1), (V1, V2[1:])]
)
def test_a_hash_in_another_spelling_is_refused(v1: str | None, v2: str | None) -> None:
    with pytest.raises(ValueError, match="info-hash"):
        InfoHashes(v1, v2)
