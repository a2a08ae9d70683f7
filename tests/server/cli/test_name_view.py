import json

import pytest

from capabilities.rules.name_parts import Pieces, pieces
from server.cli import name_view

NAME = "Sintel.2010.1080p-OPEN"
TOLD = {
    "grade": "B",
    "accepted": True,
    "work": "tmdb:film:45745",
    "candidates": [
        {
            "id": "tmdb:film:45745",
            "kind": "film",
            "title": "Sintel",
            "year": 2010,
            "speaks_for": ['"Sintel" is a title of "Sintel"'],
            "speaks_against": [],
        },
        {
            "id": "tmdb:film:900002",
            "kind": "film",
            "title": "Sintel",
            "speaks_for": [],
            "speaks_against": ["the name says 2010, the work is of 1994"],
            "sources_disagree": ["tmdb says 1994, tvmaze says 1995; tmdb counts"],
        },
    ],
    "candidates_left_out": 0,
    "numbers": None,
    "policy_accepts": False,
    "reasons": ["no tier of the policy holds it"],
    "reasons_left_out": 0,
}


def test_each_part_is_in_the_colour_of_its_kind_and_the_rest_is_plain() -> None:
    shown = name_view.coloured(pieces(NAME))
    assert shown == (
        "\x1b[1mSintel\x1b[0m.\x1b[36m2010\x1b[0m.\x1b[33m1080p\x1b[0m-\x1b[31mOPEN\x1b[0m"
    )


def test_no_part_of_a_hostile_name_steers_the_terminal() -> None:
    shown = name_view.coloured(pieces("Evil\x1b[2J\u202e\x07.2010.1080p"))
    assert shown.replace("\x1b[1m", "").replace("\x1b[0m", "").count("\x1b") == 2
    assert "\u202e" not in shown
    assert "\x07" not in shown


def test_parts_are_told_in_lines_with_the_pass_where_it_is_wanted() -> None:
    taken = pieces(NAME)
    plain = name_view.parts(taken, why=False, colour=False)
    assert plain.splitlines()[2].split() == ["1080p", "resolution", "1080p"]
    why = name_view.parts(taken, why=True, colour=False)
    assert why.splitlines()[2].endswith("found by patterns")
    assert "\x1b[33m1080p" in name_view.parts(taken, why=False, colour=True)
    assert name_view.parts(Pieces("", ()), why=True, colour=True) == (
        "No part of it says anything."
    )


def test_works_stand_side_by_side_with_what_speaks_for_and_against_them() -> None:
    lines = "\n".join(name_view.identity(TOLD)).splitlines()
    assert lines[0] == "Identity: grade B, taken without asking"
    assert lines[1].split() == ["*", "tmdb:film:45745", "film", "Sintel", "(2010)"]
    assert lines[2].split() == ["tmdb:film:900002", "film", "Sintel", "(?)"]
    assert '  tmdb:film:45745 + "Sintel" is a title of "Sintel"' in lines
    assert "  tmdb:film:900002 - the name says 2010, the work is of 1994" in lines
    assert "  tmdb:film:900002 ? tmdb says 1994, tvmaze says 1995; tmdb counts" in lines
    assert lines[-2:] == ["Policy: rejected", "  no tier of the policy holds it"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Show.S01-S05.1080p", "seasons 1-5"),
        ("Show.S01.S03.1080p", "seasons 1, 3"),
        ("Show.S02.1080p", "season 2"),
    ],
)
def test_seasons_are_told_as_one(name: str, told: str) -> None:
    lines = name_view.parts(pieces(name), why=False, colour=False).splitlines()
    assert any(line.endswith(f"  {told}") for line in lines)


def test_a_name_that_no_screen_holds_is_cut_in_line_and_table() -> None:
    taken = pieces("x" * 900 + ".2010")
    assert len(name_view.coloured(taken)) == 300
    table = name_view.parts(taken, why=True, colour=False)
    assert max(map(len, table.splitlines())) < 160


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"candidates": []}, "no work was found that it may be"),
        ({"work": None}, "nothing says which work it is"),
        ({"numbers": {"open": "x"}}, "its episodes are open"),
        ({}, "your identity policy takes no such grade unasked"),
    ],
)
def test_what_is_asked_about_says_why(more: dict[str, object], why: str) -> None:
    first = next(name_view.identity({**TOLD, "accepted": False, **more}))
    assert first == f"Identity: grade B, asked about, since {why}"


def test_a_work_that_was_not_looked_up_has_no_grade() -> None:
    away = {**TOLD, "grade": None, "accepted": False, "candidates": [], "work": None}
    assert not any("Identity" in line for line in name_view.identity(away))


def test_episodes_are_told_or_what_keeps_them_open() -> None:
    known = {**TOLD, "numbers": {"episodes": ["S02E03 (27)"], "by": "by your offset"}}
    assert "Episodes: S02E03 (27), by your offset" in list(name_view.identity(known))
    open_ = {**TOLD, "numbers": {"open": "a mapping is needed", "settles": "an offset"}}
    told = list(name_view.identity(open_))
    assert "Episodes: open, a mapping is needed" in told
    assert "  it would be settled by an offset" in told


def test_a_report_is_one_line_in_which_nothing_hides() -> None:
    line = name_view.report("片名\u202e\n", {"title": "片名"})
    assert "片名" in line
    assert line.isprintable()
    assert json.loads(line) == {"name": "片名\u202e\n", "facts": {"title": "片名"}}


def test_what_was_left_out_is_counted() -> None:
    told = {**TOLD, "candidates_left_out": 2, "reasons_left_out": 1}
    lines = list(name_view.identity(told))
    assert "  and 2 more works" in lines
    assert lines[-1] == "  and 1 more reason"
