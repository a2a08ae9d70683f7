import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.template_language import (
    Counters,
    Group,
    Slot,
    TemplateError,
    Text,
    parsed,
    rendered,
)

KNOWN = {
    "title": "Sintel",
    "year": "2010",
    "season": Counters((1,), ""),
    "episode": Counters((1, 2, 3), "E", ranged=True),
    "absolute": Counters((101, 102), "+"),
}


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("{title}", "Sintel"),
        ("{title}< ({year})>", "Sintel (2010)"),
        ("{title}< [{edition}]>", "Sintel"),
        ("{title}< - <[{edition}]>>", "Sintel"),
        ("{title}< - <[{edition}]><[{year}]>>", "Sintel - [2010]"),
        ("{title}< ({year}<, {edition}>)>", "Sintel (2010)"),
        ("{title}< {year} {edition}>", "Sintel"),
        ("{title} {{tmdb-{year}}}", "Sintel {tmdb-2010}"),
        ("{title}< {{{year}}}>", "Sintel {2010}"),
        ("S{season:02}E{episode:02}", "S01E01-E03"),
        ("{season}x{episode:03}", "1x001-E003"),
        ("{absolute:04}", "0101+0102"),
        ("", ""),
    ],
)
def test_a_template_is_text_with_values_and_groups_that_vanish(template: str, name: str) -> None:
    assert rendered(parsed(template), KNOWN) == name


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{title", "opened"),
        ("{ti{tle}", "opened"),
        ("title}", "closes no token"),
        ("<{title}", "opened"),
        ("{title}>", "closed"),
        ("{title}<(a)>", "never vanishes"),
        ("{season:}", "number of digits"),
        ("{season:0}", "number of digits"),
        ("{season:99}", "number of digits"),
        ("{season:²}", "number of digits"),
        ("{:02", "not closed"),
        ("<<<<<{title}>>>>>", "4 groups"),
        ("a" * 401, "more than 400"),
    ],
)
def test_what_is_no_template_is_refused_with_a_cure(template: str, why: str) -> None:
    with pytest.raises(TemplateError, match=why) as refused:
        parsed(template)
    assert refused.value.cure


def test_neighbouring_text_is_one_part() -> None:
    assert parsed("a{{b<{x}{{>") == (Text("a{b"), Group((Slot("x"), Text("{"))))


@given(st.text(alphabet="{}<>:0ab", max_size=400))
def test_any_text_is_read_or_refused_at_once(text: str) -> None:
    begun = time.perf_counter()
    with suppress(TemplateError):
        rendered(parsed(text), {})
    assert time.perf_counter() - begun < 0.5
