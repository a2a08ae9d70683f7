from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.airing import airing_reasons
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.names.parsing import parse
from capabilities.rules.reasons import Reason, Rule
from capabilities.rules.verdicts import Circumstances, Judgement, judge
from capabilities.rules.works import Episode, Season, Work
from tests.capabilities.rules.shelf import PIONEER
from tests.capabilities.rules.verdict_of import NOW, OFFER, rules


def test_a_pack_is_refused_while_an_episode_of_it_is_still_to_air() -> None:
    def pack(last: date) -> Judgement:
        season = Season(
            1, 2024, 2, (Episode(1, air_date=date(2024, 4, 1)), Episode(2, air_date=last))
        )
        work = replace(PIONEER, seasons=(season,))
        name = parse("Pioneer.One.S01.1080p.WEB-DL")
        found = replace(OFFER, title=name.text)
        return judge(
            found, name, Identity(Grade.A, work), AcquisitionPolicy(), Circumstances(45, NOW)
        )

    early = pack(date(2024, 5, 9))
    assert rules(early) == {Rule.UNAIRED}
    assert early.rejections[0].temporary
    assert "2024-05-09" in early.rejections[0].sentence
    assert pack(date(2024, 5, 2)).accepted


def running(*last: date | None) -> Work:
    """Seasons of two episodes, the second of which airs on these days."""
    first = Episode(1, air_date=date(2024, 4, 1))
    seasons = [
        Season(number, 2024, 2, (first, Episode(2, air_date=day)))
        for number, day in enumerate(last, start=1)
    ]
    return replace(PIONEER, seasons=tuple(seasons))


def said(text: str, work: Work | None, now: datetime | None = NOW) -> list[Reason]:
    return list(airing_reasons(parse(text), work, now))


TO_COME = date(2024, 5, 9)


def test_it_is_over_when_the_last_episode_may_have_aired_somewhere() -> None:
    work = running(TO_COME)
    (reason,) = said("Pioneer.One.S01.1080p", work)
    assert reason.until is not None
    assert said("Pioneer.One.S01.1080p", work, reason.until) == []
    before = reason.until - timedelta(seconds=1)
    assert [one.until for one in said("Pioneer.One.S01.1080p", work, before)] == [reason.until]


@pytest.mark.parametrize(
    ("text", "work"),
    [
        pytest.param("Pioneer.One.S01E01.1080p", running(TO_COME), id="no pack"),
        pytest.param(
            "Pioneer.One.S01.1080p", running(date(2024, 4, 8), TO_COME), id="other season"
        ),
        pytest.param("Pioneer.One.S01.1080p", running(None), id="no date"),
        pytest.param("Pioneer.One.S01.1080p", None, id="no work"),
    ],
)
def test_nothing_is_held_against_what_claims_nothing_unaired(text: str, work: Work | None) -> None:
    assert said(text, work) == []


def test_a_pack_of_several_seasons_is_held_against_each_that_is_not_over() -> None:
    work = running(date(2024, 4, 8), TO_COME, date(2024, 6, 1))
    reasons = said("Pioneer.One.S01-S03.1080p", work)
    assert [one.rule for one in reasons] == [Rule.UNAIRED] * 2
    assert ["2024-05-09" in one.sentence for one in reasons] == [True, False]
