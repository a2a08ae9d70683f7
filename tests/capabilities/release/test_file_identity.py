import base64
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest

from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import MOST_TITLES
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Succeeded
from capabilities.release.file_identity import Claimed, file_identities
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from tests.scene import KEY, Scene
from tests.stage_set import catalogue_of
from world.seeder import make_torrent

SIZE = 200_000


def packed(folder: Path, *videos: str) -> bytes:
    """A torrent of empty videos, and of a text."""
    folder.mkdir()
    (folder / "notes.txt").write_bytes(b"1" * 10)
    for name in videos:
        with (folder / name).open("wb") as file:
            file.truncate(SIZE)
    return make_torrent(folder)


async def pack(folder: Path, *videos: str) -> bytes:
    return await anyio.to_thread.run_sync(packed, folder, *videos)


async def opened(scene: Scene, raw: bytes) -> dict[str, Any]:
    return await scene.answer("release.inspect", torrent=base64.b64encode(raw).decode())


async def files_of(scene: Scene, raw: bytes) -> dict[str, dict[str, Any]]:
    seen = await opened(scene, raw)
    assert seen["not_asked"] == 0
    return {file["path"].rpartition("/")[2]: file for file in seen["files"]}


def words(*lines: str) -> IdentityPolicy:
    return IdentityPolicy(words=words_from(lines))


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


@pytest.mark.anyio
async def test_every_video_is_identified_by_itself(scene: Scene, tmp_path: Path) -> None:
    names = ("Lantern.Street.S01E01E02.1080p.mkv", "Sintel.2010.mkv")
    folder = tmp_path / "Short.Stories.1080p.WEB-DL-OPEN"
    raw = await pack(folder, *names)
    files = await files_of(scene, raw)
    assert set(files["notes.txt"]) == {"path", "size_mb"}
    asked = ("reads_as", "work", "title", "target")
    assert [files[names[0]][one] for one in asked] == [
        "Lantern Street S1E1+2",
        "tmdb:series:900001",
        "Lantern Street (2019)",
        "S01E01+S01E02",
    ]
    film = [files[names[1]][one] for one in (*asked, "grade")]
    assert film == ["Sintel (2010)", "tmdb:film:45745", "Sintel (2010)", "film", "B"]


@pytest.mark.anyio
async def test_the_owners_words_count_for_every_file(scene: Scene, tmp_path: Path) -> None:
    raw = await pack(
        tmp_path / "Short.Films-OPEN", "Laternenweg.S01E02.mkv", "film7.mkv", "Sintel.mkv"
    )
    before = await files_of(scene, raw)
    assert "work" not in before["Laternenweg.S01E02.mkv"]
    assert "work" not in before["film7.mkv"]
    await scene.publish(
        words("replace: Laternenweg => Lantern.Street", "force: film7 => tmdb:film:133701")
    )
    files = await files_of(scene, raw)
    street, film = files["Laternenweg.S01E02.mkv"], files["film7.mkv"]
    assert (street["reads_as"], street["target"]) == ("Lantern Street S1E2", "S01E02")
    assert street["work"] == "tmdb:series:900001"
    assert (film["grade"], film["title"], film["target"]) == ("A", "Tears of Steel (2012)", "film")
    assert (files["Sintel.mkv"]["grade"], "work" in files["Sintel.mkv"]) == ("D", False)


@pytest.mark.anyio
async def test_a_word_on_the_release_counts_for_the_files_that_it_names(
    scene: Scene, tmp_path: Path
) -> None:
    raw = await pack(tmp_path / "Straat.S01-OPEN", "01.mkv", "02.mkv")
    await scene.publish(words("force: Straat => tmdb:series:900001"))
    files = await files_of(scene, raw)
    assert [(files[name]["work"], files[name]["target"]) for name in ("01.mkv", "02.mkv")] == [
        ("tmdb:series:900001", "S01E01"),
        ("tmdb:series:900001", "S01E02"),
    ]


@pytest.mark.anyio
async def test_files_are_told_although_no_metadata_source_answers(
    scene: Scene, tmp_path: Path
) -> None:
    raw = await pack(tmp_path / "Sintel.2010-OPEN", "Sintel.2010.mkv")
    dumb = scene.having(catalogue_of(scene.base, credential="wrong"))
    seen = await opened(dumb, raw)
    assert "TMDB" in seen["files_open"]
    assert [set(file) for file in seen["files"]] == [{"path", "size_mb"}] * 2
    none = scene.having(without=[Catalogue])
    seen = await opened(none, raw)
    assert seen["files_open"].startswith("No metadata source is configured")


@pytest.mark.anyio
async def test_files_that_are_not_asked_for_are_counted_and_say_so(
    scene: Scene, tmp_path: Path
) -> None:
    names = [f"Nothing.Like.{'x' * number}.mkv" for number in range(1, 61)]
    raw = await pack(tmp_path / "Short.Films-OPEN", *names)
    fresh = scene.having(catalogue_of(scene.base))
    asked = len(scene.stage.metadata.requests)
    outcome = await fresh.call("release.inspect", torrent=base64.b64encode(raw).decode())
    assert isinstance(outcome, Succeeded)
    assert len(scene.stage.metadata.requests) - asked < 4 * (MOST_TITLES + 1)
    left = len(names) - MOST_TITLES
    assert f"{left} files are left whose titles were not asked for" in outcome.sentence
    seen: Any = outcome.data
    assert seen.not_asked == left
    files = [file for file in seen.files if file.path.endswith(".mkv")]
    silent = [file for file in files if file.open is not None]
    assert len(files) - len(silent) == MOST_TITLES
    assert all(file.open.startswith("not asked: ") for file in silent)
    assert {file.grade for file in silent} == {None}


@pytest.mark.anyio
async def test_a_source_that_takes_too_long_is_not_waited_for(scene: Scene, tmp_path: Path) -> None:
    torrent = read_torrent(await pack(tmp_path / "Sintel.2010-OPEN", "Sintel.2010.mkv"))
    fresh = scene.having(catalogue_of(scene.base))
    seen = await file_identities(
        Claimed("Sintel.2010-OPEN", {}, None), torrent, IdentityPolicy(), context(fresh), seconds=0
    )
    assert seen.by_path == {}
    assert seen.open == "The metadata sources did not answer within 0 s; try again later."
