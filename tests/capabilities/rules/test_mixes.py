from collections.abc import Sequence
from dataclasses import replace

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.mixes import OVERHEAD, Pick, best_mix
from capabilities.rules.names.parsing import parse
from capabilities.rules.ranking import Candidate
from capabilities.rules.targets import Target
from capabilities.rules.tiers import TIERS_V1
from capabilities.rules.verdicts import judge
from capabilities.rules.works import Season, Work, WorkKey, WorkKind

GB = 10**9
SHOW = Work(
    WorkKey("tmdb", WorkKind.SERIES, "1"),
    "Show",
    2023,
    seasons=(Season(1, 2023, 4), Season(2, 2024, 3)),
)
POLICY = AcquisitionPolicy(
    tiers=tuple(replace(tier, most_per_minute=None) for tier in TIERS_V1), least_seeders=0
)


def offered(said: str, gb: float | None, score: int = 0) -> Candidate:
    text = f"Show.{said}.1080p.WEB-DL-GRP"
    size = None if gb is None else round(gb * GB)
    found, name = Found(text, "one", text, size=size), parse(text)
    judgement = judge(found, name, Identity(Grade.A, SHOW), POLICY)
    return Candidate(found, name, replace(judgement, score=score))


def of(season: int, *episodes: int) -> frozenset[Target]:
    return frozenset((season, episode) for episode in episodes)


SEASON = of(1, 1, 2, 3, 4)


def said(mix: Sequence[Pick]) -> list[str]:
    return sorted(pick.candidate.found.title.split(".")[1] for pick in mix)


def test_what_covers_most_is_taken_however_dear_it_is() -> None:
    pack, cheap = offered("S01", 60), [offered(f"S01E0{one}", 0.1) for one in (1, 2, 3)]
    assert said(best_mix([pack, *cheap], SEASON)) == ["S01"]
    assert said(best_mix([pack, *cheap], of(1, 1, 2))) == ["S01E01", "S01E02"]


def test_seasons_are_decided_each_for_itself() -> None:
    singles = [offered(f"S02E0{one}", 0.5) for one in (1, 2, 3)]
    offers = [offered("S01", 2), offered("S01E01", 0.1), offered("S02", 9), *singles]
    assert said(best_mix(offers, SEASON | of(2, 1, 2, 3))) == [
        "S01",
        "S02E01",
        "S02E02",
        "S02E03",
    ]


def test_runs_and_singles_are_put_together() -> None:
    inner, outer = offered("S01E02-E03", 1), [offered("S01E01-E02", 2), offered("S01E03-E04", 2)]
    assert said(best_mix([inner, *outer], SEASON)) == ["S01E01-E02", "S01E03-E04"]
    ends = [offered("S01E01", 1), offered("S01E04", 1)]
    cheap = best_mix([inner, *outer, *ends], SEASON)
    assert said(cheap) == ["S01E01", "S01E02-E03", "S01E04"]


def test_the_score_over_all_that_is_covered_counts_before_the_cost() -> None:
    singles = [offered(f"S01E0{one}", 9, score=10 if one == 1 else 0) for one in range(1, 5)]
    assert len(best_mix([offered("S01", 1), *singles], SEASON)) == 4
    assert said(best_mix([offered("S01", 99, score=3), *singles], SEASON)) == ["S01"]


def test_a_download_costs_a_little_besides_its_bytes_which_are_told_apart() -> None:
    (pick,) = best_mix([offered("S01", 4)], of(1, 1), held=of(1, 2, 3, 4))
    assert (pick.fetched, pick.cost, pick.share) == (GB, GB + OVERHEAD, of(1, 1))
    singles = [offered(f"S01E0{one}", 1) for one in range(1, 5)]
    assert said(best_mix([offered("S01", 4.5), *singles], SEASON)) == ["S01"]


def test_a_release_of_unknown_size_is_neither_free_nor_out_of_the_question() -> None:
    (pick,) = best_mix([offered("S01E01", None)], of(1, 1))
    assert pick.fetched is None
    assert said(best_mix([offered("S01", None), offered("S01E01", 1)], of(1, 1))) == ["S01E01"]
