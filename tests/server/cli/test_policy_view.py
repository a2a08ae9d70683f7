from typing import Any

from server.cli import policy_view

CHANGED = {
    "title": "Laternenstrasse.S02E03",
    "read_as": "Lantern Street.S02E03",
    "before": "no work that is known here",
    "after": "Lantern Street (2019) [tmdb:series:77] S02E03, grade B, taken",
}


def draft(**more: Any) -> dict[str, Any]:
    return {
        "version": 2,
        "kind": "identity",
        "base_version": 1,
        "changes": [{"field": "words", "before": "0 in all", "after": "1 in all"}],
        "changes_left_out": 3,
        "grants_made": ["organize.execute, replacing nothing"],
        "grants_lapsing": ["download.submit"],
        "grants_lapsing_left_out": 0,
        **more,
    }


def reread(**more: Any) -> dict[str, Any]:
    return {
        "releases_read": 400,
        "releases_left_out": 0,
        "identified_otherwise": 1,
        "only_read_otherwise": 0,
        "examples": [CHANGED],
        "examples_left_out": 0,
        **more,
    }


def test_a_draft_tells_its_fields_and_grants() -> None:
    assert policy_view.draft(draft()).splitlines() == [
        "Draft 2 of the identity policy, in place of version 1:",
        "  words: 0 in all → 1 in all",
        "  and 3 more",
        "  grants organize.execute, replacing nothing",
        "  ends the grant for download.submit",
    ]


def test_a_name_that_would_mean_something_else_is_shown_before_and_after() -> None:
    lines = policy_view.draft(draft(rereading=reread())).splitlines()[5:]
    assert lines == [
        "Of 400 known releases 1 would be identified otherwise, 0 only read otherwise.",
        "  Laternenstrasse.S02E03",
        "      read as: Lantern Street.S02E03",
        "      now:     no work that is known here",
        "      then:    Lantern Street (2019) [tmdb:series:77] S02E03, grade B, taken",
    ]


def test_a_name_that_means_the_same_shows_how_it_would_be_read() -> None:
    same = {**CHANGED, "before": CHANGED["after"]}
    lines = policy_view.draft(draft(rereading=reread(examples=[same]))).splitlines()[6:]
    assert [line.strip().split(":")[0] for line in lines[1:]] == ["read as", "then"]


def test_what_was_left_out_is_counted() -> None:
    told = reread(releases_left_out=20, examples_left_out=7)
    lines = policy_view.draft(draft(rereading=told)).splitlines()
    assert lines[5].endswith("only read otherwise; 20 more were not tried.")
    assert lines[-1] == "  and 7 more"


def test_why_nothing_was_compared_is_all_that_is_told() -> None:
    told = reread(not_compared="the published version can't be read by: words.0")
    lines = policy_view.draft(draft(rereading=told)).splitlines()
    assert lines[5:] == ["the published version can't be read by: words.0"]


def test_names_of_strangers_do_not_reach_the_terminal_as_they_are() -> None:
    told = reread(examples=[{**CHANGED, "title": "Odd\x1b[2J"}])
    assert "\x1b" not in policy_view.draft(draft(rereading=told))


def judged(**more: Any) -> dict[str, Any]:
    return {
        "releases_judged": 1,
        "releases_left_out": 0,
        "newly_accepted": 0,
        "newly_rejected": 1,
        "examples": [
            {"title": "A.1080p", "accepted": False, "why": ["size: big"], "why_left_out": 0}
        ],
        "examples_left_out": 0,
        "upgradable_before": 0,
        "upgradable_after": 1,
        "newly_upgradable": ["Sintel (2010)"],
        "newly_upgradable_left_out": 0,
        "works_left_out": 0,
        **more,
    }


def test_what_would_be_judged_otherwise_is_told_in_the_right_number() -> None:
    lines = policy_view.draft(draft(consequences=judged())).splitlines()[5:]
    assert [lines[0], *lines[2:]] == [
        "Of 1 known release 0 would newly be accepted, 1 newly rejected.",
        "      size: big",
        "On the shelf 1 could be upgraded; now 0 can.",
        "  Sintel (2010)",
    ]


def test_what_a_trial_left_out_is_counted() -> None:
    told = judged(
        releases_left_out=20,
        works_left_out=1,
        examples=[{"title": "A", "accepted": False, "why": ["size: big"], "why_left_out": 1}],
        examples_left_out=4,
        newly_upgradable_left_out=2,
    )
    lines = policy_view.draft(draft(consequences=told, grants_lapsing_left_out=1)).splitlines()[5:]
    assert lines[0] == "  ends 1 more grant"
    assert lines[1].endswith("1 newly rejected; 20 more were not tried.")
    assert lines[4:] == [
        "      and 1 more reason",
        "  and 4 more",
        "On the shelf 1 could be upgraded; now 0 can; 1 work not looked at.",
        "  Sintel (2010)",
        "  and 2 more",
    ]


def renamed(**more: Any) -> dict[str, Any]:
    names = [
        {"what": "Sintel (2010)", "in_library": True, "before": "a/b.mkv", "after": "a/b.mkv"},
        {"what": "special", "in_library": False, "before": None, "after": "c/d.mkv"},
    ]
    return {"tried": 2, "changed": 1, "names": names, **more}


def test_files_that_would_be_called_otherwise_are_shown_beside_those_that_stay() -> None:
    lines = policy_view.draft(draft(renaming=renamed())).splitlines()[5:]
    assert lines == [
        "Of 2 names tried 1 would be another one:",
        "  Sintel (2010)",
        "      as now:  a/b.mkv",
        "  e.g. special",
        "      now:     unknown",
        "      then:    c/d.mkv",
    ]
    none = policy_view.draft(draft(renaming=renamed(changed=0, names=[]))).splitlines()[5:]
    assert none == ["Of 2 names tried none would be another one."]


def test_of_the_templates_only_those_that_are_set_are_shown() -> None:
    body: dict[str, Any] = {"preset": "plex", "templates": {"film_file": None}}
    told = {"kind": "organize", "version": 1, "state": "published", "body": body}
    assert "templates  {}" in policy_view.shown(told)
    body["templates"]["specials_folder"] = "Specials"
    assert '{"specials_folder": "Specials"}' in policy_view.shown(told)
    body["templates"]["episode_file"] = "{title} - {episode_code}" * 4
    lines = policy_view.shown(told).splitlines()
    assert "  specials_folder  Specials" in lines
    assert f"  episode_file  {'{title} - {episode_code}' * 4}" in lines
