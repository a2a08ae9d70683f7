from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.ranking import Candidate, Criterion, rank
from capabilities.rules.verdicts import Judgement

NOW = datetime(2024, 5, 1, tzinfo=UTC)
FINE = Judgement(accepted=True, tier="Web", place=1, score=0, reasons=(), preferred_size=10**9)
OFFER = Found("", "loopback", "a", size=10**9, seeders=100, peers=120, published=NOW)


def candidate(
    guid: str, text: str = "T.2020", judgement: Judgement = FINE, priority: int = 25, **offer: Any
) -> Candidate:
    found = replace(OFFER, title=text, guid=guid, **offer)
    return Candidate(found, parse(text), judgement, priority)


def decided(better: Candidate, worse: Candidate) -> Criterion | None:
    """The criterion, after both orders of input gave the same order of output."""
    ranked = rank([worse, better])
    assert ranked == rank([better, worse])
    assert [one.candidate for one in ranked] == [better, worse]
    assert [one.place for one in ranked] == [1, 2]
    assert ranked[0].behind is None
    return ranked[1].behind


BASE = candidate("m")


def test_each_criterion_decides_where_those_before_it_agree() -> None:
    best = replace(FINE, tier="Disc", place=0)
    assert decided(candidate("z", judgement=best), BASE) is Criterion.TIER
    assert decided(candidate("z", judgement=replace(FINE, score=5)), BASE) is Criterion.SCORE
    assert decided(candidate("z", "T.2020.PROPER.1080p"), BASE) is Criterion.REVISION
    assert decided(candidate("z", priority=1), BASE) is Criterion.PRIORITY
    assert decided(candidate("z", seeders=1000), BASE) is Criterion.PEERS
    assert decided(candidate("z", peers=1000), BASE) is Criterion.PEERS
    assert decided(BASE, candidate("z", size=9 * 10**9)) is Criterion.SIZE
    assert decided(BASE, candidate("z", size=None)) is Criterion.SIZE
    assert decided(candidate("z", published=NOW + timedelta(days=1)), BASE) is Criterion.AGE
    assert decided(BASE, candidate("z", published=None)) is Criterion.AGE
    assert decided(BASE, candidate("z")) is Criterion.GUID


def test_a_rejected_release_comes_last_whatever_it_offers() -> None:
    refused = Judgement(accepted=False, tier=None, place=None, score=99, reasons=())
    assert decided(BASE, candidate("a", judgement=refused)) is Criterion.ACCEPTED


def test_a_better_tier_beats_everything_below_it() -> None:
    disc = candidate("z", judgement=replace(FINE, tier="Disc", place=0, score=-50), seeders=1)
    assert decided(disc, candidate("a", seeders=9000)) is Criterion.TIER


def test_unknown_seeders_stand_between_none_and_some() -> None:
    none, unknown, one = (
        candidate(guid, seeders=count) for guid, count in (("a", 0), ("b", None), ("c", 1))
    )
    assert [ranked.candidate for ranked in rank([none, unknown, one])] == [one, unknown, none]


def test_a_few_peers_more_decide_nothing() -> None:
    assert decided(BASE, candidate("z", seeders=300, peers=60)) is Criterion.GUID
    assert decided(candidate("z", seeders=400), BASE) is Criterion.PEERS


def test_without_a_preferred_size_the_largest_comes_first_and_an_unknown_one_last() -> None:
    open_size = replace(FINE, preferred_size=None)
    large = candidate("z", judgement=open_size, size=9 * 10**9)
    assert decided(large, candidate("a", judgement=open_size, size=8 * 10**9)) is Criterion.SIZE
    assert decided(large, candidate("a", judgement=open_size, size=None)) is Criterion.SIZE
    alike = candidate("a", judgement=open_size, size=9 * 10**9 + 10**8)
    assert decided(alike, large) is Criterion.GUID


def test_the_order_is_explained() -> None:
    disc = candidate("z", judgement=replace(FINE, tier="Disc", place=0))
    first, second = rank([BASE, disc])
    assert first.sentence == "nothing ranks before it"
    assert second.sentence == "tier: Web, behind Disc"


def test_nothing_is_ranked_as_nothing() -> None:
    assert rank([]) == ()


candidates = st.builds(
    candidate,
    guid=st.sampled_from(["a", "b"]),
    text=st.sampled_from(["T.2020.1080p", "T.2020.PROPER.1080p", "T.2020.REAL.PROPER.1080p"]),
    judgement=st.builds(
        Judgement,
        accepted=st.booleans(),
        tier=st.just("tier"),
        place=st.sampled_from([None, 0, 1]),
        score=st.integers(0, 1),
        reasons=st.just(()),
        preferred_size=st.sampled_from([None, 10**9]),
    ),
    priority=st.integers(1, 2),
    indexer=st.sampled_from(["x", "y"]),
    seeders=st.sampled_from([None, 0, 1, 2, 3]),
    peers=st.sampled_from([None, 0, 9]),
    size=st.sampled_from([None, 1, 10**9]),
    published=st.sampled_from([None, NOW, NOW + timedelta(days=1)]),
    link=st.sampled_from([None, "one", "two"]),
    info_hash=st.sampled_from([None, "00", "11"]),
)


@given(
    st.lists(candidates, max_size=8).flatmap(
        lambda all_: st.tuples(st.just(all_), st.permutations(all_))
    )
)
def test_the_order_never_depends_on_the_order_of_input(
    lists: tuple[list[Candidate], list[Candidate]],
) -> None:
    given_, shuffled = lists
    assert [one.candidate.found for one in rank(given_)] == [
        one.candidate.found for one in rank(shuffled)
    ]
