"""Two folders on one disk, a film to place, and disks of other kinds."""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.scene import FILM, Scene
from tests.needed import missing


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    downloads, library = tmp_path / "downloads", tmp_path / "library"
    (downloads / "pack").mkdir(parents=True)
    library.mkdir()
    (downloads / FILM).write_bytes(os.urandom(3_000_000))
    with Root(downloads, "the downloads") as sources, Root(library, "the library") as shelf:
        yield Scene(sources, shelf)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@contextmanager
def mounted(folder: Path, *options: str) -> Generator[Path]:
    if sys.platform != "linux" or os.geteuid():
        missing("mounting a disk of its own takes Linux and root")
    folder.mkdir()
    done = run("mount", *options, str(folder))
    if done.returncode:
        missing(f"this machine mounts nothing: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        assert run("umount", str(folder)).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=1m", "none") as folder:
        yield folder


@pytest.fixture
def roomy_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "roomy", "-t", "tmpfs", "-o", "size=64m", "none") as folder:
        yield folder


@pytest.fixture
def read_only_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "sealed", "-t", "tmpfs", "-o", "ro,size=1m", "none") as folder:
        yield folder


@pytest.fixture
def cloning_disk(tmp_path: Path) -> Iterator[Path]:
    if not shutil.which("mkfs.btrfs"):
        pytest.skip("mkfs.btrfs is not installed (scripts/services proof)")
    image = tmp_path / "btrfs.image"
    with image.open("wb") as file:
        file.truncate(256 << 20)
    assert run("mkfs.btrfs", "-q", str(image)).returncode == 0
    with mounted(tmp_path / "btrfs", "-o", "loop", str(image)) as folder:
        yield folder
