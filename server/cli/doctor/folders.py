"""The folders outside the home: there, writable, on one file system, with room."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from server.cli.doctor.finding import Finding, Severity, ok
from server.settings import GIB, Settings

NAMES = ("downloads", "films", "series")


def folders(settings: Settings) -> Iterator[Finding]:
    """Every folder, then what they must have in common."""
    chosen = {name: getattr(settings.folders, name) for name in NAMES}
    for name, path in chosen.items():
        yield _folder(name, path)
    there = {name: path for name, path in chosen.items() if path is not None and path.is_dir()}
    yield from _one_file_system(there)
    yield from _room(there, settings.policy.min_free_bytes)


def _folder(name: str, path: Path | None) -> Finding:
    id_ = f"folders.{name}"
    if path is None:
        return Finding(
            id_,
            Severity.NOTICE,
            f"No folder for {name} is set: nothing can be downloaded until all three are.",
            f"Set folders.{name} in settings.toml.",
        )
    if not path.exists():
        make = partial(path.mkdir, parents=True, exist_ok=True)
        return Finding(
            id_, Severity.WARNING, f"The folder for {name} does not exist.", "Make it.", make
        )
    if not path.is_dir() or not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        return Finding(
            id_,
            Severity.ERROR,
            f"What is set as the folder for {name} cannot be written to by this user.",
            f"Correct folders.{name}, or give the folder to this user.",
        )
    return ok(id_, f"The folder for {name} is there and writable.")


def _one_file_system(there: dict[str, Path]) -> Iterator[Finding]:
    """One file system is what a hard link needs; separate mounts of one may refuse it still."""
    if "downloads" not in there:
        return
    device = there["downloads"].stat().st_dev
    for name in NAMES[1:]:
        if name not in there:
            continue
        id_ = f"folders.{name}.hardlink"
        if there[name].stat().st_dev == device:
            yield ok(id_, f"Downloads and {name} are on one file system: hard links can work.")
        else:
            yield Finding(
                id_,
                Severity.WARNING,
                f"Downloads and {name} are on different file systems: nothing can be hard-linked.",
                "Put both on one, or publish an organise policy with the mode copy.",
            )


def _room(there: dict[str, Path], floor: int) -> Iterator[Finding]:
    for name, path in there.items():
        now = os.statvfs(path)
        free = now.f_bavail * now.f_frsize
        id_, said = f"folders.{name}.space", f"{free / GIB:.1f} GiB are free for {name}"
        if free >= floor:
            yield ok(id_, f"{said}.")
        else:
            yield Finding(
                id_,
                Severity.WARNING,
                f"{said}, below the floor of {floor / GIB:.1f} GiB: nothing is downloaded.",
                "Make room, or lower policy.min_free_bytes.",
            )
