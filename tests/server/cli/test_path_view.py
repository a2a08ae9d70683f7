from capabilities.rules.path_parts import path_parts
from server.cli import path_view

PATH = "tv/Show/Season 4/401 - Begin.mkv"


def test_each_part_stands_above_its_words_and_what_they_say() -> None:
    lines = list(path_view.shown(PATH, path_parts(PATH), why=False, colour=False))
    assert lines == [
        PATH,
        "Show: gives title",
        "  Show  title Show",
        "Season 4: gives seasons",
        "  Season 4  season 4",
        "401 - Begin.mkv: gives kind, episode title, container",
        "  401    episode 401",
        "  Begin  episode title Begin",
        "Known from all of it together: episodes",
        "Left aside: tv",
    ]


def test_the_pass_and_the_colour_are_shown_where_they_are_wanted() -> None:
    told = path_parts(PATH)
    assert "  Season 4  season 4  found by numbers" in path_view.shown(
        PATH, told, why=True, colour=False
    )
    assert "  \x1b[32mSeason 4  season 4\x1b[0m" in path_view.shown(
        PATH, told, why=False, colour=True
    )


def test_no_folder_steers_the_terminal() -> None:
    path = "/Ev\x1b[2Jil/Season 1/\u202e01.mkv"
    lines = path_view.shown(path, path_parts(path), why=True, colour=False)
    assert all(line.isprintable() for line in lines)


def test_the_document_has_the_parts_from_the_top() -> None:
    (show, season, file) = path_view.document(path_parts(PATH))
    assert (show["text"], season["gave"]) == ("Show", ["seasons"])
    assert file["parts"][0] == {
        "text": "401",
        "kind": "numbers",
        "says": ["episode 401"],
        "found_by": "its place",
    }
