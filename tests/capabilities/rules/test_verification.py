from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from capabilities.rules.verification import (
    LEFT,
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


def servers(asked: Verification) -> list[tuple[str | None, bool, bool]]:
    """Of each check at a server: whose it is, whether it passed, and whether nobody is asked."""
    return [(check.server, check.passed, check.left) for check in asked.checks if check.server]


def test_nothing_counts_as_seen_because_its_server_is_gone() -> None:
    asked = verification(WHOLE, UNSEEN).asked_of([])

    assert servers(asked) == [("den", False, True)]
    assert not asked.settled
    assert asked.needs_owner(AT)
    assert asked.reason == f'a.mkv on the media server "den": {LEFT}'


def test_the_others_are_still_asked_when_one_is_gone() -> None:
    other = replace(UNSEEN, server="attic")
    asked = verification(UNSEEN, other).asked_of(["attic"])

    assert servers(asked) == [("den", False, True), ("attic", False, False)]
    assert asked.checks[1] == other


def test_a_server_under_a_new_name_is_asked_in_place_of_the_one_that_is_gone() -> None:
    more = replace(UNSEEN, file="b.mkv")
    seen = replace(UNSEEN, file="c.mkv", passed=True)
    asked = verification(UNSEEN, more, seen).asked_of(["salon"])

    assert servers(asked) == [
        ("salon", False, False),
        ("salon", False, False),
        ("den", True, False),
    ]
    assert [check.instead_of for check in asked.checks] == ["den", "den", None]
    assert not asked.needs_owner(AT)
    assert asked.asked_of(["salon"]) == asked


def test_one_server_stands_in_for_one_that_is_gone_and_no_more() -> None:
    other = replace(UNSEEN, server="attic")
    asked = verification(UNSEEN, other).asked_of(["salon"])

    assert servers(asked) == [("salon", False, False), ("attic", False, True)]


def test_a_server_that_came_later_is_not_required() -> None:
    assert verification(UNSEEN).asked_of(["salon", "den"]) == verification(UNSEEN)
    seen = replace(UNSEEN, passed=True)
    assert verification(seen).asked_of(["salon"]) == verification(seen)


def test_a_server_that_is_back_is_the_one_that_is_asked() -> None:
    known = verification(UNSEEN)
    for away in ([], ["salon"]):
        back = known.asked_of(away).asked_of(["salon", "den"])
        assert servers(back) == [("den", False, False)]
        assert back.checks[0].why is None
        assert not back.needs_owner(AT)


def test_who_stands_in_may_be_gone_in_turn() -> None:
    asked = verification(UNSEEN).asked_of(["salon"])
    nobody = asked.asked_of([])

    assert servers(nobody) == [("salon", False, True)]
    assert servers(nobody.asked_of(["loft"])) == [("loft", False, False)]
    assert servers(nobody.asked_of(["loft"]).asked_of(["den"])) == [("den", False, False)]


def test_it_is_stored_and_read_back() -> None:
    known = replace(verification(WHOLE, UNSEEN), told={"den": AT}, looks=3, accepted="owner:ada")
    assert verification_from(verification_json(known)) == known


def test_a_record_of_before_is_read_without_what_came_later() -> None:
    stored = verification_json(verification(UNSEEN))
    for check in stored["checks"]:
        for later in ("shown_at", "left", "instead_of"):
            del check[later]

    assert verification_from(stored) == verification(UNSEEN)
