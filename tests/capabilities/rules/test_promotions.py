import pytest

from capabilities.rules.promotions import promotion_flags


@pytest.mark.parametrize(
    ("down", "up", "flags"),
    [
        (0.0, 1.0, ["freeleech"]),
        (0.5, None, ["halfleech"]),
        (1.0, 2.0, ["double_upload"]),
        (None, None, []),
        (1.0, 1.0, []),
    ],
)
def test_factors_have_names_and_unknown_ones_none(
    down: float | None, up: float | None, flags: list[str]
) -> None:
    assert [flag.value for flag in promotion_flags(down, up)] == flags
