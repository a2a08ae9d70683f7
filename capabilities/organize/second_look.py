"""Looking again at what was placed: that it still stands, and what the media servers see of it.

Telling a server changes nothing but what it shows, and twice does no harm; so it needs no claim,
and who died in between tells it again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from anyio import to_thread

from capabilities.adapters.media_server.port import CannotTell, MediaServer, NotSeen, Seen, Sight
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import LostAnswerError, WorldFaultError
from capabilities.organize.import_plan import OrganizePlan
from capabilities.rules.outside_text import cleaned
from capabilities.rules.verification import Check, CheckKind, Verification
from capabilities.rules.works import WorkKind

TOLD_AGAIN: Final = timedelta(minutes=10)
"""A server may wait until it was left alone for a while, so it is not told at every look."""
GONE: Final = "It no longer stands at its place."
CHANGED: Final = "Another file stands at its place."
NOT_YET: Final = "It does not show this file yet."
_LIBRARIES: Final = {WorkKind.FILM: "films", WorkKind.SERIES: "series"}


@dataclass(frozen=True, slots=True)
class SecondLook:
    """One look at the files of one record.

    Attributes:
        wanted: the plan that was carried out.
        placements: what stood where, as the record has it.
        library: the words a person knows the library by.
        servers: those that are to show it.
    """

    wanted: OrganizePlan
    placements: Sequence[Mapping[str, Any]]
    library: str
    servers: Sequence[MediaServer]

    async def look(self, verification: Verification, now: datetime) -> Verification:
        """What is true now; a server that does not answer leaves its checks as they are."""
        asked = verification.asked_of([server.name for server in self.servers])
        checks, told = await self._placed(asked.checks), dict(asked.told)
        for server in self.servers:
            paths = self._open_at(server, checks)
            if not paths:
                continue
            trouble = None
            if server.name not in told or now - told[server.name] >= TOLD_AGAIN:
                trouble = await _refreshed(server, list(paths))
                if trouble is None:
                    told[server.name] = now
            sights = await _sights(server, list(paths), trouble)
            by_file = {file: sights[path] for path, file in paths.items()}
            checks = [self._judged(check, server, by_file, now) for check in checks]
        return replace(asked, checks=tuple(checks), told=told, looks=asked.looks + 1)

    def _judged(
        self, check: Check, server: MediaServer, sights: Mapping[str, Sight], now: datetime
    ) -> Check:
        sight = sights.get(check.file)
        if check.kind is not CheckKind.SEEN or check.server != server.name or sight is None:
            return check
        wrong = _wrong_library(sight, self.wanted.kind)
        if wrong is not None:
            return replace(check, why=wrong)
        match sight:
            case Seen(item=item, title=title):
                shown = cleaned(title) or None
                return replace(
                    check, passed=True, why=None, item=cleaned(item), title=shown, shown_at=now
                )
            case NotSeen():
                return replace(check, why=NOT_YET)
            case CannotTell(why=why):
                return replace(check, why=why)

    def _open_at(self, server: MediaServer, checks: Sequence[Check]) -> dict[str, str]:
        """Paths to files that the server is still to see."""
        return {
            f"{self.wanted.folder}/{check.file}": check.file
            for check in checks
            if check.server == server.name and not check.passed
        }

    async def _placed(self, checks: Sequence[Check]) -> list[Check]:
        """The checks, with what stands at each file's place now."""
        try:
            async with roots.opened(Path(self.wanted.folder), self.library) as library:
                problems = await to_thread.run_sync(self._problems, library)
        except WorldFaultError as fault:
            problems = dict.fromkeys((check.file for check in checks), fault.sentence)
        return [
            replace(check, passed=check.file not in problems, why=problems.get(check.file))
            if check.kind is CheckKind.PLACED
            else check
            for check in checks
        ]

    def _problems(self, library: Root) -> dict[str, str]:
        problems: dict[str, str] = {}
        for placed in self.placements:
            target = str(placed["target"])
            try:
                now = frozen_from(library.status(target))
            except NotFoundError:
                problems[target] = GONE
            else:
                if (now.inode, now.size) != (placed["inode"], placed["size"]):
                    problems[target] = CHANGED
        return problems


async def _refreshed(server: MediaServer, paths: Sequence[str]) -> str | None:
    """Tell a server; why it could not be told, if so."""
    try:
        await server.refresh(paths)
    except LostAnswerError:
        return None  # it may have heard; whether it did, what it shows will tell
    except WorldFaultError as fault:
        return fault.sentence
    return None


async def _sights(
    server: MediaServer, paths: Sequence[str], trouble: str | None
) -> dict[str, Sight]:
    try:
        sights = await server.seen(paths)
    except WorldFaultError as fault:
        return dict.fromkeys(paths, CannotTell(fault.sentence))
    if trouble is None:
        return sights
    unseen = CannotTell(trouble)  # it cannot have looked yet
    return {path: unseen if isinstance(sight, NotSeen) else sight for path, sight in sights.items()}


def _wrong_library(sight: Sight, kind: WorkKind) -> str | None:
    """What is wrong where the server keeps the file's folder for works of the other kind."""
    if isinstance(sight, CannotTell) or sight.taken_for in {None, kind}:
        return None
    ours = _LIBRARIES[kind]
    theirs = next(name for other, name in _LIBRARIES.items() if other is not kind)
    return (
        f"It keeps this file's folder as a library of {theirs}, and the file belongs to {ours}. "
        f"Let a library of {ours} hold the folder there."
    )
