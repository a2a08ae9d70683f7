from dataclasses import replace

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.standing import NOTHING_AROUND, Around, Block
from capabilities.rules.stored import found_json
from capabilities.rules.surroundings import surroundings
from tests.capabilities.rules.kept import Entry, Kept
from tests.capabilities.rules.shelf import PIONEER, SINTEL

POLICY = AcquisitionPolicy()
WEB = "Sintel.2010.1080p.WEB-DL.x264-GRP"
FILM = (0, 0)


def around(*kept: Kept, policy: AcquisitionPolicy = POLICY) -> Around:
    return surroundings(kept, (), policy, SINTEL)


def test_where_nothing_is_nothing_stands_around() -> None:
    assert around() == NOTHING_AROUND


def test_a_copy_is_read_from_the_name_of_its_release() -> None:
    there = around(Kept("Sintel.2010.REPACK.1080p.WEB-DL.x264-GRP"))
    copy = there.held[FILM]
    assert (copy.resolution, copy.source, copy.group) == (Resolution.P1080, Source.WEB_DL, "GRP")
    assert (copy.revision, copy.repack) == (2, True)
    assert copy.place == [tier.name for tier in POLICY.tiers].index("Web 1080p")
    assert there.in_flight == {}


def test_what_is_on_its_way_is_told_from_what_is_held() -> None:
    held = Kept("Pioneer.One.S01E01.720p.HDTV", 1, 1, info_hash="A" * 40)
    coming = Kept("Pioneer.One.S01E02.1080p.WEB-DL", 1, 2, info_hash="B" * 40, in_flight=True)
    there = surroundings((held, coming), (), POLICY, PIONEER)
    assert (list(there.held), list(there.in_flight)) == ([(1, 1)], [(1, 2)])
    assert there.fetched == {"a" * 40, "b" * 40}


def test_the_names_of_releases_are_remembered_with_all_that_they_brought() -> None:
    pack = [Kept("Pioneer.One.S01.1080p.WEB-DL-GRP", 1, number) for number in (1, 2)]
    double = Kept("pioneer one S01 1080p web-dl GRP", 1, 3, in_flight=True)
    there = surroundings((*pack, double), (), POLICY, PIONEER)
    assert list(there.brought.values()) == [{(1, 1), (1, 2), (1, 3)}]


def test_a_copy_is_scored_as_the_offer_it_came_from() -> None:
    free = Condition(ConditionKind.INDEXER_FLAG, "freeleech")
    policy = AcquisitionPolicy(formats=(CustomFormat("free", (free,), 50),))
    offer = Found(WEB, "loopback", "1", download_factor=0.0)
    assert around(Kept(WEB, found=found_json(offer)), policy=policy).held[FILM].score == 50
    paid = found_json(replace(offer, download_factor=1.0))
    assert around(Kept(WEB, found=paid), policy=policy).held[FILM].score == 0
    assert around(Kept(WEB), policy=policy).held[FILM].score == 0


@pytest.mark.parametrize(
    ("lines", "source"),
    [((), None), (("replace: Zelluloid => 1080p.BluRay",), Source.BLURAY)],
)
def test_a_copy_is_read_as_its_owner_has_names_read(
    lines: tuple[str, ...], source: Source | None
) -> None:
    odd = Kept("Sintel.2010.Zelluloid.x264-GRP")
    there = surroundings([odd], (), POLICY, SINTEL, words_from(lines))
    assert there.held[FILM].source is source


def test_the_blocklist_comes_along_as_it_is_kept() -> None:
    entries = (Entry("a fake", info_hash="a" * 40), Entry("bad", title=WEB, indexer="loopback"))
    assert surroundings((), entries, POLICY, None).blocked == (
        Block("a fake", info_hash="a" * 40),
        Block("bad", title=WEB, indexer="loopback"),
    )
