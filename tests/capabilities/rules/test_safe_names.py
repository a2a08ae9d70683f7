import pytest

from capabilities.rules.safe_names import ColonRule, cut, safe_part


@pytest.mark.parametrize(
    ("rule", "spelled"),
    [
        (ColonRule.SMART, "Mission - Re-Start"),
        (ColonRule.DELETE, "Mission ReStart"),
        (ColonRule.DASH, "Mission- Re-Start"),
        (ColonRule.SPACE_DASH, "Mission - Re -Start"),
        (ColonRule.SPACE_DASH_SPACE, "Mission - Re - Start"),
    ],
)
def test_arr_52_a_colon_is_written_by_the_owners_rule(rule: ColonRule, spelled: str) -> None:
    assert safe_part("Mission: Re:Start", colon=rule) == spelled


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Princess Connect! Re: Dive", "Princess Connect! Re - Dive"),
        ("20 Ft Below: The Darkness Descending", "20 Ft Below - The Darkness Descending"),
        ("One | Two", "One Two"),
    ],
    ids=["ORG-19 colon", "ORG-19 colon before a blank", "ORG-19 bar"],
)
def test_a_sign_that_no_share_can_hold_is_replaced(text: str, name: str) -> None:
    assert safe_part(text) == name


def test_org_20_a_slash_makes_no_folder() -> None:
    assert safe_part("鬼巷 / 无头雕刻") == "鬼巷 + 无头雕刻"


def test_org_21_an_ampersand_is_a_sign_like_any_other() -> None:
    assert safe_part("Fast & Furious") == "Fast & Furious"


@pytest.mark.parametrize("text", ["Show ", " Show", "Show. ", "Show...", " . Show . "])
def test_arr_52_no_name_begins_or_ends_with_a_blank_or_a_dot(text: str) -> None:
    assert safe_part(text) == "Show"


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("ab\u0301c", 2, "a"),
        ("a👨\u200d👩\u200d👧b", 10, "a"),
        ("a🇫🇷b", 5, "a"),
        ("a각b", 4, "a각"),
        ("a\u1100\u1161\u11a8b", 7, "a"),
        ("कि", 3, ""),
        ("映画", 5, "映"),
        ("abc", 0, ""),
        ("abc", -1, ""),
    ],
    ids=["accent", "family", "flag", "syllable", "jamo", "vowel sign", "han", "none", "less"],
)
def test_arr_50_a_name_is_cut_between_what_a_reader_takes_for_signs(
    text: str, most: int, kept: str
) -> None:
    assert cut(text, most) == kept
