"""What our records say of a file besides its own row: all of its episodes, and who shows it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from capabilities.rules.verification import CheckKind, verification_from
from ledger.database import Snapshot
from ledger.stores import verifications
from ledger.stores.shelf import AssetRow


class Shown(BaseModel):
    """A media server that showed the file, as what, and when that was last looked at."""

    server: str
    title: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of one file.

    Attributes:
        episodes: all that it holds, of its season; none for a film.
        shown: by the media servers that showed it once it was placed; none for what was not
            placed from here.
    """

    episodes: tuple[int, ...] = ()
    shown: tuple[Shown, ...] = ()


def told_of(conn: Snapshot, files: Sequence[AssetRow], further: Collection[str]) -> dict[str, Told]:
    """What is told of each file, by its id.

    Args:
        conn: where to read.
        files: which ones.
        further: those among them that fill a slot other than the one of their own number.
    """
    filled = verifications.filled(conn, further)
    placed, shown = dict[str, list[int]](), dict[str, list[Shown]]()
    paths = {file.path for file in files}
    for one in verifications.placings(conn, {file.record for file in files}):
        placed |= dict(_episodes(one.placements))
        for path, sighting in _sightings(one.placements, one.verification or {}, paths):
            shown.setdefault(path, []).append(sighting)
    return {
        file.id: Told(
            _held(file, filled.get(file.id, ()), placed.get(file.path, ())),
            tuple(shown.get(file.path, ())),
        )
        for file in files
    }


def _held(
    file: AssetRow, slots: Sequence[tuple[int, int]], placed: Sequence[int]
) -> tuple[int, ...]:
    if file.season is None or file.episode is None:
        return ()
    here = {episode for season, episode in slots if season == file.season}
    return tuple(sorted({file.episode, *here, *placed}))


def _episodes(placements: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[int]]]:
    for one in placements:
        yield f"{one['folder']}/{one['target']}", one.get("episodes", [])


def _sightings(
    placements: Sequence[Mapping[str, Any]], verification: dict[str, Any], paths: Collection[str]
) -> Iterator[tuple[str, Shown]]:
    folders = {str(one["target"]): str(one["folder"]) for one in placements}

    def path(file: str) -> str:
        return f"{folders.get(file, '')}/{file}"

    # a record of a whole season has many checks, of files that are not told of here
    checks = [one for one in verification.get("checks", ()) if path(one["file"]) in paths]
    if not checks:
        return
    known = verification_from({**verification, "checks": checks})
    for check in known.checks:
        # a check without an item passed because its server was gone, as it once did
        if check.kind is CheckKind.SEEN and check.passed and check.server and check.item:
            # records of before do not say when; the file stood since then
            at = check.shown_at or known.at
            yield path(check.file), Shown(server=check.server, title=check.title, at=at)
