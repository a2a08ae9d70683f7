"""A link of the library that leads to a file is found, by whatever way it leads there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from capabilities.adapters.shelf.links_into import Identity, links_into
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.adapters.shelf.conftest import run

pytestmark = pytest.mark.anyio


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "downloads" / "pack").mkdir(parents=True)
    (tmp_path / "downloads" / "pack" / "film.mkv").write_bytes(b"film")
    (tmp_path / "library" / "Film (2009)").mkdir(parents=True)
    with Root(tmp_path / "library", "the library") as root:
        yield root


def identity(path: Path) -> Identity:
    now = path.stat()
    return now.st_dev, now.st_ino


def film(library: Root) -> Path:
    return library.path.parent / "downloads" / "pack" / "film.mkv"


async def test_absolute_relative_and_chained_links_are_found(library: Root) -> None:
    there, folder = film(library), library.path / "Film (2009)"
    (folder / "absolute.mkv").symlink_to(there)
    (library.path / "relative.mkv").symlink_to("../downloads/pack/film.mkv")
    (library.path / "chained.mkv").symlink_to("relative.mkv")
    found = await links_into(library, {identity(there)})
    assert found == ["Film (2009)/absolute.mkv", "chained.mkv", "relative.mkv"]


async def test_a_link_to_a_folder_that_is_needed_is_found(library: Root) -> None:
    (library.path / "all").symlink_to(film(library).parent)
    assert await links_into(library, {identity(film(library))}) == []
    assert await links_into(library, {identity(film(library).parent)}) == ["all"]


async def test_files_and_links_that_lead_elsewhere_or_nowhere_are_not(library: Root) -> None:
    (library.path / "hard.mkv").hardlink_to(film(library))
    (library.path / "nowhere").symlink_to("not-there")
    (library.path / "round").symlink_to("round")
    (library.path / "itself").symlink_to(library.path)
    assert await links_into(library, {identity(film(library))}) == []
    assert await links_into(library, set()) == []


async def test_a_name_that_is_no_text_is_found_too(library: Root) -> None:
    name = os.fsdecode(b"odd-\xff.mkv")
    (library.path / name).symlink_to(film(library))
    assert await links_into(library, {identity(film(library))}) == ["odd-\\xff.mkv"]


async def test_a_folder_that_cannot_be_read_leaves_it_open_what_leads_there(
    library: Root,
) -> None:
    deep = library.path.joinpath(*["d"] * 45)
    deep.mkdir(parents=True)
    with pytest.raises(UnreachableError, match="cannot be read"):
        await links_into(library, {identity(film(library))})
    assert run("rm", "-r", str(library.path / "d")).returncode == 0
