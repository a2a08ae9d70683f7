import pytest

from capabilities.adapters.media_server.asking import library_of, same_file
from capabilities.adapters.media_server.port import ServerLibrary

OUTER = ServerLibrary("1", "All", None, ("/media",))
INNER = ServerLibrary("2", "Films", None, ("/media/films", "/more"))
WINDOWS = ServerLibrary("3", "TV", None, ("D:\\TV",))


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("/media/films/a.mkv", INNER),
        ("/media/films-old/a.mkv", OUTER),
        ("/more/a.mkv", INNER),
        ("d:/tv/Show/a.mkv", WINDOWS),
        ("/elsewhere/a.mkv", None),
        ("/media/films", OUTER),
    ],
)
def test_the_closest_folder_decides_whose_file_it_is(
    path: str, library: ServerLibrary | None
) -> None:
    assert library_of([OUTER, INNER, WINDOWS], path) is library


@pytest.mark.parametrize(
    ("theirs", "same"),
    [("/a/b.mkv", True), ("/a//b.mkv", True), ("/a/b.mkv.old", False), ("/a/B.mkv", False)],
)
def test_a_file_is_told_by_its_whole_path(theirs: str, same: bool) -> None:
    assert same_file(theirs, "/a/b.mkv") is same
