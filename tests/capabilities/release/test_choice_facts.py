from dataclasses import replace
from datetime import UTC, datetime, timedelta

from capabilities.release.choice import UNCERTAIN, Selection
from capabilities.release.choice_facts import (
    NAMES_SHOWN,
    WAITING_SHOWN,
    choice_facts,
    choice_sentence,
    target_facts,
)
from capabilities.rules.choosing import Chosen, Waiting
from capabilities.rules.missing import Missing
from capabilities.rules.names.parsing import parse
from capabilities.rules.ranking import Candidate
from tests.capabilities.rules.verdict_of import OFFER, judged

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
NAME = "Show.S01E01.1080p.WEB-DL"
CANDIDATE = Candidate(OFFER, parse(NAME), judged(NAME))
NOTHING = Selection(Missing(frozenset(), open=False), {}, {}, {}, frozenset(), {1: 4})


def test_targets_are_counted_and_named_as_far_as_there_is_room() -> None:
    odd = [(1, 2 * number) for number in range(1, NAMES_SHOWN + 4)]
    facts = target_facts(odd, {})
    assert (facts.count, facts.names[0], facts.left_out) == (NAMES_SHOWN + 3, "S01E02", 3)
    assert len(facts.names) == NAMES_SHOWN


def test_nothing_missing_is_said_with_what_may_still_come() -> None:
    assert choice_sentence(choice_facts(NOTHING, {}, ())) == "Nothing of it is missing now."
    left = Missing(frozenset(), open=True, remarks=("season 1: not every episode has aired",) * 6)
    facts = choice_facts(replace(NOTHING, missing=left), {}, ())
    assert choice_sentence(facts) == (
        "Nothing of it is missing now. More may come: season 1: not every episode has aired."
    )
    assert (len(facts.missing.remarks), facts.missing.remarks_left_out) == (4, 2)


def test_what_is_not_known_is_said_instead_of_what_may_come() -> None:
    left = Missing(
        frozenset(), open=True, remarks=("season 9: the metadata source does not know it",)
    )
    made = replace(NOTHING, missing=left, unknown="its metadata source does not know season 9")
    facts = choice_facts(made, {}, ())
    assert facts.unknown == "its metadata source does not know season 9"
    assert choice_sentence(facts) == (
        "Nothing is known to be missing: its metadata source does not know season 9."
    )


def test_a_time_within_a_minute_is_told_as_the_next_one() -> None:
    late = NOON + timedelta(seconds=1)
    waits = {2: Waiting(CANDIDATE, frozenset({(1, 2)}), late)}
    (told,) = choice_facts(replace(NOTHING, waiting=waits), {2: "rel:2"}, ()).waiting
    assert told.until == "2024-05-01T12:01+00:00"


def test_what_is_missing_is_said_with_what_becomes_of_it() -> None:
    targets = frozenset((1, number) for number in range(1, 5))
    made = Selection(
        Missing(targets, open=True),
        taken={1: Chosen(CANDIDATE, frozenset({(1, 1)}), "brings S01E01")},
        passed={4: UNCERTAIN},
        waiting={2: Waiting(CANDIDATE, frozenset({(1, 2)}), NOON)},
        uncovered=frozenset({(1, 3), (1, 4)}),
        wholes={1: 4},
    )
    facts = choice_facts(made, {1: "rel:1", 2: "rel:2"}, {1})
    assert choice_sentence(facts) == (
        "Missing: S01. 1 to take, see take. 1 of the releases wait for better ones. "
        "Nothing to take for S01E03-E04. 1 may be another work; identity__resolve settles that."
    )
    (waits,) = facts.waiting
    assert (waits.release, waits.targets.names) == ("rel:2", ["S01E02"])
    assert waits.until == "2024-05-01T12:00+00:00"


def test_what_the_answer_has_no_room_for_is_counted() -> None:
    many = range(1, WAITING_SHOWN + 3)
    made = replace(
        NOTHING,
        taken={at: Chosen(CANDIDATE, frozenset({(1, at)}), "brings it") for at in many},
        waiting={50 + at: Waiting(CANDIDATE, frozenset({(2, at)}), NOON) for at in many},
    )
    references = {50 + at: f"rel:{at}" for at in many}
    facts = choice_facts(made, references, {1, 2})
    assert (facts.takes, facts.takes_left_out) == (len(many), len(many) - 2)
    assert (len(facts.waiting), facts.waiting_left_out) == (WAITING_SHOWN, 2)
    unkept = choice_facts(made, {}, ())
    assert (unkept.waiting, unkept.waiting_left_out) == ([], len(many))
