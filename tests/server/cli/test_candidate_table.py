from typing import Any

import pytest

from server.cli.candidate_table import candidate_table, is_candidate

FIRST: dict[str, Any] = {
    "id": "tmdb:film:45745",
    "title": "Sintel (2010)",
    "year": 2010,
    "kind": "film",
    "speaks_for": ["the title is exactly one of its titles, as its source spells them"],
    "speaks_against": [],
    "sources_disagree": ["TMDB says 2010, TVmaze 2011"],
}
OTHER = {"id": "tvmaze:series:1", "title": "辛特尔", "speaks_for": [], "speaks_against": ["no"]}


def test_a_work_is_told_from_another_option() -> None:
    assert is_candidate(FIRST)
    assert not is_candidate({"id": "dismiss", "title": "Leave it"})


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_every_sentence_is_whole_and_stands_in_its_column(width: int) -> None:
    lines = candidate_table([FIRST, OTHER], width).splitlines()
    start, end = lines[0].index("for"), lines[0].index("against")
    said = " ".join(line[start:end].strip() for line in lines[1:-1])
    assert said.strip() == FIRST["speaks_for"][0]
    against = " ".join(line[end:].strip() for line in lines[1:-1])
    assert against.strip() == "sources disagree: TMDB says 2010, TVmaze 2011"
    assert lines[-1].split() == ["辛特尔", "?", "tvmaze:series:1", "no"]
    if width >= 110:
        assert max(map(len, lines)) <= width
