from dataclasses import replace

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.pack_reasons import pack_reasons
from capabilities.rules.reasons import Rule
from capabilities.rules.verdicts import judge
from capabilities.rules.works import Season, Work
from tests.capabilities.rules.shelf import PIONEER, SINTEL

MINI = replace(PIONEER, seasons=(Season(0, 2010, 2), Season(1, 2010, 3)))


def held(text: str, work: Work | None) -> list[str]:
    reasons = list(pack_reasons(parse(text), work))
    assert all(one.rejects and one.rule is Rule.SEASONS for one in reasons)
    return [one.sentence for one in reasons]


@pytest.mark.parametrize("work", [PIONEER, MINI, None])
def test_a_pack_of_several_seasons_is_left_to_a_persons_hand(work: Work | None) -> None:
    assert held("Pioneer.One.S01-S02.1080p.WEB-DL", work) == [
        "it holds seasons 1, 2, and a pack of several seasons is only taken by hand"
    ]


def test_a_whole_series_is_such_a_pack_where_it_has_several_seasons() -> None:
    whole = "Pioneer.One.Complete.Series.1080p.WEB-DL"
    assert held(whole, PIONEER) == [
        "it holds all 2 seasons, and a pack of several seasons is only taken by hand"
    ]
    assert held(whole, MINI) == []
    assert held(whole, None) == []


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("Pioneer.One.S01.COMPLETE.1080p.WEB-DL", PIONEER),
        ("Pioneer.One.S01E01-E03.1080p.WEB-DL", PIONEER),
        ("Pioneer.One.2010.06.16.1080p.WEB-DL", PIONEER),
        ("Sintel.2010.COMPLETE.BLURAY-GRP", SINTEL),
    ],
)
def test_anything_else_is_none(text: str, work: Work) -> None:
    assert held(text, work) == []


def test_a_judgement_refuses_such_a_pack_and_nothing_else_of_it() -> None:
    text = "Pioneer.One.S01-S02.1080p.WEB-DL"
    found = Found(text, "loopback", "1", seeders=5)
    judgement = judge(found, parse(text), Identity(Grade.A, PIONEER), AcquisitionPolicy())
    assert [one.rule for one in judgement.rejections] == [Rule.SEASONS]
