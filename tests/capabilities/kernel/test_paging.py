import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.paging import page, start_of


@settings(deadline=None)
@given(total=st.integers(0, 60), limit=st.integers(1, 20))
def test_following_the_cursors_shows_everything_once(total: int, limit: int) -> None:
    shown: list[int] = []
    cursor: str | None = None
    while True:
        start = start_of(cursor)
        items = list(range(total))[start : start + limit]
        shown += items
        told = page(total, start, len(items))
        assert told.total == total
        assert told.left_out == total - len(shown)
        if told.next_cursor is None:
            break
        cursor = told.next_cursor
    assert shown == list(range(total))


def test_a_page_behind_the_end_is_the_last() -> None:
    told = page(3, 10, 0)
    assert (told.total, told.left_out, told.next_cursor) == (3, 0, None)


@pytest.mark.parametrize("cursor", ["", "-1", "1.5", "next", "²"])
def test_a_cursor_that_is_none_of_ours_is_refused(cursor: str) -> None:
    with pytest.raises(HaltError) as halted:
        start_of(cursor)
    assert isinstance(halted.value.outcome, Refused)
    assert halted.value.outcome.code == Code.INVALID_INPUT
