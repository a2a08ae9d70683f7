from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.reasons import Rule
from capabilities.rules.standing import Around, Block, blocked_as
from capabilities.rules.surroundings import surroundings
from capabilities.rules.upgrading import ProperPolicy, Step
from capabilities.rules.verdicts import Circumstances, Judgement, judge
from capabilities.rules.works import Work
from tests.capabilities.rules.kept import Entry, Kept
from tests.capabilities.rules.shelf import PIONEER, SINTEL

POLICY = AcquisitionPolicy(least_seeders=0)
OFFER = Found("", "loopback", "1")
WEB = "Sintel.2010.1080p.WEB-DL.x264-GRP"
DISC = "Sintel.2010.1080p.BluRay.x264-GRP"


def judged(text: str, around: Around, work: Work = SINTEL, **offer: Any) -> Judgement:
    found = replace(OFFER, title=text, **offer)
    identity = Identity(Grade.A, work)
    return judge(found, parse(text), identity, POLICY, Circumstances(around=around))


def rules(judgement: Judgement) -> list[tuple[Rule, str]]:
    return [(reason.rule, reason.token) for reason in judgement.rejections]


def having(*kept: Kept, work: Work = SINTEL) -> Around:
    return surroundings(kept, (), POLICY, work)


def blocking(*entries: Entry) -> Around:
    return surroundings((), entries, POLICY, SINTEL)


def test_what_is_held_is_replaced_only_by_something_better() -> None:
    assert judged(DISC, having(Kept(WEB))).accepted
    assert rules(judged(WEB, having(Kept(DISC)))) == [(Rule.HELD, Step.WORSE_QUALITY)]
    assert rules(judged(WEB, having(Kept(WEB)))) == [(Rule.HELD, Step.SCORE_NOT_HIGHER)]
    (said,) = judged(WEB, having(Kept(DISC))).rejections
    assert said.sentence == "it is in the library already: its quality is worse"


def test_a_torrent_is_blocked_under_the_hash_that_somebody_knew() -> None:
    blocks = [Block("a fake", title="T"), Block("a fake", info_hash="ab" * 32)]
    assert blocked_as(blocks, {"cd" * 20, "ab" * 32}) == "ab" * 32
    assert blocked_as(blocks, {"cd" * 20}) is None


def test_what_is_on_its_way_goes_through_the_same_rule() -> None:
    around = having(Kept(WEB, in_flight=True))
    assert rules(judged(WEB, around)) == [(Rule.IN_FLIGHT, Step.SCORE_NOT_HIGHER)]
    assert judged(DISC, around).accepted
    (note,) = [one for one in judged(DISC, around).reasons if one.rule is Rule.IN_FLIGHT]
    assert note.sentence.startswith("better than what is on its way")


def episodes(title: str, *numbers: int, season: int = 1) -> Around:
    kept = (Kept(title, season, number) for number in numbers)
    return having(*kept, work=PIONEER)


def test_a_pack_that_brings_a_missing_episode_is_worth_it() -> None:
    held = "Pioneer.One.S01E01.1080p.WEB-DL"
    pack = "Pioneer.One.S01.1080p.WEB-DL"
    assert judged(pack, episodes(held, 1, 2), PIONEER).accepted
    whole = judged(pack, episodes(held, 1, 2, 3), PIONEER)
    assert rules(whole) == [(Rule.HELD, Step.SCORE_NOT_HIGHER)]
    assert "S01E01" in whole.rejections[0].sentence


def split(pack: str, held: str, coming: str) -> Judgement:
    """A pack of three episodes: two are in the library, the third is on its way."""
    kept = [Kept(held, 1, 1), Kept(held, 1, 2), Kept(coming, 1, 3, in_flight=True)]
    return judged(pack, having(*kept, work=PIONEER), PIONEER)


def test_what_is_held_and_what_is_on_its_way_make_one_whole() -> None:
    disc, web = "Pioneer.One.S01E01.1080p.BluRay", "Pioneer.One.S01E03.1080p.WEB-DL"
    worse = split("Pioneer.One.S01.720p.HDTV", disc, web)
    assert rules(worse) == [(Rule.HELD, Step.WORSE_QUALITY)]
    assert split("Pioneer.One.S01.1080p.BluRay", disc, web).accepted
    last = split("Pioneer.One.S01E03.1080p.WEB-DL", disc, web)
    assert rules(last) == [(Rule.IN_FLIGHT, Step.SCORE_NOT_HIGHER)]


def test_of_two_copies_of_one_target_the_better_one_counts() -> None:
    coming = having(Kept(WEB), Kept(DISC, in_flight=True))
    assert rules(judged(WEB, coming)) == [(Rule.IN_FLIGHT, Step.WORSE_QUALITY)]
    worse = having(Kept(DISC), Kept(WEB, in_flight=True))
    assert rules(judged(WEB, worse)) == [(Rule.HELD, Step.WORSE_QUALITY)]


def test_one_file_for_two_episodes_must_be_better_than_each() -> None:
    double = "Pioneer.One.S01E01E02.1080p.BluRay"
    web = Kept("Pioneer.One.S01E01.1080p.WEB-DL", 1, 1)
    disc = Kept("Pioneer.One.S01E02.1080p.BluRay", 1, 2)
    assert judged(double, having(web, work=PIONEER), PIONEER).accepted
    assert not judged(double, having(web, disc, work=PIONEER), PIONEER).accepted
    both = having(web, replace(disc, title=web.title), work=PIONEER)
    assert judged(double, both, PIONEER).accepted


def test_other_episodes_do_not_stand_in_the_way() -> None:
    around = episodes("Pioneer.One.S01E01.1080p.WEB-DL", 1)
    assert judged("Pioneer.One.S01E02.1080p.WEB-DL", around, PIONEER).accepted
    assert judged("Pioneer.One.S02E01.1080p.WEB-DL", around, PIONEER).accepted


