import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capabilities.rules.names.facts import facts
from capabilities.rules.names.parsing import parse


@pytest.mark.parametrize(
    ("text", "titles", "seasons", "numbers"),
    [
        ("Series/Harbour Lights/Season 2/05.mkv", ["Harbour Lights"], [2], [5]),
        ("/media/Harbour Lights/Season 2/05", ["Harbour Lights"], [2], [5]),
        ("D:\\Series\\Harbour Lights\\Season 2\\05.mkv", ["Harbour Lights"], [2], [5]),
        (
            "Harbour.Lights.S02.720p-QUARTZ/3f2a9c0d17be44f0a1b2c3d4e5f60718",
            ["Harbour Lights"],
            [2],
            [],
        ),
        ("Harbour Lights (2019)/Season 2/05 - Fog", ["Harbour Lights"], [2], [5]),
        ("[Quartz][Fate/Wind][05][720p]", ["Fate/Wind"], [], [5]),
        ("Harbour Lights/Season 2 1080p", ["Harbour Lights"], [2], []),
        ("[Quartz] 24/7/365 - 05 [720p]", ["24/7/365"], [], [5]),
        ("[Quartz] 22/7 - 05 [720p]", ["22/7"], [], [5]),
        ("Огни / Harbour Lights S02E05", ["Огни", "Harbour Lights"], [2], [5]),
        ("Harbour Lights S02E05 Ukr/Eng", ["Harbour Lights"], [2], [5]),
    ],
)
def test_a_slash_parts_folders_or_titles(
    text: str, titles: list[str], seasons: list[int], numbers: list[int]
) -> None:
    told = facts(text)
    assert (told["titles"], told["seasons"]) == (titles, seasons)
    assert (told["episodes"] or told["absolute_episodes"]) == numbers


def test_what_is_known_beforehand_decides_what_a_name_leaves_open() -> None:
    text = "Harbour.Lights.103.1080p.WEB-DL.x264-QUARTZ"
    series, film = facts(text, "series"), facts(text, "movie")
    assert (series["title"], series["seasons"], series["episodes"]) == ("Harbour Lights", [1], [3])
    assert (film["title"], film["episodes"], film["type"]) == ("Harbour Lights 103", [], "movie")
    assert facts(text, hint={"type": "episode"}) == series


def test_the_second_line_adds_what_the_name_lacks() -> None:
    told = facts(
        "Song of Wind S01 2024 1080p WEB-DL H264 AAC-QUARTZ",
        hint={"subtitle": "风之歌 | 第01-02集 | 1080p | 主演: 某人/某人 [内嵌中字]"},
    )
    assert told["titles"] == ["Song of Wind", "风之歌"]
    assert (told["title_en"], told["title_cn"]) == ("Song of Wind", "风之歌")
    assert (told["seasons"], told["episodes"]) == ([1], [1, 2])


def test_the_second_line_never_contradicts_the_name() -> None:
    told = facts("Song of Wind S02E05 1080p", hint={"subtitle": "风之歌 | 第一季 第08集"})
    assert (told["seasons"], told["episodes"]) == ([2], [5])


@pytest.mark.parametrize(
    "text",
    [
        "3f2a9c0d17be44f0a1b2c3d4e5f60718",
        "3f2a9c0d17be44f0a1b2c3d4e5f6071812345678",
        "Q3vJ9dK2mX7pL4sT8wR1",
        "Q3vJ9dK2mX7pL4sT8wR1 Zx9Kw2Lm5Np8",
        "nothing of a release",
    ],
)
def test_what_is_no_release_name_is_told_apart(text: str) -> None:
    assert facts(text)["reject"] is True


def test_a_name_is_no_gibberish_for_its_digits() -> None:
    assert facts("H4rb0ur.L1ghts.S02E05")["reject"] is False


@pytest.mark.parametrize(
    ("tags", "quality"),
    [
        ("1080p.BluRay", "bluray-1080p"),
        ("2160p.BluRay.REMUX", "bluray-2160p-remux"),
        ("720p.WEBRip", "webrip-720p"),
        ("WEB-DL", "webdl-480p"),
        ("HDTV", "sdtv"),
        ("720p.HDTV", "hdtv-720p"),
        ("720p", "hdtv-720p"),
        ("480p", "sdtv"),
        ("DVDRip", "dvd"),
        ("CAM", "cam"),
        ("x264", "unknown"),
    ],
)
def test_quality_is_one_word(tags: str, quality: str) -> None:
    assert facts(f"Amber.Coast.2014.{tags}.x264-QUARTZ")["quality"] == quality


@pytest.mark.parametrize(
    "text",
    [
        "\uff28arbour\u200b Lights \uff33\uff10\uff12\uff25\uff10\uff15 \uff11\uff10\uff18\uff10p",
        "Harbour\u202e Lights S02E05\u2066 1080p",
        "Harbour\x00Lights\x1fS02E05\u00a01080p",
        "Harbour%20Lights%20S02E05%201080p",
        "Harbour+Lights+S02E05+1080p",
        "p0801.50E20S.sthgiL.ruobraH",
    ],
)
def test_a_disguised_name_is_read_as_it_is_meant(text: str) -> None:
    told = facts(text)
    assert (told["title"], told["seasons"], told["episodes"]) == ("Harbour Lights", [2], [5])
    assert told["resolution"] == "1080p"


def test_letters_are_put_together() -> None:
    assert facts("Ame\u0301lie 2001")["title"] == "Am\u00e9lie"


def test_a_day_and_month_that_could_be_exchanged_are_both_told() -> None:
    name = parse("Evening.Talk.04.05.2019.HDTV")
    assert name.air_date is None
    assert [day.isoformat() for day in name.air_date_readings] == ["2019-04-05", "2019-05-04"]


@given(st.text(max_size=300), st.sampled_from([None, "movie", "series", "anime", "daily", "path"]))
@settings(max_examples=150)
def test_any_text_gives_an_answer_that_json_can_hold(text: str, kind: str | None) -> None:
    told = facts(text, kind, {"subtitle": text})
    assert json.loads(json.dumps(told)) == told
