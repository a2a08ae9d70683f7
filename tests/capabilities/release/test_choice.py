from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from capabilities.release.choice import UNCERTAIN, Scope, Selection, selection
from capabilities.release.judging import Asking, Judged, judged, named
from capabilities.release.standard import Standard
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.found import Found
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.standing import Around
from capabilities.rules.targets import FILM, Target
from capabilities.rules.verdicts import copy_judged
from capabilities.rules.works import Work
from tests.capabilities.rules import shelf
from tests.capabilities.rules.shelf import SINTEL

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
POLICY = AcquisitionPolicy(delay_minutes=60)
PIONEER = replace(shelf.PIONEER, runtime_minutes=40)


def offer(title: str, minutes_ago: int = 600, **more: Any) -> Found:
    at = NOW - timedelta(minutes=minutes_ago)
    given: dict[str, Any] = {
        "indexer": "one",
        "guid": title,
        "seeders": 5,
        "size": 10**9,
        "published": at,
    }
    if "Pioneer" in title:
        given["external_ids"] = {"tmdb": "4711"}
    return Found(title, **{**given, **more})


def chosen(
    work: Work,
    *offers: Found,
    scope: Scope | None = None,
    on_shelf: frozenset[Target] = frozenset(),
    in_flight: tuple[Target, ...] = (),
) -> tuple[list[Judged], Selection]:
    copy = copy_judged(None, parse("X.S01E01.720p.WEB-DL"), POLICY)
    around = Around(in_flight=dict.fromkeys(in_flight, copy))
    by = Standard(1, POLICY, IdentityPolicy(), work, around, on_shelf)
    ranked = judged(named(offers, (), NOW), Asking(by, NOW, [work]))
    return ranked, selection(ranked, work, scope or Scope(), by, NOW.date())


def titles(ranked: list[Judged], made: Selection) -> dict[str, set[Target]]:
    return {
        one.found.title: set(made.taken[one.rank].targets)
        for one in ranked
        if one.rank in made.taken
    }


FIRST, SECOND = "Pioneer.One.S01E01.1080p.WEB-DL-GRP", "Pioneer.One.S01E02.1080p.WEB-DL-GRP"


def test_what_stands_on_the_shelf_or_is_on_its_way_is_not_taken_again() -> None:
    ranked, made = chosen(
        PIONEER,
        offer(FIRST),
        offer(SECOND),
        scope=Scope(1),
        on_shelf=frozenset({(1, 1)}),
        in_flight=((1, 3),),
    )
    assert made.missing.targets == {(1, 2)}
    assert titles(ranked, made) == {SECOND: {(1, 2)}}
    assert list(made.passed.values()) == ["nothing of it is missing"]


@pytest.mark.parametrize(
    ("scope", "missing"),
    [
        (Scope(), {(1, 1), (1, 2), (1, 3), (2, 1)}),
        (Scope(2), {(2, 1)}),
        (Scope(1, 2), {(1, 2)}),
        (Scope(2, 2), set[Target]()),
    ],
)
def test_the_scope_bounds_what_is_missing_to_what_has_aired(
    scope: Scope, missing: set[Target]
) -> None:
    assert chosen(PIONEER, scope=scope)[1].missing.targets == missing


def test_a_film_has_no_seasons_to_be_asked_for() -> None:
    assert chosen(SINTEL, scope=Scope(1, 2))[1].missing.targets == {FILM}


def test_what_waits_covers_what_nothing_is_taken_for() -> None:
    young = offer(SECOND, 10)
    ranked, made = chosen(PIONEER, offer(FIRST), young, scope=Scope(1))
    assert titles(ranked, made) == {FIRST: {(1, 1)}}
    ((rank, waits),) = made.waiting.items()
    assert ranked[rank - 1].found == young
    assert (waits.targets, waits.until) == ({(1, 2)}, NOW + timedelta(minutes=50))
    assert made.uncovered == {(1, 3)}


def test_an_accepted_one_that_may_be_another_work_is_left_to_a_question() -> None:
    unsure = offer("Sintel.1080p.BluRay-GRP")
    ranked, made = chosen(SINTEL, unsure)
    assert [(one.verdict, one.accepted) for one in ranked] == [("unsure", True)]
    assert (made.taken, made.passed, made.uncovered) == ({}, {1: UNCERTAIN}, {FILM})


def test_the_sizes_of_seasons_are_told_for_their_names() -> None:
    assert chosen(PIONEER)[1].wholes == {0: 2, 1: 3, 2: 2}


@pytest.mark.parametrize(
    ("work", "scope", "unknown"),
    [
        (PIONEER, Scope(), None),
        (PIONEER, Scope(2), None),
        (PIONEER, Scope(2, 2), None),
        (PIONEER, Scope(2, 3), "season 2 has no episode 3 that is known: it has 2"),
        (PIONEER, Scope(9), "its metadata source does not know season 9: it has 1, 2"),
        (
            replace(PIONEER, seasons=()),
            Scope(9),
            "its metadata source does not know season 9: it has none",
        ),
        (SINTEL, Scope(9), None),
    ],
)
def test_what_was_asked_for_and_does_not_exist_is_told(
    work: Work, scope: Scope, unknown: str | None
) -> None:
    assert chosen(work, scope=scope)[1].unknown == unknown


PACK = "Pioneer.One.S01.1080p.WEB-DL-GRP"


def test_a_pack_is_not_taken_while_a_part_of_it_is_on_its_way() -> None:
    ranked, made = chosen(PIONEER, offer(PACK), offer(SECOND), scope=Scope(1), in_flight=((1, 3),))
    assert titles(ranked, made) == {SECOND: {(1, 2)}}
    assert made.uncovered == {(1, 1)}
    later = "S01E01 can be taken from it when what it overlaps with has come"
    assert list(made.passed.values()) == [
        f"S01E03 is on its way already; S01E02 is taken from {SECOND}; {later}"
    ]


def test_of_a_pack_what_stands_on_the_shelf_is_not_fetched() -> None:
    ranked, made = chosen(PIONEER, offer(PACK), on_shelf=frozenset({(1, 1), (1, 2)}))
    assert titles(ranked, made) == {PACK: {(1, 3)}}
    assert [one.sentence for one in made.taken.values()] == [
        "brings S01E03: about 0.33 of its 1.00 GB"
    ]
