import pytest

from capabilities.adapters.indexer.torznab_claims import (
    MOST_BYTES,
    claimed_hash,
    claimed_ids,
    claimed_peers,
    claimed_seeders,
    claimed_size,
)

V1, OTHER, V2 = "ab" * 20, "cd" * 20, "ef" * 32


@pytest.mark.parametrize(
    ("named", "magnet", "taken", "doubted"),
    [
        (V1, None, V1, 0),
        (V1.upper(), V1, V1, 0),
        (V1, V2, V1, 0),
        (None, V1, V1, 0),
        (V1, OTHER, V1, 1),
        ("nonsense", OTHER, OTHER, 1),
        ("", None, None, 1),
        (None, None, None, 0),
    ],
)
def test_a_hash_is_taken_when_it_is_one(
    named: str | None, magnet: str | None, taken: str | None, doubted: int
) -> None:
    doubts: list[str] = []
    assert claimed_hash(named, magnet, doubts) == taken
    assert len(doubts) == doubted


@pytest.mark.parametrize(
    ("texts", "size", "doubted"),
    [
        (["5", "5", None], 5, 0),
        (["0", None, "7"], 7, 0),
        (["1000", "1090"], 1000, 0),
        (["1000", "1200"], 1000, 1),
        (["-1", "7"], 7, 1),
        ([str(MOST_BYTES + 1)], None, 1),
        ([None, ""], None, 0),
    ],
)
def test_the_first_size_that_can_be_counts(
    texts: list[str | None], size: int | None, doubted: int
) -> None:
    doubts: list[str] = []
    assert claimed_size(texts, doubts) == size
    assert len(doubts) == doubted


def test_nobody_seeds_is_another_thing_than_nobody_says() -> None:
    doubts: list[str] = []
    assert claimed_seeders({"seeders": ["0"]}, doubts) == 0
    assert claimed_seeders({}, doubts) is None
    assert claimed_peers({"leechers": ["3"]}, 0, doubts) == 3
    assert claimed_peers({"leechers": ["3"]}, None, doubts) is None
    assert doubts == []


@pytest.mark.parametrize(
    ("attributes", "ids", "doubted"),
    [
        ({"tmdbid": ["45745"], "imdbid": ["1727587"], "tvmazeid": ["1"]},
         {"tmdb": "45745", "imdb": "tt1727587", "tvmaze": "1"}, 0),
        ({"imdbid": ["tt0000001"], "imdb": ["1"]}, {"imdb": "tt0000001"}, 0),
        ({"tmdbid": ["1", "2"], "tvdbid": ["3"]}, {"tvdb": "3"}, 1),
        ({"tmdbid": ["0", "7"]}, {"tmdb": "7"}, 0),
        ({"tmdbid": ["x", "7"]}, {"tmdb": "7"}, 1),
        ({"tmdbid": ["1000000000"]}, {}, 1),
    ],
)  # fmt: skip
def test_of_a_source_that_is_claimed_to_have_two_ids_none_counts(
    attributes: dict[str, list[str]], ids: dict[str, str], doubted: int
) -> None:
    doubts: list[str] = []
    assert claimed_ids(attributes, doubts) == ids
    assert len(doubts) == doubted
