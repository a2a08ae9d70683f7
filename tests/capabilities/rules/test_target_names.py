import pytest

from capabilities.rules.target_names import target_names
from capabilities.rules.targets import Target


@pytest.mark.parametrize(
    ("targets", "wholes", "names"),
    [
        pytest.param([(0, 0)], {}, ("film",), id="a film"),
        pytest.param([(1, 2)], {}, ("S01E02",), id="one episode"),
        pytest.param([(1, 3), (1, 1), (1, 2)], {}, ("S01E01-E03",), id="a run in any order"),
        pytest.param([(1, 1), (1, 2), (1, 4)], {}, ("S01E01-E02", "S01E04"), id="a gap"),
        pytest.param([(1, 9), (2, 1)], {}, ("S01E09", "S02E01"), id="never across seasons"),
        pytest.param([(2, 1), (2, 2)], {2: 2}, ("S02",), id="a whole season"),
        pytest.param([(2, 1), (2, 2)], {2: 3}, ("S02E01-E02",), id="a part of a season"),
        pytest.param([(2, 1)], {2: 0}, ("S02E01",), id="a season nobody knows the size of"),
        pytest.param([(1, 1), (1, 1)], {}, ("S01E01",), id="each once"),
        pytest.param([(0, 0), (0, 1)], {}, ("S00E00-E01",), id="specials are no film"),
        pytest.param([], {1: 3}, (), id="nothing"),
    ],
)
def test_targets_are_named_in_runs(
    targets: list[Target], wholes: dict[int, int], names: tuple[str, ...]
) -> None:
    assert target_names(targets, wholes) == names
