import pytest

from capabilities.rules.holding import HELD, KEPT_BACK, Hold, hold_of


def test_what_is_not_held_by_us_has_no_reason() -> None:
    assert hold_of({"rate": 1}) is None


@pytest.mark.parametrize("hold", list(Hold))
def test_a_reason_is_read_back_as_it_was_kept(hold: Hold) -> None:
    assert hold_of({HELD: hold.value}) is hold


def test_only_want_of_space_ends_by_itself() -> None:
    assert set(Hold) - KEPT_BACK == {Hold.SPACE}
