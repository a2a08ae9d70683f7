import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from capabilities.adapters.media.ffprobe import ffprobed
from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.roots import Root
from world.samples import Sample, original

pytestmark = pytest.mark.anyio

installed = pytest.mark.skipif(shutil.which("ffprobe") is None, reason="ffprobe is not installed")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(tmp_path, "the library") as root:
        yield root


@installed
@pytest.mark.parametrize("sample", [Sample.FILM_1080P, Sample.FILM_2160P_HDR10])
async def test_it_says_what_mediainfo_says(root: Root, sample: Sample) -> None:
    shutil.copyfile(original(sample), root.path / "film.mkv")
    ours, theirs = await ffprobed(root, "film.mkv"), await inspect(root, "film.mkv")
    assert ours is not None
    assert theirs is not None
    assert ours.duration_s == pytest.approx(theirs.duration_s, abs=1)
    assert (ours.container, ours.width, ours.height) == ("Matroska", theirs.width, theirs.height)
    assert (ours.video_codec, ours.dynamic_range) == (theirs.video_codec, theirs.dynamic_range)
    assert (ours.audio, ours.subtitles) == (theirs.audio, theirs.subtitles)


@installed
async def test_what_is_no_video_is_none(root: Root) -> None:
    (root.path / "film.mkv").write_bytes(b"0" * 900)
    assert await ffprobed(root, "film.mkv") is None


@installed
async def test_a_list_of_other_files_is_not_followed(root: Root) -> None:
    shutil.copyfile(original(Sample.FILM_1080P), root.path / "secret.mkv")
    listed = f"ffconcat version 1.0\nfile '{root.path}/secret.mkv'\n"
    (root.path / "film.mkv").write_text(listed)
    assert await ffprobed(root, "film.mkv") is None


async def test_without_it_nothing_is_said(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert await ffprobed(root, "film.mkv") is None


@installed
async def test_a_file_that_is_gone_is_a_fault(root: Root) -> None:
    with pytest.raises(NotFoundError):
        await ffprobed(root, "film.mkv")
