"""The folders outside the home: there, writable, linked by a real link, with room."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from capabilities.adapters.shelf.link_trial import why_no_link
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import WorldFaultError
from server.cli.doctor.finding import Finding, Severity, ok
from server.settings import GIB, Settings

NAMES = ("downloads", "films", "series")


def folders(settings: Settings) -> Iterator[Finding]:
    """Every folder, then what they must have in common."""
    chosen = {name: getattr(settings.folders, name) for name in NAMES}
    for name, path in chosen.items():
        yield _folder(name, path)
    there = {name: path for name, path in chosen.items() if path is not None and path.is_dir()}
    yield from _links(there)
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


def _links(there: dict[str, Path]) -> Iterator[Finding]:
    """A real link from the downloads to each library: separate mounts of one disk refuse it too."""
    if "downloads" not in there:
        return
    for name in NAMES[1:]:
        if name not in there:
            continue
        id_ = f"folders.{name}.hardlink"
        why = _why_no_link(there["downloads"], there[name])
        if why is None:
            yield ok(id_, f"Downloads and {name} share hard links: a file was linked to try it.")
        else:
            yield Finding(
                id_,
                Severity.WARNING,
                f"Nothing can be hard-linked from downloads to {name}. {why}",
                "Put both on one file system and below one mount, or publish an organise policy"
                " with the mode copy or with copy_across_devices.",
            )


def _why_no_link(downloads: Path, library: Path) -> str | None:
    try:
        with Root(downloads, "the downloads") as sources, Root(library, "the library") as shelf:
            return why_no_link(sources, shelf)
    except WorldFaultError as fault:
        return fault.sentence


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
