from capabilities.rules.name_facts import name_facts
from capabilities.rules.names.parsing import parse


def test_facts_are_what_the_name_says_and_nothing_else() -> None:
    told = name_facts(parse("Sintel.2010.1080p.BluRay.x264-OPEN.mkv"))
    assert told == {
        "title": "Sintel",
        "kind": "film",
        "year": 2010,
        "resolution": "1080p",
        "source": "bluray",
        "video_codec": "h264",
        "group": "OPEN",
        "container": "mkv",
    }


def test_facts_are_clean_to_read() -> None:
    told = name_facts(parse("Sin\x07tel\u202e {tmdb-45745} 2010"))
    assert f"{told}".isprintable()
    assert told["external_ids"] == {"tmdb": "45745"}


def test_a_name_that_says_nothing_has_no_facts() -> None:
    assert name_facts(parse("")) == {}
