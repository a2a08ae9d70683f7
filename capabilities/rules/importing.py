"""What of a finished download goes where on the shelf, decided before a file is touched."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.dangerous import danger
from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Identity
from capabilities.rules.file_kinds import DownloadedFile, FileKind, sorted_kinds
from capabilities.rules.import_plan import Danger, ImportPlan, LeftFile, Placement, Role
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.recognition.words import Word
from capabilities.rules.sidecars import owner_of, sidecar_target, unique
from capabilities.rules.video_targets import Order, Targets, episode_targets, film_targets
from capabilities.rules.works import WorkKind

_SIDECARS: Final = {
    FileKind.SUBTITLE: Role.SUBTITLE,
    FileKind.NFO: Role.NFO,
    FileKind.ARTWORK: Role.ARTWORK,
}
_WHY_LEFT: Final = {
    FileKind.SAMPLE: "it is a sample",
    FileKind.EXTRA: "it is an extra",
    FileKind.DISC: "it is a part of a disc, which is one item and is not taken apart",
    FileKind.OTHER: "it is neither a video nor a file that follows one",
}


def plan_import(
    files: Sequence[DownloadedFile],
    identity: Identity,
    name: ReleaseName,
    organize_policy: OrganizePolicy,
    *,
    runtime: int | None,
    counting: Counting = PLAIN,
    words: Sequence[Word] = (),
) -> ImportPlan:
    """Plan the import of one finished download.

    Args:
        files: everything in the download, with paths relative to it.
        identity: the work it is; without one everything is left.
        name: the release's name, which supplies what files do not say.
        organize_policy: naming preset and library roots.
        runtime: minutes of the film or of one episode, None when unknown.
        counting: how the work's episodes are counted besides its seasons.
        words: the owner's recognition words, which have been applied to the release's name.
    """
    dangers = tuple(Danger(one.path, reason) for one in files if (reason := danger(one.path)))
    risky = {one.path for one in dangers}
    safe = [one for one in files if one.path not in risky]
    if identity.work is None:
        left = tuple(LeftFile(one.path, "it is not known which work this is") for one in safe)
        return ImportPlan((), left, dangers)
    order = Order(identity.work, name, organize_policy, counting, tuple(words))
    kinds = sorted_kinds(safe, runtime)
    videos = [one for one, kind in kinds.items() if kind is FileKind.VIDEO]
    place = film_targets if order.work.key.kind is WorkKind.FILM else episode_targets
    targets, left = place(videos, order)
    followers, alone = _sidecars(kinds, targets)
    others = (
        LeftFile(one.path, _WHY_LEFT[kind]) for one, kind in kinds.items() if kind in _WHY_LEFT
    )
    return ImportPlan((*_videos(targets), *followers), (*left, *alone, *others), dangers)


def _videos(targets: Targets) -> list[Placement]:
    return [Placement(one.path, target, Role.VIDEO) for one, target in targets.items()]


def _sidecars(
    kinds: dict[DownloadedFile, FileKind], targets: Targets
) -> tuple[list[Placement], list[LeftFile]]:
    placements: list[Placement] = []
    left: list[LeftFile] = []
    taken = {str(target).casefold() for target in targets.values()}
    for one, kind in kinds.items():
        if kind not in _SIDECARS:
            continue
        owner = owner_of(one, list(targets))
        if owner is None:
            left.append(LeftFile(one.path, "it is not clear which video it belongs to"))
            continue
        target = unique(sidecar_target(one, kind, owner, targets[owner]), taken)
        taken.add(str(target).casefold())
        placements.append(Placement(one.path, target, _SIDECARS[kind]))
    return placements, left
