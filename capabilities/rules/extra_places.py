"""Where extras stand on the shelf, for an owner who wants them there.

The folders are those that Plex, Jellyfin and Emby read beside a film and in a series' folder.
"""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.extras import Extra, extra_among, extra_of
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.import_plan import Placement, Role
from capabilities.rules.safe_names import safe_part
from capabilities.rules.shelf_paths import STEM_BYTES, film_folder, series_folder
from capabilities.rules.sidecars import Taken
from capabilities.rules.video_targets import Order
from capabilities.rules.works import WorkKind

_FOLDERS: Final = {
    Extra.TRAILER: "Trailers",
    Extra.PROMOTION: "Trailers",
    Extra.FEATURETTE: "Featurettes",
    Extra.INTERVIEW: "Interviews",
    Extra.DELETED: "Deleted Scenes",
    Extra.MAKING: "Behind The Scenes",
    Extra.SHORT: "Shorts",
}
_OTHERWISE: Final = "Other"


def what_extra(file: DownloadedFile) -> Extra | None:
    """What extra a file is, which its kind says it is."""
    return extra_of(file.stem, file.folders) or extra_among(file.stem)


def extra_placements(extras: Iterable[DownloadedFile], order: Order) -> list[Placement]:
    """Each extra under its own name, in the folder for its kind."""
    taken = Taken(())
    return [Placement(one.path, taken.free(_target(one, order), one), Role.EXTRA) for one in extras]


def _target(file: DownloadedFile, order: Order) -> PurePosixPath:
    naming, work = order.policy.naming, order.work
    is_film = work.key.kind is WorkKind.FILM
    above = (
        film_folder(work, order.called(file), naming) if is_film else series_folder(work, naming)
    )
    extra = what_extra(file)
    folder = _OTHERWISE if extra is None else _FOLDERS.get(extra, _OTHERWISE)
    stem = safe_part(file.stem, STEM_BYTES, colon=naming.colon) or folder
    return order.root / above / folder / f"{stem}.{file.suffix}"
