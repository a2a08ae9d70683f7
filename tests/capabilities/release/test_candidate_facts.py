from dataclasses import replace

from capabilities.release.candidate_facts import DOUBTS_SHOWN, REASONS_SHOWN, candidate_facts
from capabilities.release.judging import Judged
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.names.parsing import parse
from capabilities.rules.ranking import Candidate
from tests.capabilities.rules.verdict_of import OFFER, judged

TITLE = "Sintel.2010.1080p.BluRay"


def one(required: int, doubts: int) -> Judged:
    """An offer that lacks so many required words, and whose indexer is doubted so often."""
    policy = AcquisitionPolicy(required_tokens=tuple(f"word{n}" for n in range(required)))
    judgement = judged(TITLE, policy)
    found = replace(OFFER, title=TITLE, doubts=tuple(f"doubt {n}" for n in range(doubts)))
    candidate = Candidate(found, parse(TITLE), judgement)
    return Judged(candidate, judgement, Identity(Grade.A, None), None, None, 1)


def test_reasons_and_doubts_that_are_not_shown_are_counted() -> None:
    facts = candidate_facts(one(REASONS_SHOWN + 3, DOUBTS_SHOWN + 2), "rel:1")
    assert (len(facts.reasons), facts.reasons_left_out) == (REASONS_SHOWN, 3)
    assert facts.doubts is not None
    assert (len(facts.doubts), facts.doubts_left_out) == (DOUBTS_SHOWN, 2)


def test_where_all_of_them_are_shown_nothing_is_counted() -> None:
    facts = candidate_facts(one(REASONS_SHOWN, DOUBTS_SHOWN), "rel:1")
    assert (len(facts.reasons), facts.reasons_left_out, facts.doubts_left_out) == (
        REASONS_SHOWN,
        None,
        None,
    )
