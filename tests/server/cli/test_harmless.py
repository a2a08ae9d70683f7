from hypothesis import given
from hypothesis import strategies as st

from server.cli.harmless import harmless

MARK = "\N{REPLACEMENT CHARACTER}"


def test_what_steers_or_hides_is_marked() -> None:
    assert (
        harmless("a\x1b[2J\x9b\r\u202eb\u200b\ue000")
        == f"a{MARK}[2J{MARK}{MARK}{MARK}b{MARK}{MARK}"
    )


def test_lines_tabs_and_other_scripts_stay() -> None:
    assert harmless("電影\n\tÉté 🎬") == "電影\n\tÉté 🎬"


@given(st.text())
def test_the_result_can_always_be_printed(text: str) -> None:
    safe = harmless(text)
    assert len(safe) == len(text)
    assert all(sign.isprintable() or sign.isspace() for sign in safe)
    safe.encode()
    assert harmless(safe) == safe
