import random
import re

from hypothesis import given
from hypothesis import strategies as st

from server.guard.setup_code import as_typed, fresh_code


def test_a_code_is_four_groups_of_four_without_look_alikes() -> None:
    for _ in range(50):
        assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}", fresh_code())


def test_codes_do_not_repeat() -> None:
    assert len({fresh_code() for _ in range(500)}) == 500


@given(
    st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=16, max_size=16),
    st.randoms(use_true_random=False),
)
def test_careless_typing_is_the_same_code(code: str, chance: random.Random) -> None:
    likeness = {"0": "0oO", "1": "1lIi"}
    typed = "".join(
        chance.choice(likeness.get(sign, [sign, sign.lower()])) + chance.choice(["", "-", " "])
        for sign in code
    )
    assert as_typed(typed) == code
