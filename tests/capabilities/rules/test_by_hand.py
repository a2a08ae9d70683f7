from dataclasses import replace
from datetime import UTC, datetime, timedelta

from capabilities.rules.by_hand import BY_HAND, as_offered
from capabilities.rules.found import Found
from capabilities.rules.standing import Block

FIRST = datetime(2026, 5, 1, 12, tzinfo=UTC)
GIVEN = Found("Sintel.2010.1080p", BY_HAND, "ab" * 20, info_hash="ab" * 20)
OFFER = Found("Sintel 2010", "loopback", "1")
HOUR = timedelta(hours=1)


def test_what_no_indexer_offers_is_as_old_as_its_first_giving_and_has_unknown_seeders() -> None:
    alone = as_offered(GIVEN, [], FIRST)
    assert (alone.published, alone.seeders, alone.download_factor) == (FIRST, None, None)
    later = replace(GIVEN, published=FIRST + HOUR)
    assert as_offered(later, [], FIRST).published == FIRST


def test_it_is_as_old_as_the_oldest_offer_and_the_newest_that_says_so_counts_its_seeders() -> None:
    offers = [
        replace(OFFER, published=FIRST - HOUR, flags=("internal",)),
        replace(OFFER, published=FIRST - 5 * HOUR, seeders=0, download_factor=0.5),
        replace(OFFER, published=FIRST + HOUR, seeders=9, download_factor=1.0, flags=("scene",)),
    ]
    told = as_offered(GIVEN, offers, FIRST)
    assert (told.published, told.seeders, told.download_factor) == (FIRST - 5 * HOUR, 0, 0.5)
    assert told.flags == ("internal", "scene")
    assert (told.title, told.indexer, told.info_hash) == (GIVEN.title, BY_HAND, GIVEN.info_hash)


def test_a_title_that_is_blocked_at_an_indexer_is_blocked_for_what_is_given_by_hand() -> None:
    block = Block("a fake", title=GIVEN.title, indexer="loopback")
    assert block.hits(GIVEN)
    assert block.hits(replace(GIVEN, title="sintel 2010 1080p.mkv"))
    assert not block.hits(replace(GIVEN, title="Another"))
    assert not block.hits(replace(GIVEN, indexer="another"))
    assert not replace(block, info_hash="cd" * 20).hits(GIVEN)
