import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.reasons import Rule
from tests.capabilities.rules.verdict_of import judged, rules, token


def test_seeders_nobody_counts_are_not_zero() -> None:
    text = "Sintel.2010.1080p.BluRay"
    assert rules(judged(text, seeders=0)) == {Rule.SEEDERS}
    unknown = judged(text, seeders=None)
    assert unknown.accepted
    assert token(unknown, Rule.SEEDERS) == "unknown"
    assert judged(text, AcquisitionPolicy(least_seeders=0), seeders=0).accepted


def test_an_unknown_promotion_is_not_free_leech() -> None:
    text, policy = "Sintel.2010.1080p.BluRay", AcquisitionPolicy(free_leech_only=True)
    assert judged(text, policy, download_factor=0.0).accepted
    assert token(judged(text, policy, download_factor=None), Rule.PROMOTION) == "unknown"
    assert rules(judged(text, policy, download_factor=0.5)) == {Rule.PROMOTION}
    assert judged(text, download_factor=None).accepted


@pytest.mark.parametrize(
    ("factor", "most", "accepted"),
    [
        (None, 0.5, False),
        (0.5, 0.5, True),
        (0.75, 0.5, False),
        (0.0, 0.5, True),
        (None, None, True),
    ],
)
def test_an_unknown_promotion_is_neither_free_nor_paid(
    factor: float | None, most: float | None, accepted: bool
) -> None:
    """SUB-19: the rule FREE, and a site-wide free that was read as 50 %."""
    policy = AcquisitionPolicy(most_download_factor=most)
    judgement = judged("Sintel.2010.1080p.BluRay", policy, download_factor=factor)
    assert judgement.accepted is accepted
    if factor is None and not accepted:
        assert "does not say" in judgement.rejections[0].sentence


def test_a_release_that_nobody_seeds_and_that_is_too_large_says_both() -> None:
    policy = AcquisitionPolicy(most_download_factor=0.5)
    judgement = judged("Sintel.2010.1080p.BluRay", policy, seeders=0, size=10**12)
    assert [one.rule for one in judgement.rejections] == [Rule.SIZE, Rule.SEEDERS, Rule.PROMOTION]
    assert [one.sentence for one in judgement.rejections][1:] == [
        "0 seed it, and 1 is the least",
        "at most 0.5 of it may be counted; 1 of it is counted",
    ]
