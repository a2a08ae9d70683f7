from datetime import UTC, timedelta

from ledger.clock import Clock, new_id, new_token


def test_the_wall_clock_tells_utc_and_the_monotonic_clock_never_goes_back() -> None:
    clock = Clock()
    assert clock.now().tzinfo is UTC
    assert clock.now().utcoffset() == timedelta(0)
    assert clock.monotonic() <= clock.monotonic()


def test_ids_and_tokens_are_never_the_same_twice() -> None:
    ids = {new_id("plan") for _ in range(1000)} | {new_token() for _ in range(1000)}
    assert len(ids) == 2000


def test_an_id_says_what_it_names_and_fits_its_column() -> None:
    assert new_id("plan").startswith("plan_")
    assert len(new_id("a_longer_prefix")) <= 48
