from dataclasses import replace

import pytest

from capabilities.rules.format_hits import GIB, hit, modifiers, release_type
from capabilities.rules.formats import Condition, ConditionKind, Modifier, ReleaseType, Subject
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.tokens import words
from capabilities.rules.time_budget import Budget

OFFER = Found("", "loopback", "1")


def subject(
    text: str,
    found: Found | None = OFFER,
    original: str | None = None,
    budget: float = 1.0,
) -> Subject:
    return Subject(parse(text), words(text), found, original, Budget(budget))


def hit_in(
    text: str, condition: Condition, found: Found | None = OFFER, original: str | None = None
) -> str | None:
    return hit(condition, subject(text, found, original))


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
        (ConditionKind.PATTERN, r"\bdv\b", "T.2020.2160p.DV.HDR10", "DV"),
        (ConditionKind.WORDS, "hybrid|line dubbed", "T.2020.LINE.DUBBED.1080p", "line dubbed"),
        (ConditionKind.WORDS, "line dubbed", "T.2020.DUBBED.LINE.1080p", None),
        (ConditionKind.RESOLUTION, "2160p|1080p", "T.2020.1080p.WEB-DL", "1080p"),
        (ConditionKind.SOURCE, "web-dl|webrip", "T.2020.1080p.WEBRip", "webrip"),
        (ConditionKind.SOURCE, "web-dl", "T.2020.1080p", None),
        (ConditionKind.VIDEO_CODEC, "h265", "T.2020.1080p.x265", "h265"),
        (ConditionKind.DYNAMIC_RANGE, "hdr10+", "T.2020.2160p.DV.HDR10Plus", "hdr10+"),
        (ConditionKind.DYNAMIC_RANGE, "hdr10", "T.2020.2160p.DV.HDR10Plus", None),
        (ConditionKind.AUDIO, "atmos", "T.2020.1080p.DDP5.1.Atmos", "atmos"),
        (ConditionKind.EDITION, "imax", "T.2020.IMAX.2160p", "imax"),
        (ConditionKind.GROUP, "grp", "T.2020.1080p.x264-GRP", "GRP"),
    ],
)
def test_conditions_look_at_what_the_name_says(
    kind: ConditionKind, value: str, text: str, token: str | None
) -> None:
    assert hit_in(text, Condition(kind, value)) == token


def flagged(value: str, found: Found) -> bool:
    return hit_in("T.2020", Condition(ConditionKind.INDEXER_FLAG, value), found) == value


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
    for size, token in ((2, None), (3, "3.00 GiB"), (8, "8.00 GiB"), (9, None)):
        assert hit_in("T", condition, replace(OFFER, size=size * GIB)) == token
    assert hit_in("T", condition) is None


@pytest.mark.parametrize(
    ("value", "text", "original", "token"),
    [
        ("original", "T.2020.1080p", None, "original"),
        ("original", "T.2020.1080p", "ja", "original"),
        ("ja", "T.2020.1080p", "ja", "ja"),
        ("original", "T.2020.Japanese.1080p", "ja", "original"),
        ("original", "T.2020.MULTi.1080p.BluRay", "ja", "original"),
        ("original", "T.2020.German.DL.1080p.BluRay", "ja", "original"),
        ("de", "T.2020.German.DL.1080p.BluRay", "ja", "de"),
        ("original", "T.2020.German.1080p", "ja", None),
        ("original", "T.2020.German.1080p.WEB-DL", "ja", None),
        ("original", "T.2020.German.1080p", None, None),
    ],
)
def test_the_original_language_is_the_works_where_it_is_known(
    value: str, text: str, original: str | None, token: str | None
) -> None:
    condition = Condition(ConditionKind.LANGUAGE, value)
    assert hit_in(text, condition, original=original) == token


def test_a_name_alone_has_neither_flags_nor_a_size() -> None:
    for kind, value in ((ConditionKind.INDEXER_FLAG, "freeleech"), (ConditionKind.SIZE, "0..900")):
        assert hit_in("T.2020", Condition(kind, value), None) is None


def test_whether_a_pattern_hits_is_not_known_when_its_time_is_up() -> None:
    pattern = Condition(ConditionKind.PATTERN, "t")
    with pytest.raises(TimeoutError):
        hit(pattern, subject("T.2020", budget=0))


def test_negation_is_not_this_ones_to_judge() -> None:
    negated = Condition(ConditionKind.RESOLUTION, "1080p", negate=True)
    assert hit_in("T.2020.1080p", negated) == "1080p"


def test_a_release_has_one_modifier_and_one_type_at_most() -> None:
    remux = subject("T.2020.1080p.COMPLETE.BLURAY.REMUX")
    assert list(modifiers(remux)) == [Modifier.REMUX]
    assert release_type(parse("T.S01.1080p")) is ReleaseType.PACK
    assert release_type(parse("[Group] T - 05-06 [720p]")) is ReleaseType.MULTIPLE
    assert release_type(parse("T.2024.05.01.720p.WEB")) is ReleaseType.SINGLE
