from dataclasses import replace

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.tiers import place_of
from capabilities.rules.upgrading import (
    Copy,
    Goals,
    ProperPolicy,
    Step,
    copy_of,
    goal_of,
    upgrade,
)

HD, UHD = Resolution.P1080, Resolution.P2160
WEB, WEBRIP, DISC = Source.WEB_DL, Source.WEBRIP, Source.BLURAY
HELD = Copy(place=1, score=10, resolution=HD, source=WEB, group="GRP")
BETTER = Copy(place=0, score=0, resolution=HD, source=DISC, group="GRP")
WORSE = Copy(place=2, score=999, resolution=Resolution.P720, source=WEB, revision=9)
PROPER = replace(HELD, revision=2)
REPACK = replace(PROPER, repack=True)
MORE = replace(HELD, score=30)
GOALS = Goals(upgrade_until=0, upgrade_until_score=100)
OFF = replace(GOALS, upgrade_until=None)
REACHED = replace(GOALS, upgrade_until=1)


@pytest.mark.parametrize(
    ("held", "offered", "goals", "step", "said"),
    [
        (HELD, BETTER, GOALS, Step.BETTER_QUALITY, "upgrades go on to there"),
        (HELD, WORSE, GOALS, Step.WORSE_QUALITY, "its quality is worse"),
        (HELD, PROPER, GOALS, Step.HIGHER_REVISION, "revision 2 instead of 1"),
        (HELD, PROPER, OFF, Step.HIGHER_REVISION, "revision 2 instead of 1"),
        (HELD, BETTER, OFF, Step.UPGRADES_OFF, "upgrades are off"),
        (HELD, MORE, OFF, Step.UPGRADES_OFF, "upgrades are off"),
        (PROPER, MORE, GOALS, Step.LOWER_REVISION, "it is revision 1, and 2 is here"),
        (HELD, BETTER, REACHED, Step.GOAL_REACHED, "upgrades end below"),
        (HELD, HELD, GOALS, Step.SCORE_NOT_HIGHER, "its score is 10, and what is here has 10"),
        (
            replace(HELD, score=100),
            replace(HELD, score=500),
            GOALS,
            Step.SCORE_REACHED,
            "upgrades for the score end at 100",
        ),
        (HELD, MORE, replace(GOALS, least_gain=21), Step.GAIN_TOO_SMALL, "gain 21 at least"),
        (HELD, MORE, replace(GOALS, least_gain=20), Step.HIGHER_SCORE, "its score is 30"),
        (HELD, MORE, replace(GOALS, upgrade_until_score=None), Step.HIGHER_SCORE, "score is 30"),
        (replace(HELD, place=None), BETTER, GOALS, Step.BETTER_QUALITY, "its quality is better"),
        (HELD, replace(BETTER, place=None), GOALS, Step.NO_TIER, "no tier of the policy holds it"),
    ],
)
def test_the_first_step_that_applies_decides(
    held: Copy, offered: Copy, goals: Goals, step: Step, said: str
) -> None:
    decided = upgrade(held, offered, goals)
    assert decided.step is step
    assert decided.taken is (step in {Step.BETTER_QUALITY, Step.HIGHER_REVISION, Step.HIGHER_SCORE})
    assert said in decided.sentence


def test_a_score_below_the_least_is_never_taken_whatever_the_quality() -> None:
    goals = replace(GOALS, least_score=1)
    assert upgrade(HELD, BETTER, goals).step is Step.SCORE_TOO_LOW
    assert upgrade(HELD, replace(BETTER, score=1), goals).taken


def test_a_repack_mends_its_own_groups_release_only() -> None:
    assert upgrade(HELD, REPACK, GOALS).step is Step.HIGHER_REVISION
    assert upgrade(HELD, replace(REPACK, group="grp"), GOALS).taken
    for group in ("OTHER", None):
        other = upgrade(HELD, replace(REPACK, group=group), GOALS)
        assert other.step is Step.REPACK_OF_ANOTHER
    assert not upgrade(replace(HELD, group=None), REPACK, GOALS).taken
    assert upgrade(HELD, replace(PROPER, group="OTHER"), GOALS).taken


