from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from capabilities.rules.verification import (
    Check,
    CheckKind,
    Verification,
    verification_from,
    verification_json,
)

AT = datetime(2026, 5, 1, tzinfo=UTC)
UNTIL = AT + timedelta(hours=1)
WHOLE = Check(CheckKind.PLACED, "a.mkv", passed=True)
UNSEEN = Check(CheckKind.SEEN, "a.mkv", server="den", why="It does not show this file yet.")


def verification(*checks: Check) -> Verification:
    return Verification(files=1, at=AT, until=UNTIL, checks=checks)


def test_it_is_settled_when_all_is_true_or_the_owner_says_so() -> None:
    assert verification(WHOLE).settled
    assert not verification(WHOLE, UNSEEN).settled
    assert replace(verification(WHOLE, UNSEEN), accepted="owner:ada").settled


def test_the_reason_names_file_server_and_how_many_more() -> None:
    other = replace(UNSEEN, file="b.mkv", server="attic")
    assert verification(WHOLE).reason is None
    assert verification(WHOLE, UNSEEN).reason == (
        'a.mkv on the media server "den": It does not show this file yet.'
    )
    reason = verification(UNSEEN, replace(UNSEEN, server="attic"), other).reason
    assert reason is not None
    assert reason.endswith("(1 more like it)")
    unlooked = verification(replace(UNSEEN, why=None)).reason
    assert unlooked is not None
    assert "not looked at yet" in unlooked


@pytest.mark.parametrize(
    ("checks", "now", "needs"),
    [
        ((WHOLE,), UNTIL, False),
        ((UNSEEN,), AT, False),
        ((UNSEEN,), UNTIL, True),
        ((replace(WHOLE, passed=False),), AT, True),
    ],
    ids=["nothing open", "time left", "time over", "the file itself"],
)
def test_the_owner_is_asked_when_waiting_does_not_help(
    checks: tuple[Check, ...], now: datetime, needs: bool
) -> None:
    assert verification(*checks).needs_owner(now) is needs


def test_a_server_that_shows_the_library_no_more_is_not_waited_for() -> None:
    other = replace(UNSEEN, server="attic")
    left = verification(WHOLE, UNSEEN, other).seen_at(["attic"])
    assert left.open == [other]
    assert left.checks[1].why == "It is no longer to show this library."


def test_it_is_stored_and_read_back() -> None:
    known = replace(verification(WHOLE, UNSEEN), told={"den": AT}, looks=3, accepted="owner:ada")
    assert verification_from(verification_json(known)) == known
