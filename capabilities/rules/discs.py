"""Discs as they were pressed: one item each, whatever number of files it consists of."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.file_kinds import DISC_FOLDERS, DownloadedFile
from capabilities.rules.import_plan import LeftFile, Placement, Role
from capabilities.rules.names.parsing import parse
from capabilities.rules.safe_names import safe_part
from capabilities.rules.same_names import name_key
from capabilities.rules.shelf_paths import film_folder, film_path, season_folder
from capabilities.rules.video_targets import Order
from capabilities.rules.works import WorkKind

_MAIN: Final = frozenset({"bdmv", "video_ts", "hvdvd_ts"})
_NUMBER: Final = re.compile(
    r"(?:s\d{1,2}[ ._-]?d|(?<![a-z])(?:dis[ck]|d)[ ._-]*|(?<![a-z])(?:dvd|bd)[ ._-]+)"
    r"(\d{1,2})(?![0-9a-z])",
    re.IGNORECASE,
)
_SEASON: Final = re.compile(r"(?<![a-z])s(\d{1,2})[ ._-]?d\d", re.IGNORECASE)
_BESIDE: Final = "it is a disc beside the film's own file"
_NO_SEASON: Final = "it is a part of a disc, and it is not clear of which season"
_NO_MAIN: Final = "it is a part of a disc whose main folder is missing"


@dataclass(frozen=True, slots=True, eq=False)
class Disc:
    """One disc.

    Attributes:
        root: the folder that holds its ``BDMV`` or ``VIDEO_TS``, or the image itself.
        files: all of them, with paths from the root on.
    """

    root: PurePosixPath
    files: Mapping[DownloadedFile, PurePosixPath]

    @property
    def is_image(self) -> bool:
        """Whether it is one file."""
        return self.root.suffix.lower() == ".iso" and len(self.files) == 1

    @property
    def name(self) -> str:
        """How its folder or its image is called."""
        return self.root.stem if self.is_image else self.root.name

    @property
    def number(self) -> int | None:
        """The disc's number by its name."""
        found = _NUMBER.search(self.name)
        return int(found[1]) if found else None


def discs_among(files: Sequence[DownloadedFile]) -> tuple[list[Disc], list[LeftFile]]:
    """The discs of a download, and files of which no disc is there.

    Args:
        files: those that are parts of discs, by their kind.
    """
    held: dict[PurePosixPath, dict[DownloadedFile, PurePosixPath]] = {}
    mains: set[PurePosixPath] = set()
    for one in files:
        path = PurePosixPath(one.path)
        root = disc_of(path)
        inside = path.relative_to(root)
        held.setdefault(root, {})[one] = inside
        if root == path or inside.parts[0].lower() in _MAIN:
            mains.add(root)
    discs = [Disc(root, those) for root, those in sorted(held.items()) if root in mains]
    left = [
        LeftFile(one.path, _NO_MAIN)
        for root, those in held.items()
        if root not in mains
        for one in those
    ]
    return discs, left


def disc_of(path: PurePosixPath) -> PurePosixPath:
    """The disc that a file is a part of: the folder above its ``BDMV`` or the like, or an image."""
    at = next((at for at, part in enumerate(path.parts) if part.lower() in DISC_FOLDERS), None)
    return path if at is None else PurePosixPath(*path.parts[:at])


def disc_placements(
    discs: Sequence[Disc], order: Order, *, beside_a_film: bool
) -> tuple[list[Placement], list[LeftFile]]:
    """Every file of every disc that can be placed, and of those that cannot be.

    A film's disc stands in the film's folder, as servers read it; of several, and of a series,
    each in a folder of its own: ``Disc 1``, or as it was called where its number is not clear.
    """
    placements: list[Placement] = []
    left: list[LeftFile] = []
    is_film = order.work.key.kind is WorkKind.FILM
    for disc, target in _targets(discs, order).items():
        if is_film and beside_a_film:
            left += _left(disc, _BESIDE)
        elif target is None:
            left += _left(disc, _NO_SEASON)
        else:
            season = 0 if is_film else _season(disc, order) or 0
            placements += [
                Placement(one.path, target / inside, Role.DISC, season)
                for one, inside in disc.files.items()
            ]
    return placements, left


def _left(disc: Disc, why: str) -> Iterator[LeftFile]:
    yield from (LeftFile(one.path, why) for one in disc.files)


def _targets(discs: Sequence[Disc], order: Order) -> dict[Disc, PurePosixPath | None]:
    """The place of each disc, no two in one."""
    targets: dict[Disc, PurePosixPath | None] = {}
    folders = {disc: _folder(disc, order) for disc in discs}
    numbers = Counter((folders[disc], disc.number) for disc in discs)
    is_film, taken = order.work.key.kind is WorkKind.FILM, set[str]()
    for disc, folder in folders.items():
        if folder is None:
            targets[disc] = None
            continue
        clear = disc.number is not None and numbers[folder, disc.number] == 1
        own = f"Disc {disc.number}" if clear else safe_part(disc.name) or "Disc"
        alone = is_film and len(discs) == 1
        target = folder if alone else _free(folder / own, taken)
        taken.add(name_key(str(target)))
        targets[disc] = _image(disc, target, order, alone=alone) if disc.is_image else target
    return targets


def _free(target: PurePosixPath, taken: set[str]) -> PurePosixPath:
    number, path = 1, target
    while name_key(str(path)) in taken:
        number += 1
        path = target.with_name(f"{target.name} ({number})")
    return path


def _image(disc: Disc, folder: PurePosixPath, order: Order, *, alone: bool) -> PurePosixPath:
    """An image of a film is called like any file of it, as servers read it so."""
    (file,) = disc.files
    if alone:
        path = film_path(order.work, order.called(file), order.policy.naming, extension="iso")
        return order.root / path
    return folder / f"{safe_part(file.stem, 225) or 'Disc'}.iso"


def _folder(disc: Disc, order: Order) -> PurePosixPath | None:
    naming = order.policy.naming
    if order.work.key.kind is WorkKind.FILM:
        (first, *_) = disc.files
        return order.root / film_folder(order.work, order.called(first), naming)
    season = _season(disc, order)
    return None if season is None else order.root / season_folder(order.work, season, naming)


def _season(disc: Disc, order: Order) -> int | None:
    """The one that the nearest of its folders says, else its release, else the only one."""
    for part in reversed(disc.root.parts):
        if said := _SEASON.search(part):
            return int(said[1])
        seasons = parse(part).seasons
        if len(seasons) == 1:
            return seasons[0]
    regular = [season.number for season in order.work.seasons if season.number]
    known = order.name.seasons or regular
    return known[0] if len(known) == 1 else None
