"""Looking whether the files of a plan are on the shelf, without believing anybody."""

import os
import stat
from collections.abc import Sequence
from enum import StrEnum

from capabilities.adapters.shelf.digests import digest_of
from capabilities.adapters.shelf.faults import NotFoundError, ObstructedError, translated
from capabilities.adapters.shelf.freezing import Frozen, frozen_from
from capabilities.adapters.shelf.leftovers import is_attempt_at, leftovers
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.placements import Mode, Placement
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.probing import Finding, Verdict

UNFINISHED = "unfinished"


class Standing(StrEnum):
    """What one target turned out to be."""

    PLACED = "placed"
    ABSENT = "absent"
    OCCUPIED = "occupied"
    UNKNOWN = "unknown"


async def probe_placements(
    root: Root, placements: Sequence[Placement], *, sources: Root | None = None, token: str = ""
) -> Finding:
    """Judge the placements of one plan, file by file, without changing anything.

    A hard link is known by its inode, a symbolic link by the inode it leads to, and a copy or
    clone by size and SHA-256; a move by its inode or by the digest. Without a recorded digest, a
    copy is read and compared with its source in ``sources``; where that is not the planned file
    any more, the copy cannot be told from somebody else's file. For a move, only the target is
    looked at; `moving.finish_move` sees to what is left of the source. Where a copy may stand in
    for a hard link, either is known.

    Args:
        root: the library.
        placements: what was to be placed.
        sources: the download folder, where it can be opened.
        token: what the tokens of all attempts have in common (``work`` of
            `leftovers.token_for`); temporary files so named are evidence that it was begun.

    Returns:
        APPLIED when every target is placed, NOT_APPLIED when none is and nothing was begun, PARTLY
        in between, and CANNOT_TELL as soon as one target cannot be judged. The evidence lists the
        targets by `Standing`, and the ``unfinished`` ones, empty lists left out.

    Raises:
        ValueError: there are no placements, so there is nothing to judge.
    """
    if not placements:
        raise ValueError("a plan without placements has no effect to look for")
    seen: dict[str, list[str]] = {}
    for placement in placements:
        standing = await off_loop(standing_of, root, placement, sources)
        seen.setdefault(standing, []).append(placement.target)
    if token and (begun := await _unfinished(root, placements, token)):
        seen[UNFINISHED] = begun
    return Finding(_verdict(seen, len(placements)), seen)


async def _unfinished(root: Root, placements: Sequence[Placement], token: str) -> list[str]:
    begun: list[str] = []
    for number, placement in enumerate(placements):
        try:
            folder, _ = root.split(placement.target)
            left = await leftovers(root, folder)
            if any(is_attempt_at(each, token, number) for each in left):
                begun.append(placement.target)
        except WorldFaultError:
            continue  # its own standing says already that it cannot be judged
    return begun


def _verdict(seen: dict[str, list[str]], total: int) -> Verdict:
    placed = len(seen.get(Standing.PLACED, []))
    if Standing.UNKNOWN in seen:
        return Verdict.CANNOT_TELL
    if placed == total:
        return Verdict.APPLIED
    return Verdict.PARTLY if placed or UNFINISHED in seen else Verdict.NOT_APPLIED


def standing_of(root: Root, placement: Placement, sources: Root | None = None) -> Standing:
    """Judge one target, as `probe_placements` does; blocking."""
    try:
        return _look(root, placement, sources)
    except NotFoundError:
        return Standing.ABSENT
    except ObstructedError:
        return Standing.OCCUPIED
    except WorldFaultError:
        return Standing.UNKNOWN


def _look(root: Root, placement: Placement, sources: Root | None) -> Standing:
    status = root.status(placement.target)
    now = frozen_from(status)
    if stat.S_ISLNK(status.st_mode):
        return _look_behind(root, placement)
    if not stat.S_ISREG(status.st_mode):
        return Standing.OCCUPIED
    if placement.mode in {Mode.HARDLINK, Mode.MOVE} and is_one_file(placement.source, now):
        return Standing.PLACED
    links_only = placement.mode in {Mode.HARDLINK, Mode.SYMLINK} and not placement.or_copied
    if links_only or now.size != placement.source.size:
        return Standing.OCCUPIED
    expected = placement.digest or _digest_of_source(placement, sources)
    if expected is None:
        return Standing.UNKNOWN
    with root.file(placement.target) as handle, translated(root.system):
        return Standing.PLACED if digest_of(handle) == expected else Standing.OCCUPIED


def _digest_of_source(placement: Placement, sources: Root | None) -> str | None:
    """What a copy must hold, read from the source if it is still the one that was planned."""
    if sources is None or placement.origin is None:
        return None
    try:
        with Origin(sources, placement.origin, placement.source).opened() as handle:
            return digest_of(handle)
    except WorldFaultError:
        return None


def _look_behind(root: Root, placement: Placement) -> Standing:
    if placement.mode is not Mode.SYMLINK:
        return Standing.OCCUPIED
    folder, name = root.split(placement.target)
    try:
        with root.folder(folder) as handle, translated(root.system):
            behind = frozen_from(os.stat(name, dir_fd=handle))
    except NotFoundError:
        return Standing.OCCUPIED
    return Standing.PLACED if is_one_file(placement.source, behind) else Standing.OCCUPIED


def is_one_file(frozen: Frozen, now: Frozen) -> bool:
    """Whether two looks saw one inode, even if a new mount gave its device another number."""
    if frozen.inode != now.inode:
        return False
    unchanged = (frozen.size, frozen.mtime_ns) == (now.size, now.mtime_ns)
    return frozen.device == now.device or unchanged
