import pytest

from capabilities.rules.path_mapping import PathMap, SameFolder, below_folder

HOME = PathMap(
    [
        SameFolder("/srv/media", "/media"),
        SameFolder("/srv/media/series", "/tv"),
        SameFolder("/srv/nas", "D:\\Films"),
        SameFolder("/srv/share", "\\\\nas\\films"),
        SameFolder("/srv/kodi", "smb://nas/films"),
    ]
)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("/srv/media/films/a.mkv", "/media/films/a.mkv"),
        ("/srv/media/series/Show/a.mkv", "/tv/Show/a.mkv"),
        ("/srv/media/series", "/tv"),
        ("/srv/media/series-old/a.mkv", "/media/series-old/a.mkv"),
        ("/srv/nas/A (2010)/a.mkv", "D:\\Films\\A (2010)\\a.mkv"),
        ("/srv/share/a.mkv", "\\\\nas\\films\\a.mkv"),
        ("/srv/kodi/A/a.mkv", "smb://nas/films/A/a.mkv"),
        ("/elsewhere/a.mkv", "/elsewhere/a.mkv"),
    ],
)
def test_the_longest_pair_of_whole_segments_decides_both_ways(ours: str, theirs: str) -> None:
    assert HOME.to_theirs(ours) == theirs
    assert HOME.to_ours(theirs) == ours


def test_windows_writes_one_folder_in_many_ways() -> None:
    assert HOME.to_ours("d:/films/A/a.mkv") == "/srv/nas/A/a.mkv"


def test_case_counts_where_it_is_not_windows() -> None:
    assert HOME.to_ours("/TV/a.mkv") == "/TV/a.mkv"


def test_a_slash_at_the_end_of_a_folder_says_nothing() -> None:
    paths = PathMap([SameFolder("/srv/media/", "/media/")])
    assert paths.to_theirs("/srv/media/a.mkv") == "/media/a.mkv"
    assert paths.to_ours("/media/a.mkv") == "/srv/media/a.mkv"


def test_the_root_is_a_folder_like_any_other() -> None:
    paths = PathMap([SameFolder("/srv/media", "/")])
    assert paths.to_theirs("/srv/media/films/a.mkv") == "/films/a.mkv"
    assert paths.to_ours("/films/a.mkv") == "/srv/media/films/a.mkv"


def test_without_pairs_both_sides_call_a_path_the_same() -> None:
    assert PathMap().to_theirs("/srv/a.mkv") == "/srv/a.mkv"


@pytest.mark.parametrize(
    "pairs",
    [
        [SameFolder("srv/media", "/media")],
        [SameFolder("/srv/media", "")],
        [SameFolder("/srv/media", "/a"), SameFolder("/srv/media/", "/b")],
        [SameFolder("/srv/a", "C:\\Media"), SameFolder("/srv/b", "c:/media/")],
    ],
)
def test_pairs_that_would_have_to_be_guessed_at_are_refused(pairs: list[SameFolder]) -> None:
    with pytest.raises(ValueError, match=r"whole paths|two pairs"):
        PathMap(pairs)


@pytest.mark.parametrize(
    ("path", "folder", "below"),
    [
        ("/a/b/c", "/a", ["b", "c"]),
        ("/a", "/a/", []),
        ("/ab/c", "/a", None),
        ("/a", "/a/b", None),
        ("a/b", "/a", None),
        ("C:\\A\\b.mkv", "c:\\a", ["b.mkv"]),
        ("smb://nas/a/b.mkv", "smb://nas/a/", ["b.mkv"]),
        ("smb://other/a/b.mkv", "smb://nas/a/", None),
    ],
)
def test_what_lies_below_a_folder(path: str, folder: str, below: list[str] | None) -> None:
    assert below_folder(path, folder) == below
