from typing import Any

import pytest

from server.cli.grant_card import grant_card, grant_row

DAYS = "2026-12-24T18:30:00+00:00"


def grant(**more: Any) -> dict[str, Any]:
    return {
        "id": "grant_1",
        "action": "download.submit",
        "scope": {},
        "may_replace": False,
        **more,
    }


def test_a_grant_without_bounds_says_that_it_has_none() -> None:
    assert grant_card(grant()).splitlines() == [
        "Allows      download.submit",
        "A day       no limit",
        "Until       you withdraw it",
    ]
    assert grant_row(grant()) == ["grant_1", "download.submit", "anything", "no limit", "no end"]


def test_every_bound_of_a_grant_is_on_its_card() -> None:
    lines = grant_card(
        grant(
            scope={"works": ["work:1", "work:2"], "folders": ["Films"]},
            calls_per_day=1,
            bytes_per_day=2_500_000_000,
            calls_left=0,
            bytes_left=500_000_000,
            renews_at=DAYS,
            may_replace=True,
            policy_kind="automation",
            policy_version=3,
            expires_at=DAYS,
            note="till the holidays",
        )
    ).splitlines()
    assert lines == [
        "Allows      download.submit",
        "Works       work:1, work:2",
        "Libraries   Films",
        "A day       1 call, 2.50 GB",
        "Left today  0 calls, 0.50 GB, renewed at 2026-12-24 18:30 UTC",
        "Replaces    also what replaces or moves files in the library",
        "Policy      automation, as long as version 3 holds",
        "Until       2026-12-24 18:30 UTC",
        "Note        till the holidays",
    ]


@pytest.mark.parametrize(
    ("more", "end"),
    [
        ({"stands": False}, "no end (no longer good)"),
        ({"expires_at": DAYS, "stands": False}, "2026-12-24 18:30 UTC (no longer good)"),
        (
            {"withdrawn_at": DAYS, "withdrawn_by": "owner:ada", "reason": "enough"},
            "withdrawn by owner:ada: enough",
        ),
    ],
)
def test_a_grant_that_no_longer_holds_says_so(more: dict[str, Any], end: str) -> None:
    assert grant_row(grant(**more))[-1] == end
    assert grant_card(grant(**more)).splitlines()[-1] == f"Until       {end}"


def test_what_a_policy_grants_ends_with_its_next_version() -> None:
    of_policy = grant(policy_kind="automation", policy_version=2)
    assert grant_row(of_policy)[-1] == "the next automation version"
    assert grant_card(of_policy).splitlines()[-1] == "Until       the next automation version"


def test_a_scope_is_one_cell_of_a_row() -> None:
    scope = {"kinds": ["film", "series"], "downloaders": ["embedded"]}
    assert grant_row(grant(scope=scope))[2] == "film, series; embedded"


def test_a_note_of_a_stranger_does_not_steer_the_terminal() -> None:
    told = grant_card(grant(note="a\x1b[2J\nUntil       for ever"))
    assert "\x1b" not in told
    assert len(told.splitlines()) == 4
