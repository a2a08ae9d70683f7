from dataclasses import replace
from datetime import UTC, datetime

from capabilities.release.candidate_facts import ANSWER_BYTES
from capabilities.release.choice import Selection
from capabilities.release.judging import Judged
from capabilities.release.shown import shown_facts, to_show
from capabilities.rules.choosing import Chosen, Waiting
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.missing import Missing
from capabilities.rules.names.parsing import parse
from capabilities.rules.ranking import Candidate
from tests.capabilities.rules.verdict_of import OFFER, judged

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
EPISODE = frozenset({(1, 1)})


def at(rank: int, title: str = "Show.S01E01.1080p.WEB-DL") -> Judged:
    judgement = judged(title)
    candidate = Candidate(replace(OFFER, title=title), parse(title), judgement)
    return Judged(candidate, judgement, Identity(Grade.A, None), "same", None, rank)


RANKED = [at(rank) for rank in range(1, 7)]
MADE = Selection(
    Missing(EPISODE, open=True),
    taken={5: Chosen(RANKED[4].candidate, EPISODE, "brings S01E01: 0.70 GB")},
    passed={1: "S01E01 is taken from another"},
    waiting={6: Waiting(RANKED[5].candidate, EPISODE, NOON)},
    uncovered=frozenset(),
    wholes={1: 10},
)


def ranks(shown: list[Judged]) -> list[int]:
    return [each.rank for each in shown]


def test_what_is_taken_and_what_waits_has_room_before_the_others() -> None:
    assert ranks(to_show(RANKED, MADE, 4)) == [5, 6, 1, 2]
    assert ranks(to_show(RANKED, MADE, 1)) == [5]
    assert ranks(to_show(RANKED, None, 3)) == [1, 2, 3]


def test_the_answer_is_by_rank_and_says_what_is_taken_and_what_is_passed_over() -> None:
    kept = to_show(RANKED, MADE, 4)
    facts = shown_facts(kept, MADE, {rank: f"rel:{rank}" for rank in range(1, 7)})
    assert [each.release for each in facts] == ["rel:1", "rel:2", "rel:5", "rel:6"]
    assert facts[0].passed_over == "S01E01 is taken from another"
    assert facts[2].take is not None
    assert facts[2].take.targets.names == ["S01E01"]
    assert [each.take for each in facts if each.rank != 5] == [None] * 3


def test_what_is_taken_fits_before_all_others() -> None:
    wide = [at(rank, f"Show.S01E01.1080p.WEB-DL.{'word.' * 50}{rank}") for rank in range(1, 60)]
    made = replace(MADE, taken={59: MADE.taken[5]}, waiting={})
    facts = shown_facts(
        to_show(wide, made, 50), made, {rank: f"rel:{rank}" for rank in range(1, 60)}
    )
    assert len(facts) < 50
    assert facts[-1].rank == 59
    assert sum(len(each.model_dump_json(exclude_none=True)) for each in facts) <= ANSWER_BYTES
