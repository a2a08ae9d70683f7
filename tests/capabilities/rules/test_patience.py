from typing import Any

import pytest

from capabilities.rules.patience import Patience
from capabilities.rules.problems import UnsatisfiableError


def test_six_hours_without_a_byte_are_a_stall_and_a_day_for_the_only_release() -> None:
    known = Patience()
    assert (known.stalled_minutes, known.last_candidate_minutes) == (360, 1440)


@pytest.mark.parametrize(
    ("times", "field"),
    [
        ({"stalled_minutes": 0}, "patience.stalled_minutes"),
        ({"metadata_minutes": -1}, "patience.metadata_minutes"),
        ({"last_candidate_minutes": 10}, "patience.last_candidate_minutes"),
        ({"stalled_minutes": 10**9, "last_candidate_minutes": 10**9}, "patience.stalled_minutes"),
    ],
)
def test_times_that_say_nothing_are_refused_by_their_field(
    times: dict[str, Any], field: str
) -> None:
    with pytest.raises(UnsatisfiableError) as wrong:
        Patience(**times)
    assert wrong.value.problems[0].field == field