def test_a_repack_of_a_better_quality_is_a_better_quality() -> None:
    other = replace(BETTER, repack=True, revision=2, group="OTHER")
    assert upgrade(HELD, other, GOALS).step is Step.BETTER_QUALITY


def test_a_revision_counts_within_one_quality_only() -> None:
    ripped = replace(PROPER, source=WEBRIP)
    assert upgrade(HELD, ripped, GOALS).step is Step.SCORE_NOT_HIGHER
    assert upgrade(ripped, MORE, GOALS).step is Step.HIGHER_SCORE


def test_propers_can_be_left_alone_or_left_to_the_score() -> None:
    no_upgrade = replace(GOALS, propers=ProperPolicy.DO_NOT_UPGRADE)
    assert upgrade(HELD, PROPER, no_upgrade).step is Step.NO_PROPER_UPGRADE
    by_score = replace(GOALS, propers=ProperPolicy.DO_NOT_PREFER)
    assert upgrade(HELD, PROPER, by_score).step is Step.SCORE_NOT_HIGHER
    assert upgrade(HELD, replace(PROPER, score=15), by_score).step is Step.HIGHER_SCORE
    assert upgrade(PROPER, MORE, by_score).step is Step.HIGHER_SCORE


def test_whoever_made_a_repack_only_its_score_counts_where_propers_are_not_preferred() -> None:
    by_score = replace(GOALS, propers=ProperPolicy.DO_NOT_PREFER)
    other = replace(REPACK, group="OTHER")
    same = upgrade(HELD, other, by_score)
    assert same.step is Step.SCORE_NOT_HIGHER
    assert "a later revision counts for nothing here, the score decides" in same.sentence
    assert upgrade(HELD, replace(other, score=16), by_score).step is Step.HIGHER_SCORE


def copied(text: str) -> Copy:
    name = parse(text)
    place = place_of(AcquisitionPolicy().tiers, name.resolution, name.source)
    return copy_of(name, place=place, score=0)


def test_names_are_compared_as_they_are_read() -> None:
    first = copied("Show.S01E01.1080p.WEB-DL.x264-GRP")
    assert upgrade(first, copied("Show.S01E01.PROPER.1080p.WEB-DL.x264-ANY"), GOALS).taken
    assert upgrade(first, copied("Show.S01E01.REPACK.1080p.WEB-DL.x264-GRP"), GOALS).taken
    assert not upgrade(first, copied("Show.S01E01.REPACK.1080p.WEB-DL.x264-ANY"), GOALS).taken
    assert not upgrade(first, copied("Show.S01E01.PROPER.1080p.WEBRip.x264-ANY"), GOALS).taken


def test_a_second_version_of_an_anime_is_its_own_groups() -> None:
    first = copied("[Group] Show - 04 [1080p][WEB-DL]")
    assert upgrade(first, copied("[Group] Show - 04v2 [1080p][WEB-DL]"), GOALS).taken
    other = upgrade(first, copied("[Others] Show - 04v2 [1080p][WEB-DL]"), GOALS)
    assert other.step is Step.REPACK_OF_ANOTHER


def test_upgrades_of_version_one_end_at_1080p() -> None:
    policy = AcquisitionPolicy()
    goals = Goals(goal_of(policy.tiers, policy.upgrade_until))
    web, disc = copied("T.2020.1080p.WEB-DL"), copied("T.2020.1080p.BluRay")
    uhd = copied("T.2020.2160p.BluRay")
    assert upgrade(web, disc, goals).taken
    assert not upgrade(disc, uhd, goals).taken
    assert not upgrade(web, uhd, goals).taken
    assert not upgrade(web, disc, Goals(goal_of(policy.tiers, None))).taken
