from dataclasses import replace

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.indexer.broken_claims import broken_claims
from capabilities.rules.found import Found

V1, V2 = "ab" * 20, "cd" * 32
HYBRID = InfoHashes(V1, V2)
OFFER = Found("T", "loopback", "1", info_hash=V1, size=10**9)


@pytest.mark.parametrize("claimed", [V1, V2, V2[:40], V1.upper(), None, "nonsense"])
def test_a_hash_that_names_the_torrent_or_nothing_holds(claimed: str | None) -> None:
    assert list(broken_claims(replace(OFFER, info_hash=claimed), HYBRID, None)) == []


def test_another_torrent_than_the_offered_one_is_named() -> None:
    (said,) = broken_claims(replace(OFFER, info_hash="ef" * 20), HYBRID, 10**9)
    assert said.startswith(f"its indexer says info-hash {'ef' * 20}, and it is {V1}")


@pytest.mark.parametrize("size", [10**9, 1_073_741_824, 900_000_001, None])
def test_a_size_that_was_rounded_holds(size: int | None) -> None:
    assert list(broken_claims(OFFER, HYBRID, size)) == []
    assert list(broken_claims(replace(OFFER, size=None), HYBRID, size)) == []


@pytest.mark.parametrize(
    ("size", "words"), [(1_500_000, "1.50 MB"), (12 * 10**9, "12.00 GB"), (0, "0.00 MB")]
)
def test_a_size_that_was_made_up_is_named(size: int, words: str) -> None:
    (said,) = broken_claims(OFFER, HYBRID, size)
    assert said == f"its indexer says 1.00 GB, and the torrent holds {words}"
