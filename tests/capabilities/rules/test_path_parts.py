import pytest

from capabilities.rules.path_parts import PathParts, path_parts


def said(told: PathParts, at: int) -> list[tuple[str, tuple[str, ...]]]:
    taken = told.parts[at].taken
    return [(taken.body[part.start : part.end], part.says) for part in taken.parts]


def test_each_part_gives_what_none_below_it_says() -> None:
    told = path_parts("/films/Show (2019)/Season 01/Show.S01E02.mkv")
    assert [(part.text, part.gave) for part in told.parts] == [
        ("Show (2019)", ("year",)),
        ("Season 01", ()),
        ("Show.S01E02.mkv", ("title", "kind", "seasons", "episodes", "container")),
    ]
    assert told.left_aside == ("films",)
    assert told.together == ()
    assert said(told, 1) == [("Season 01", ("season 1",))]


@pytest.mark.parametrize(
    "path", ["./Show/1/03.mkv", "C:\\Series\\Show\\1\\03.mkv", "Show/1/03.mkv"]
)
def test_bare_numbers_are_a_season_and_an_episode_and_no_titles(path: str) -> None:
    told = path_parts(path)
    assert said(told, 0) == [("Show", ("title Show",))]
    assert said(told, 1) == [("1", ("season 1",))]
    assert said(told, 2) == [("03", ("episode 3",))]
    assert told.facts["title"] == "Show"


def test_what_no_part_says_alone_is_known_from_all_of_them() -> None:
    told = path_parts("Show/Season 4/401 - Begin.mkv")
    assert (told.facts["episodes"], told.together) == ([1], ("episodes",))
    assert said(told, 2)[1] == ("Begin", ("episode title Begin",))


def test_a_hash_in_the_folder_of_a_release_says_nothing_itself() -> None:
    told = path_parts("Harbour.Lights.S02.720p-QUARTZ/3f2a9c0d17be44f0a1b2c3d4e5f60718.mkv")
    assert said(told, 1) == []
    assert told.parts[1].gave == ("container",)
    assert "title" in told.parts[0].gave


def test_folders_far_above_are_left_aside_also_where_a_near_one_is_called_the_same() -> None:
    told = path_parts("/a/x/b/x/Sintel (2010)/Sintel.mkv")
    assert told.left_aside == ("a", "x")
    assert [part.text for part in told.parts] == ["b", "x", "Sintel (2010)", "Sintel.mkv"]


def test_a_root_alone_says_nothing() -> None:
    told = path_parts("/")
    assert (told.facts, told.left_aside, told.together) == ({}, (), ())
