from collections.abc import Sequence
from pathlib import Path

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import CATEGORY, ClientState, Transfer
from capabilities.adapters.shelf.folders import Folders
from capabilities.organize.durations import MOST_READ, durations
from capabilities.rules.file_kinds import DownloadedFile
from tests.capabilities.organize.shortened import lasting

pytestmark = pytest.mark.anyio
SIZE = 20_000


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    (tmp_path / "downloads").mkdir()
    return Folders(tmp_path / "downloads", tmp_path / "films", tmp_path / "series")


async def read(
    folders: Folders, paths: Sequence[str], below: str = "", size: int = SIZE
) -> dict[str, float]:
    where = folders.downloads / below
    hashes = InfoHashes("a" * 40, None)
    transfer = Transfer(hashes, "x", ClientState.COMPLETED, 1, 1, 0, 0, 0, where, CATEGORY)
    return await durations([DownloadedFile(one, size) for one in paths], transfer, folders, 45)


@pytest.mark.parametrize("below", ["", "tv/mapped"])
async def test_videos_are_measured_where_the_client_keeps_them(
    folders: Folders, below: str
) -> None:
    lasting(folders.downloads / below / "x/e1.mkv", 40.0, SIZE)
    (folders.downloads / below / "x/e1.srt").write_bytes(b"1")
    found = await read(folders, ["x/e1.mkv", "x/e1.srt"], below)
    assert found == {"x/e1.mkv": pytest.approx(40.0, abs=0.1)}


async def test_what_cannot_be_read_is_unknown_and_never_a_fault(folders: Folders) -> None:
    lasting(folders.downloads / "there.mkv", 40.0, SIZE)
    lasting(folders.downloads / "cut.mkv", 40.0, SIZE)
    with (folders.downloads / "cut.mkv").open("r+b") as file:
        file.truncate(SIZE // 2)
    (folders.downloads / "words.mkv").write_bytes(b"no video at all" * 100)
    (folders.downloads / "link.mkv").symlink_to("there.mkv")
    names = ["there.mkv", "cut.mkv", "words.mkv", "link.mkv", "gone.mkv", "../out.mkv"]
    assert list(await read(folders, names)) == ["there.mkv"]


async def test_nothing_is_read_outside_of_the_download_folder_or_where_that_is_away(
    folders: Folders, tmp_path: Path
) -> None:
    lasting(tmp_path / "elsewhere/e1.mkv", 40.0, SIZE)
    assert await read(folders, ["e1.mkv"], str(tmp_path / "elsewhere")) == {}
    folders.downloads.rmdir()
    assert await read(folders, ["e1.mkv"]) == {}


async def test_no_more_than_the_smallest_of_a_large_download_are_read(folders: Folders) -> None:
    lasting(folders.downloads / "big.mkv", 40.0, SIZE)
    paths = [f"absent{number}.mkv" for number in range(MOST_READ)]
    hashes = InfoHashes("a" * 40, None)
    where = folders.downloads
    transfer = Transfer(hashes, "x", ClientState.COMPLETED, 1, 1, 0, 0, 0, where, CATEGORY)
    files = [DownloadedFile(one, SIZE) for one in paths]
    big = DownloadedFile("big.mkv", SIZE + 1)
    assert await durations([big, *files], transfer, folders, None) == {}
    assert list(await durations([big, *files[1:]], transfer, folders, None)) == ["big.mkv"]
