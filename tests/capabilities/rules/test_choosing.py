"""Cases with an id are those of the regression table for subscriptions."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.choosing import Choice, Waiting, choose, waiting
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.ranking import Candidate, rank
from capabilities.rules.standing import Around
from capabilities.rules.tiers import TIERS_V1
from capabilities.rules.verdicts import Circumstances, copy_judged, judge
from capabilities.rules.works import Season, Work, WorkKey, WorkKind
from tests.capabilities.rules.shelf import SINTEL

GB = 10**9
SHOW = Work(
    WorkKey("tmdb", WorkKind.SERIES, "1"),
    "Show",
    2023,
    seasons=(Season(1, 2023, 10), Season(2, 2024, 36)),
)
FREE = tuple(replace(tier, most_per_minute=None) for tier in TIERS_V1)
POLICY = AcquisitionPolicy(tiers=FREE, least_seeders=0)
OFFER = Found("", "one", "", seeders=5)


def offered(
    text: str, gb: float | None, indexer: str = "one", work: Work = SHOW, score: int = 0
) -> Candidate:
    size = None if gb is None else round(gb * GB)
    found = replace(OFFER, title=text, guid=text, size=size, indexer=indexer)
    name = parse(text)
    judgement = judge(found, name, Identity(Grade.A, work), POLICY)
    return Candidate(found, name, replace(judgement, score=score))


def chosen(choice: Choice) -> dict[str, list[tuple[int, int]]]:
    return {one.candidate.found.title: sorted(one.targets) for one in choice.chosen}


def of(season: int, *episodes: int) -> list[tuple[int, int]]:
    return [(season, episode) for episode in episodes]


def choice(offers: list[Candidate], missing: Collection[tuple[int, int]], **more: Any) -> Choice:
    made = choose(rank(offers), missing, **more)
    taken = [target for one in made.chosen for target in one.targets]
    assert len(taken) == len(set(taken))
    assert {*taken, *made.uncovered} == set(missing)
    assert made == choose(rank(list(reversed(offers))), missing, **more)
    return made


PACK = "Show.S01.1080p.WEB-DL-GRP"


def single(number: int, quality: str = "1080p.WEB-DL") -> str:
    return f"Show.S01E{number:02}.{quality}-GRP"


def test_of_two_packs_for_one_set_one_is_taken() -> None:
    """SUB-01b: one site lists 2160p and 1080p packs of 29-36 in one pass."""
    uhd, hd = "Show.S02E29-E36.2160p.WEB-DL-GRP", "Show.S02E29-E36.1080p.WEB-DL-GRP"
    made = choice([offered(uhd, 40), offered(hd, 16)], of(2, *range(29, 37)))
    assert chosen(made) == {hd: of(2, *range(29, 37))}
    ((passed, why),) = made.passed
    assert passed.found.title == uhd
    assert why == f"S02E29-E36 is taken from {hd}"


def test_of_releases_for_the_same_targets_the_rank_decides_and_not_the_size() -> None:
    large = [offered("Show.S01.1080p.WEB-DL.REPACK-GRP", 30), offered(single(3), 4, "two")]
    small = [offered(PACK, 10), offered("Show.S01E03.1080p.WEB-DL-OTHER", 1)]
    seeded = [replace(one, priority=1) for one in large]
    made = choice([*small, *seeded], of(1, *range(1, 11)))
    assert list(chosen(made)) == ["Show.S01.1080p.WEB-DL.REPACK-GRP"]
    film = [offered("Sintel.2010.1080p.WEB-DL-A", gb, work=SINTEL) for gb in (1, 9)]
    first = replace(film[1], priority=1)
    assert choice([film[0], first], [(0, 0)]).chosen[0].candidate == first


def test_a_pack_or_singles_are_taken_and_never_both() -> None:
    """SUB-01d: single episodes and the season pack are offered."""
    singles = [offered(single(number), 1) for number in range(1, 11)]
    everything = [*singles, offered(PACK, 10)]
    made = choice(everything, of(1, *range(1, 11)))
    assert chosen(made) == {PACK: of(1, *range(1, 11))}
    assert len(made.passed) == 10
    dear = choice([*singles, offered(PACK, 60)], of(1, *range(1, 11)))
    assert len(chosen(dear)) == 10
    assert PACK not in chosen(dear)


HELD = [target for target in of(1, *range(1, 11)) if target != (1, 4)]


def test_of_a_pack_only_what_is_missing_is_wanted() -> None:
    """SUB-12: a season pack, one episode missing."""
    offers = [offered(PACK, 10), offered(single(4), 1.5)]
    made = choice(offers, of(1, 4), held=HELD)
    assert chosen(made) == {PACK: of(1, 4)}
    assert made.chosen[0].sentence == "brings S01E04: about 1.00 of its 10.00 GB"


def test_what_of_a_pack_is_not_held_is_fetched_and_counts_whatever_was_asked_for() -> None:
    offers = [offered(PACK, 10), offered(single(4), 1.5)]
    assert chosen(choice(offers, of(1, 4), held=of(1, 1))) == {single(4): of(1, 4)}
    assert chosen(choice(offers[:1], of(1, 4))) == {PACK: of(1, 4)}


@pytest.mark.parametrize(
    ("gb", "said"),
    [(1.234, "brings S01E04: 1.23 GB"), (None, "brings S01E04; nobody says its size")],
)
def test_the_bytes_are_told_and_not_what_they_are_weighed_by(gb: float | None, said: str) -> None:
    (taken,) = choice([offered(single(4), gb)], of(1, 4)).chosen
    assert taken.sentence == said


def test_where_a_part_is_not_suffered_the_whole_counts() -> None:
    """SUB-13: a site punishes partial downloads."""
    offers = [offered(PACK, 10), offered(single(4), 1.5)]
    assert chosen(choice(offers, of(1, 4), held=HELD)) == {PACK: of(1, 4)}
    punished = choice(offers, of(1, 4), held=HELD, whole_only=("one",))
    assert chosen(punished) == {single(4): of(1, 4)}
    (whole,) = choice(offers[:1], of(1, 4), held=HELD, whole_only=("one",)).chosen
    assert whole.sentence == "brings S01E04: 10.00 GB"


def test_one_version_of_a_film_is_taken() -> None:
    """SUB-06: a film with upgrades off has one slot, and four versions are on offer."""
    names = [f"Sintel.2010.{quality}-GRP" for quality in
             ("2160p.BluRay", "1080p.BluRay", "1080p.WEB-DL", "720p.BluRay")]  # fmt: skip
    made = choice([offered(name, 5, work=SINTEL) for name in names], [(0, 0)])
    assert chosen(made) == {"Sintel.2010.1080p.BluRay-GRP": [(0, 0)]}
    assert made.chosen[0].sentence.startswith("brings the film")
    assert len(made.passed) == 3


def test_each_target_is_taken_from_the_best_tier_that_has_it() -> None:
    best = single(1, "1080p.BluRay")
    offers = [offered(best, 3), offered(single(1), 1), offered(single(2), 1)]
    assert chosen(choice(offers, of(1, 1, 2))) == {best: of(1, 1), single(2): of(1, 2)}


def test_what_overlaps_with_something_taken_is_left_until_that_has_come() -> None:
    best = single(1, "1080p.BluRay")
    made = choice([offered(best, 3), offered(PACK, 10)], of(1, 1, 2))
    assert (chosen(made), made.uncovered) == ({best: of(1, 1)}, {(1, 2)})
    later = "S01E02 can be taken from it when what it overlaps with has come"
    assert [why for _, why in made.passed] == [f"S01E01 is taken from {best}; {later}"]


def test_a_pack_is_not_taken_while_a_part_of_it_is_on_its_way() -> None:
    """SUB-01d: a single episode is on its way, and the season pack is offered."""
    pack, rest = offered(PACK, 2), of(1, 2, 3)
    made = choice([pack, offered(single(2), 1), offered(single(3), 1)], rest, coming=of(1, 1))
    assert chosen(made) == {single(2): of(1, 2), single(3): of(1, 3)}
    alone = choice([pack], rest, coming=of(1, 1))
    assert (alone.chosen, alone.uncovered) == ((), set(rest))
    later = "S01E02-E03 can be taken from it when what it overlaps with has come"
    assert [why for _, why in alone.passed] == [f"S01E01 is on its way already; {later}"]


def test_of_a_season_as_a_pack_and_as_a_run_of_episodes_the_first_in_rank_is_taken() -> None:
    run = "Show.S01E01-E10.1080p.WEB-DL-GRP"
    for better in (PACK, run):
        offers = [offered(text, 10 if text == better else 9, score=500 * (text == better))
                  for text in (PACK, run)]  # fmt: skip
        assert chosen(choice(offers, of(1, *range(1, 11)))) == {better: of(1, *range(1, 11))}


def test_the_score_counts_before_the_cost() -> None:
    double = "Show.S01E01-E02.1080p.WEB-DL-GRP"
    singles = [offered(single(number), 3, score=500) for number in (1, 2)]
    made = choice([offered(double, 5), *singles], of(1, 1, 2))
    assert chosen(made) == {single(1): of(1, 1), single(2): of(1, 2)}
    assert [why for _, why in made.passed] == [f"S01E01-E02 is taken from {single(1)} and 1 more"]
    better = choice([offered(double, 9, score=501), *singles], of(1, 1, 2))
    assert chosen(better) == {double: of(1, 1, 2)}


def test_one_file_for_two_episodes_is_not_taken_beside_one_of_them() -> None:
    double = "Show.S01E01E02.1080p.WEB-DL-GRP"
    offers = [offered(double, 2), offered(single(1), 1), offered(single(2), 1)]
    assert chosen(choice(offers, of(1, 1, 2))) == {double: of(1, 1, 2)}
    best = [*offers, offered(single(1, "1080p.BluRay"), 3)]
    made = choice(best, of(1, 1, 2))
    assert chosen(made) == {single(1, "1080p.BluRay"): of(1, 1), single(2): of(1, 2)}


def test_what_nobody_offers_stays_uncovered_and_the_rest_is_taken() -> None:
    refused = offered("Show.S01E02.HDCAM-GRP", 1)
    made = choice([offered(single(1), None), refused], of(1, 1, 2))
    assert chosen(made) == {single(1): of(1, 1)}
    assert made.uncovered == {(1, 2)}


def test_what_is_not_missing_is_passed_over() -> None:
    unknown = offered("Show.S09.1080p.WEB-DL-GRP", 9)
    made = choice([offered(single(3), 1), unknown], of(1, 1))
    assert made.chosen == ()
    assert sorted(why for _, why in made.passed) == [
        "nobody knows which episodes it holds",
        "nothing of it is missing",
    ]


def test_what_is_there_already_in_a_worse_copy_is_passed_over_as_better() -> None:
    name = parse(single(1, "1080p.BluRay"))
    held = copy_judged(None, parse(single(1, "720p.WEB-DL")), POLICY, work=SHOW)
    around = Around(held={(1, 1): held})
    found = replace(OFFER, title=name.text, guid="1", size=GB)
    judgement = judge(found, name, Identity(Grade.A, SHOW), POLICY, Circumstances(around=around))
    ((_, why),) = choice([Candidate(found, name, judgement)], []).passed
    assert why == "nothing of it is missing; it is better than what is there"


def test_many_runs_are_counted_in_a_sentence() -> None:
    odd = of(1, 1, 3, 5, 7, 9)
    (taken,) = choice([offered(PACK, 10)], odd).chosen
    assert taken.sentence.startswith("brings S01E01, S01E03, S01E05, S01E07 and 1 more: ")


NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
DELAYED = replace(POLICY, delay_minutes=60)


def young(text: str, minutes: int, gb: float = 1) -> Candidate:
    """An offer that was published so many minutes ago, under a policy with a delay of an hour."""
    at = NOON - timedelta(minutes=minutes)
    found = replace(OFFER, title=text, guid=text, size=round(gb * GB), published=at)
    name = parse(text)
    judgement = judge(found, name, Identity(Grade.A, SHOW), DELAYED, Circumstances(now=NOON))
    return Candidate(found, name, judgement)


def test_of_several_that_wait_for_the_same_the_best_is_named_with_its_time() -> None:
    worse, best = young(single(1, "720p.WEB-DL"), 20), young(single(1, "1080p.BluRay"), 10)
    ranked = rank([worse, best])
    made = choose(ranked, of(1, 1, 2))
    assert (made.chosen, made.uncovered) == ((), {(1, 1), (1, 2)})
    assert waiting(ranked, made.uncovered) == (
        Waiting(best, frozenset({(1, 1)}), NOON + timedelta(minutes=50)),
    )


def test_nothing_waits_for_what_is_taken_or_what_more_than_time_stands_against() -> None:
    refused = young("Show.S01E02.HDCAM-GRP", 10)
    now, later = young(single(1), 90), young(single(1, "1080p.BluRay"), 10)
    ranked = rank([now, later, refused])
    made = choose(ranked, of(1, 1, 2))
    assert chosen(made) == {single(1): of(1, 1)}
    assert waiting(ranked, made.uncovered) == ()


def test_nothing_waits_that_overlaps_with_what_is_on_its_way() -> None:
    pack = rank([young(PACK, 10, 10)])
    missing = of(1, *range(2, 11))
    assert waiting(pack, missing, coming=of(1, 1)) == ()
    ((targets,),) = [[one.targets for one in waiting(pack, missing)]]
    assert targets == set(missing)
