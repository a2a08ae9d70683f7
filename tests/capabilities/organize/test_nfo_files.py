from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from capabilities.adapters.shelf.roots import Root
from capabilities.organize.import_plan import FrozenSource, OldFile, PlannedFile
from capabilities.organize.nfo_files import THERE, nfo_files
from tests.capabilities.rules.shelf import PIONEER, SINTEL

SERIES = "Pioneer One (2010)"
SEASON = f"{SERIES}/Season 01"
DOUBLE = f"{SEASON}/Pioneer One - S01E01-E02.mkv"
FILM = "Sintel (2010)/Sintel (2010).mkv"
NFO = "Sintel (2010)/Sintel (2010).nfo"
SOURCE = FrozenSource(path="a.mkv", device=1, inode=7, size=10, mtime_ns=1)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Root]:
    with Root(tmp_path, "the library") as root:
        yield root


def planned(target: str, episodes: Sequence[int] = (), role: str = "video") -> PlannedFile:
    return PlannedFile(
        source=SOURCE, target=target, role=role, season=int(bool(episodes)), episodes=list(episodes)
    )


def put(library: Root, path: str) -> None:
    file = library.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"theirs")


def test_a_film_has_one_beside_its_video_and_nothing_else_has(library: Root) -> None:
    subtitle = planned(FILM.replace(".mkv", ".en.srt"), role="subtitle")
    extra = planned("Sintel (2010)/Trailers/Sintel.mkv", role="extra")
    found = nfo_files(SINTEL, [planned(FILM), subtitle, extra], [], library)
    (one,) = found.written
    assert (one.target, one.role, found.left) == (NFO, "nfo", [])
    assert "<movie>" in one.text


def test_a_disc_has_none(library: Root) -> None:
    disc = planned("Sintel (2010)/BDMV/STREAM/00001.m2ts", role="disc")
    assert nfo_files(SINTEL, [disc], [], library).written == []


def test_a_file_with_two_episodes_tells_of_both_and_the_series_is_told_once(library: Root) -> None:
    files = [planned(DOUBLE, [1, 2]), planned(f"{SEASON}/Pioneer One - S01E03.mkv", [3])]
    found = nfo_files(PIONEER, files, [], library)
    texts = {one.target: one.text for one in found.written}
    assert list(texts) == [
        DOUBLE.replace(".mkv", ".nfo"),
        f"{SEASON}/Pioneer One - S01E03.nfo",
        f"{SERIES}/tvshow.nfo",
    ]
    assert [text.count("<episodedetails>") for text in texts.values()] == [2, 1, 0]


def test_one_that_stands_there_is_left_and_told_and_that_of_a_series_is_just_left(
    library: Root,
) -> None:
    there = DOUBLE.replace(".mkv", ".nfo")
    for path in (there, f"{SERIES}/TVShow.nfo"):
        put(library, path)
    found = nfo_files(PIONEER, [planned(DOUBLE, [1, 2])], [], library)
    assert found.written == []
    assert [(one.path, one.why) for one in found.left] == [(there, THERE)]


def test_the_name_of_one_that_goes_into_the_recycle_folder_is_free(library: Root) -> None:
    put(library, NFO)
    was = SOURCE.model_copy(update={"path": NFO})
    here = OldFile(folder=str(library.path), was=was, file=0)
    elsewhere = here.model_copy(update={"folder": "/elsewhere"})
    assert len(nfo_files(SINTEL, [planned(FILM)], [here], library).written) == 1
    assert nfo_files(SINTEL, [planned(FILM)], [elsewhere], library).written == []


def test_two_videos_of_one_name_share_one(library: Root) -> None:
    files = [planned(FILM), planned(FILM.replace(".mkv", ".mp4"))]
    assert len(nfo_files(SINTEL, files, [], library).written) == 1