def test_one_torrent_is_never_fetched_twice() -> None:
    """SUB-05: upgrade mode, the same torrent every cycle."""
    around = having(Kept(WEB))
    again = judged(DISC, around, info_hash="f" * 40)
    assert rules(again) == [(Rule.DUPLICATE, "f" * 40)]
    assert judged(DISC, around, info_hash="e" * 40).accepted


def sought_after(text: str, around: Around, work: Work = SINTEL, **offer: Any) -> Judgement:
    """As judged where a format counts for so much that it would be taken again and again."""
    free = Condition(ConditionKind.INDEXER_FLAG, "freeleech")
    policy = replace(POLICY, formats=(CustomFormat("free", (free,), 50),), upgrade_until_score=None)
    found = replace(OFFER, title=text, download_factor=0.0, **offer)
    return judge(found, parse(text), Identity(Grade.A, work), policy, Circumstances(around=around))


@pytest.mark.parametrize("again", [DISC, DISC.replace(".", " "), DISC.lower()])
def test_a_release_of_the_same_name_is_not_fetched_again_for_a_better_score(again: str) -> None:
    around = having(Kept(DISC))
    judgement = sought_after(again, around, info_hash="e" * 40)
    assert [rule for rule, _ in rules(judgement)] == [Rule.DUPLICATE]
    assert "very name" in judgement.rejections[0].sentence
    assert sought_after(DISC.replace("GRP", "OTHER"), around).accepted


def test_a_pack_of_the_same_name_is_fetched_for_an_episode_that_it_did_not_bring() -> None:
    pack = "Pioneer.One.S01.1080p.BluRay-GRP"
    some, whole = episodes(pack, 1, 2), episodes(pack, 1, 2, 3)
    assert sought_after(pack, some, PIONEER).accepted
    assert rules(sought_after(pack, whole, PIONEER)) == [(Rule.DUPLICATE, pack)]


def test_what_failed_and_was_removed_comes_back_unless_it_is_blocked() -> None:
    gone = judged(DISC, having(), info_hash="f" * 40)
    assert gone.accepted
    blocked = judged(DISC, blocking(Entry(info_hash="f" * 40)), info_hash="f" * 40)
    assert [rule for rule, _ in rules(blocked)] == [Rule.BLOCKLIST]


@pytest.mark.parametrize(
    ("entry", "offer", "blocked"),
    [
        (Entry(info_hash="a" * 40), {"info_hash": "A" * 40}, True),
        (Entry(info_hash="a" * 40, title=WEB), {"info_hash": "b" * 40}, False),
        (Entry(info_hash="a" * 40, title=WEB, indexer="loopback"), {}, True),
        (Entry(title=WEB, indexer="loopback"), {"info_hash": "b" * 40}, True),
        (Entry(title=WEB, indexer="other"), {}, False),
        (Entry(title=WEB), {}, True),
        (Entry(info_hash="a" * 40), {}, False),
        (Entry(title=DISC), {}, False),
    ],
)
def test_a_block_hits_its_hash_or_else_its_title_at_its_indexer(
    entry: Entry, offer: dict[str, Any], blocked: bool
) -> None:
    judgement = judged(WEB, blocking(entry), **offer)
    assert judgement.accepted is not blocked
    if blocked:
        assert [rule for rule, _ in rules(judgement)] == [Rule.BLOCKLIST]
        assert "a fake" in judgement.rejections[0].sentence


def test_every_rejection_keeps_all_its_reasons() -> None:
    around = surroundings([Kept(DISC)], [Entry(title="Sintel.2010.720p.HDCAM")], POLICY, SINTEL)
    judgement = judged("Sintel.2010.720p.HDCAM", around, seeders=0, size=10**12)
    assert [rule for rule, _ in rules(judgement)] == [
        Rule.SOURCE,
        Rule.TIER,
        Rule.BLOCKLIST,
        Rule.HELD,
    ]


NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
PROPER = "Sintel.2010.1080p.WEB-DL.PROPER.x264-OTHER"


def waits(text: str, around: Around, work: Work = SINTEL, **policy: Any) -> bool:
    """Whether an offer of this very moment waits under a policy with a delay."""
    found = replace(OFFER, title=text, published=NOW)
    delaying = replace(POLICY, delay_minutes=60, **policy)
    given = Circumstances(now=NOW, around=around)
    judgement = judge(found, parse(text), Identity(Grade.A, work), delaying, given)
    return any(reason.rule is Rule.DELAY and reason.rejects for reason in judgement.reasons)


def test_a_proper_of_what_is_held_does_not_wait() -> None:
    assert not waits(PROPER, having(Kept(WEB)))
    assert waits(PROPER, having(Kept(DISC)))
    assert waits(PROPER, having(Kept(WEB, in_flight=True)))
    assert waits(PROPER, having())
    assert waits(DISC, having(Kept(WEB)))


@pytest.mark.parametrize("propers", [ProperPolicy.DO_NOT_UPGRADE, ProperPolicy.DO_NOT_PREFER])
def test_a_proper_waits_where_it_upgrades_nothing(propers: ProperPolicy) -> None:
    assert waits(PROPER, having(Kept(WEB)), propers=propers)


def test_a_repack_for_something_missing_too_waits() -> None:
    web, repack = "Pioneer.One.S01.1080p.WEB-DL-GRP", "Pioneer.One.S01.1080p.WEB-DL.REPACK-GRP"
    assert not waits(repack, episodes(web, 1, 2, 3), PIONEER)
    assert waits(repack, episodes(web, 1, 2), PIONEER)
