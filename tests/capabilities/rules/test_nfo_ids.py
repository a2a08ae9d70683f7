import pytest

from capabilities.rules.nfo_ids import nfo_ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (
            (
                '<movie><uniqueid default="true" type="tmdb">45745</uniqueid>'
                "<uniqueid type='imdb'>tt1727587</uniqueid></movie>"
            ),
            {"tmdb": "45745", "imdb": "tt1727587"},
        ),
        (
            "<tvshow><tmdbid>900001</tmdbid><imdb_id>tt0000001</imdb_id></tvshow>",
            {"tmdb": "900001", "imdb": "tt0000001"},
        ),
        ("https://www.themoviedb.org/movie/45745-sintel", {"tmdb": "45745"}),
        ("https://www.imdb.com/title/tt1727587/", {"imdb": "tt1727587"}),
        ("<movie><tmdbid></tmdbid><imdb_id>1727587</imdb_id></movie>", {}),
        ("a poem about a boat", {}),
    ],
)
def test_the_numbers_of_a_work_are_read(text: str, ids: dict[str, str]) -> None:
    assert nfo_ids(text) == ids


def test_the_numbers_of_an_episode_are_none_of_its_series() -> None:
    text = '<episodedetails><uniqueid type="tmdb">77</uniqueid></episodedetails>'
    assert nfo_ids(text) == {}


def test_the_first_number_of_a_source_counts() -> None:
    text = '<uniqueid type="tmdb">1</uniqueid><tmdbid>2</tmdbid>'
    assert nfo_ids(text) == {"tmdb": "1"}
