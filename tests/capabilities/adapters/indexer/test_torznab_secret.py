from capabilities.adapters.indexer.torznab_secret import with_key, without_key
from capabilities.rules.found import Found

FOUND = Found(
    title="Sintel.2010.1080p",
    indexer="loopback",
    guid="http://127.0.0.1:1/dl/7?apikey=k123",
    link="http://127.0.0.1:1/dl/7?apikey=k123",
)


def test_what_is_stored_of_an_offer_holds_no_key() -> None:
    kept = without_key(FOUND, "k123")

    assert "k123" not in repr(kept)


def test_the_key_is_back_in_the_link_when_it_is_fetched() -> None:
    assert with_key(without_key(FOUND, "k123"), "k123").link == FOUND.link


def test_an_indexer_without_a_key_leaves_its_offers_alone() -> None:
    assert without_key(FOUND, "") == FOUND
