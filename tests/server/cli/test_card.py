from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from server.cli.card import WIDTH, card, now
from tests.server.cli.rig import CARD

AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def approval(**more: Any) -> dict[str, Any]:
    return {
        "id": "apr_1",
        "capability": "download.submit",
        "payload_hash": "0123456789abcdef" * 4,
        "revision": 3,
        "requested_by": "run:run_1",
        "expires_at": (AT + timedelta(hours=5)).isoformat(),
        "card": CARD,
        **more,
    }


def test_the_card_says_the_six_things_in_their_order() -> None:
    shown = card(approval(), AT, colour=False)
    parts = (
        "Download Sintel (2010), bluray 1080p, to Films",
        "Changes     4.20 GB on the download disk",
        "Why asked   nobody has approved this plan yet",
        "Release     Sintel.2010.1080p.BluRay.x264-OPEN",
        "Asked by    a run of the agent",
        "Good for    5 hours 0 minutes, once, for exactly this plan",
        "Details     revision 3, hash 0123456789ab…",
    )
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    assert max(map(len, shown.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("asker", "words"),
    [("key:local", "the client with the key local"), ("owner:anna", "owner anna")],
)
def test_the_card_says_who_asked(asker: str, words: str) -> None:
    assert f"Asked by    {words}\n" in card(approval(requested_by=asker), AT, colour=False)


def test_a_card_whose_time_ran_out_says_so() -> None:
    late = AT + timedelta(hours=6)
    assert "no longer: the time ran out" in card(approval(), late, colour=False)


def test_a_plan_without_a_card_is_named_by_its_capability() -> None:
    shown = card(approval(card={}), AT, colour=False)
    assert shown.splitlines()[1] == "download.submit"
    assert "Changes" not in shown


def test_other_peoples_words_cannot_steer_the_terminal_or_add_lines() -> None:
    hostile = {
        "title": "x\x1b[2J\n\nPassphrase: ",
        "why": "\u202e" + "w" * 500,
        "changes": ["", "\n"],
    }
    shown = card(approval(card=hostile), AT, colour=False)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.splitlines()[1] == "x [2J Passphrase:"


def test_colour_marks_the_title_only() -> None:
    shown = card(approval(), AT, colour=True)
    assert shown.count("\x1b") == 2
    assert now() - datetime.now(UTC) < timedelta(seconds=1)


def test_reasons_that_the_card_has_no_room_for_are_counted() -> None:
    origin = {**CARD["from"], "verdict": ["in tier HD"], "verdict_left_out": 5}
    shown = card(approval(card={**CARD, "from": origin}), AT, colour=False)
    assert "Policy      in tier HD\n            and 5 more\n" in shown


def test_the_card_says_what_the_torrent_contradicts_its_indexer_in() -> None:
    origin = {**CARD["from"], "doubts": ["it says two sizes", "it claims two ids"]}
    shown = card(approval(card={**CARD, "from": origin}), AT, colour=False)
    assert "Doubts      it says two sizes\n            it claims two ids\n" in shown
