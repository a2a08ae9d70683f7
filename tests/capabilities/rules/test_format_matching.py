import time
from dataclasses import replace

import pytest

from capabilities.rules.format_matching import Explained, Match, explain, judged, match
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat, Subject
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.tokens import words
from capabilities.rules.time_budget import Budget

GIB = 1024**3
OFFER = Found("", "loopback", "1")


def explained(
    text: str, *conditions: Condition, found: Found = OFFER, original: str | None = None
) -> Explained:
    subject = Subject(parse(text), words(text), found, original)
    return explain(CustomFormat("format", conditions, 1), subject)


def test_a_tester_names_what_each_condition_hit() -> None:
    tried = explained(
        "T.2020.1080p.WEB-DL.DV.x265-GRP",
        Condition(ConditionKind.PATTERN, r"\b(dv|dovi)\b", name="Dolby Vision"),
        Condition(ConditionKind.SOURCE, "web-dl|webrip"),
        Condition(ConditionKind.GROUP, "OTHER", negate=True),
        Condition(ConditionKind.WORDS, "hdr10"),
    )
    assert [(one.holds, one.token) for one in tried.tried] == [
        (True, "DV"),
        (True, "web-dl"),
        (True, None),
        (False, None),
    ]
    assert not tried.matches


def test_what_takes_too_long_holds_neither_way() -> None:
    slow = Condition(ConditionKind.PATTERN, "(a|aa)+$", negate=True)
    tried = explained("a" * 200 + "!", slow)
    assert tried.undecided
    assert not tried.matches


SLOW = Condition(ConditionKind.PATTERN, "(a|aa)+$")
NEVER = Condition(ConditionKind.SOURCE, "hdtv")
ALWAYS = Condition(ConditionKind.RESOLUTION, "1080p")


@pytest.mark.parametrize(
    ("conditions", "comes_to"),
    [
        ((SLOW,), Match.UNDECIDED),
        ((SLOW, ALWAYS), Match.UNDECIDED),
        ((SLOW, NEVER), Match.NO),
        ((replace(SLOW, required=True), replace(NEVER, required=True)), Match.NO),
        ((SLOW, Condition(ConditionKind.PATTERN, "1080p")), Match.YES),
    ],
)
def test_what_takes_too_long_leaves_open_only_what_depends_on_it(
    conditions: tuple[Condition, ...], comes_to: Match
) -> None:
    text = "T.2020.1080p." + "a" * 200 + "!"
    subject = Subject(parse(text), words(text), OFFER)
    assert match(CustomFormat("format", conditions, 1), subject) is comes_to
    assert explained(text, *conditions).match is comes_to


def test_what_is_undecided_counts_against_the_release() -> None:
    text = "T.2020.1080p." + "a" * 200 + "!"
    formats = [
        CustomFormat("bad", (SLOW,), -10_000),
        CustomFormat("good", (SLOW,), 500),
        CustomFormat("sure", (ALWAYS,), 7),
    ]
    found = judged(formats, Subject(parse(text), words(text), OFFER))
    assert found.score == -9_993
    assert [(one.custom.name, one.undecided) for one in found.counted] == [
        ("bad", True),
        ("sure", False),
    ]
    assert [custom.name for custom in found.passed_over] == ["good"]


def test_all_the_patterns_on_one_name_have_one_time_together() -> None:
    slow = [CustomFormat(f"{n}", (replace(SLOW, value=f"(a|aa)+{n}$"),), -1) for n in range(200)]
    text = "T.2020.1080p." + "a" * 200 + "!"
    began = time.process_time()
    found = judged(slow, Subject(parse(text), words(text), OFFER, budget=Budget(0.2)))
    assert time.process_time() - began < 1
    assert found.score == -200


@pytest.mark.parametrize(
    ("kind", "value", "text", "token"),
    [
        (ConditionKind.MODIFIER, "remux", "T.2020.1080p.BluRay.REMUX", "remux"),
        (ConditionKind.MODIFIER, "none", "T.2020.1080p.BluRay.x264", "none"),
        (ConditionKind.MODIFIER, "disc", "T.2020.1080p.COMPLETE.BLURAY-GRP", "disc"),
        (ConditionKind.MODIFIER, "disc", "T.2020.1080p.BluRay.REMUX", None),
        (ConditionKind.MODIFIER, "screener", "T.2020.DVDScr.x264", "screener"),
        (ConditionKind.MODIFIER, "raw-hd", "T.2020.RawHD.1080i", "raw-hd"),
        (ConditionKind.MODIFIER, "regional", "T.2020.R5.x264", "regional"),
        (ConditionKind.RELEASE_TYPE, "pack", "T.S01.1080p.WEB-DL", "pack"),
        (ConditionKind.RELEASE_TYPE, "multiple", "T.S01E01E02.1080p.WEB-DL", "multiple"),
        (ConditionKind.RELEASE_TYPE, "single", "T.S01E01.1080p.WEB-DL", "single"),
        (ConditionKind.RELEASE_TYPE, "single", "T.2020.1080p.WEB-DL", None),
        (ConditionKind.YEAR, "1990..1999", "T.1994.1080p.WEB-DL", "1994"),
        (ConditionKind.YEAR, "1990..1999", "T.1080p.WEB-DL", None),
        (ConditionKind.EDITION_PATTERN, "direct.r", "T.2020.Directors.Cut.1080p", "Director"),
        (ConditionKind.GROUP_PATTERN, "^G.P$", "T.2020.1080p.WEB-DL.x264-GRP", "GRP"),
        (ConditionKind.GROUP_PATTERN, "^G.P$", "T.2020.1080p.WEB-DL", None),
    ],
)
def test_conditions_look_at_what_the_name_says(
    kind: ConditionKind, value: str, text: str, token: str | None
) -> None:
    (tried,) = explained(text, Condition(kind, value)).tried
    assert tried.token == token


def flagged(value: str, found: Found) -> bool:
    return explained("T.2020", Condition(ConditionKind.INDEXER_FLAG, value), found=found).matches


def test_a_flag_is_what_the_indexer_says_and_nothing_unsaid() -> None:
    free = replace(OFFER, download_factor=0.0, flags=("internal",))
    assert flagged("freeleech", free)
    assert flagged("internal", free)
    assert flagged("freeleech75", replace(OFFER, download_factor=0.25))
    assert flagged("double_upload", replace(OFFER, upload_factor=2.0))
    assert not flagged("freeleech", replace(OFFER, download_factor=0.5))
    assert not flagged("freeleech", OFFER)
    assert not flagged("halfleech", OFFER)


def test_a_size_is_between_its_bounds_and_an_unknown_one_is_not() -> None:
    condition = Condition(ConditionKind.SIZE, "2..8")
    for size, matches in ((2 * GIB, False), (3 * GIB, True), (8 * GIB, True), (9 * GIB, False)):
        assert explained("T", condition, found=replace(OFFER, size=size)).matches is matches
    assert not explained("T", condition).matches


def test_the_original_language_is_the_works_where_it_is_known() -> None:
    original = Condition(ConditionKind.LANGUAGE, "original")
    assert explained("T.2020.1080p", original).matches
    assert explained("T.2020.1080p", original, original="ja").matches
    assert explained("T.2020.Japanese.1080p", original, original="ja").matches
    assert explained("T.2020.MULTi.1080p.BluRay", original, original="ja").matches
    assert not explained("T.2020.German.1080p", original, original="ja").matches
    assert not explained("T.2020.German.1080p", original).matches
    assert explained("T.2020.1080p", Condition(ConditionKind.LANGUAGE, "ja"), original="ja").matches
