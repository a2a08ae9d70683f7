"""What of a finished download goes where on the shelf, decided before a file is touched."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from capabilities.rules.dangerous import ARCHIVES, danger
from capabilities.rules.discs import disc_placements, discs_among
from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Identity
from capabilities.rules.extra_places import extra_placements, what_extra
from capabilities.rules.file_kinds import DownloadedFile, FileKind, kind_of, sorted_kinds
from capabilities.rules.import_plan import Danger, ImportPlan, LeftFile, Placement, Role
from capabilities.rules.lengths import expected_minutes
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.recognition.words import Word
from capabilities.rules.samples import sample_problem
from capabilities.rules.sidecars import Taken, owner_of, sidecar_target
from capabilities.rules.video_targets import Order, Targets, episode_targets, film_targets
from capabilities.rules.works import WorkKind

_SIDECARS: Final = {FileKind.SUBTITLE: Role.SUBTITLE, FileKind.ARTWORK: Role.ARTWORK}
_SAMPLE: Final = "it is a sample"
_WHY_LEFT: Final = {
    FileKind.NFO: "it is the release's own NFO, which no media server reads",
    FileKind.OTHER: "it is neither a video nor a file that follows one",
}

Kinds = Mapping[DownloadedFile, FileKind]


def plan_import(
    files: Sequence[DownloadedFile],
    identity: Identity,
    name: ReleaseName,
    organize_policy: OrganizePolicy,
    *,
    runtime: int | None,
    counting: Counting = PLAIN,
    words: Sequence[Word] = (),
    durations: Mapping[str, float] | None = None,
) -> ImportPlan:
    """Plan the import of one finished download.

    Args:
        files: everything in the download, with paths relative to it.
        identity: the work it is; without one everything is left.
        name: the release's name, which supplies what files do not say.
        organize_policy: naming and library roots.
        runtime: minutes of the film or of one episode, None when unknown.
        counting: how the work's episodes are counted besides its seasons.
        words: the owner's recognition words, which have been applied to the release's name.
        durations: seconds of videos by their paths, where they are known.
    """
    dangers = tuple(Danger(one.path, reason) for one in files if (reason := danger(one.path)))
    risky = {one.path for one in dangers}
    safe = [one for one in files if one.path not in risky]
    if identity.work is None:
        why = "it is not known which work this is"
        left = tuple(LeftFile(one.path, why, unidentified=True) for one in safe)
        return ImportPlan((), left, dangers)
    order = Order(identity.work, name, organize_policy, counting, tuple(words))
    kinds = _kinds(safe, order, runtime)
    placements, stay = _sorted_out(kinds, order, durations or {})
    return ImportPlan(tuple(placements), tuple(stay), dangers)


def _sorted_out(
    kinds: Kinds, order: Order, durations: Mapping[str, float]
) -> tuple[list[Placement], list[LeftFile]]:
    """The place of every file that has one, and why the others have none."""
    targets, left = _video_targets(kinds, order)
    left = [*_short(targets, order, durations), *left]
    discs, without = discs_among([one for one, kind in kinds.items() if kind is FileKind.DISC])
    placed, refused = disc_placements(discs, order, beside_a_film=bool(targets))
    followers, alone = _sidecars(kinds, targets)
    found = bool(targets or placed)
    wanted = found and order.policy.extras
    extras = [one for one, kind in kinds.items() if kind is FileKind.EXTRA and wanted]
    others = (
        LeftFile(one.path, why)
        for one, kind in kinds.items()
        if one not in extras and (why := _why(one, kind))
    )
    samples = _told_samples(kinds, found=found)
    return (
        [*_videos(targets), *placed, *followers, *extra_placements(extras, order)],
        [*left, *refused, *without, *alone, *samples, *others],
    )


def _kinds(files: Sequence[DownloadedFile], order: Order, runtime: int | None) -> Kinds:
    """What each file is; an extra that the owner's words make an episode is one."""
    kinds = sorted_kinds(files, runtime)
    for one, kind in kinds.items():
        done = order.reworded(one) if kind is FileKind.EXTRA and order.words else None
        if done is not None and (done.text != one.path or done.forced is not None):
            kinds[one] = kind_of(DownloadedFile(done.text, one.size))
    return kinds


def _video_targets(kinds: Kinds, order: Order) -> tuple[Targets, list[LeftFile]]:
    videos = [one for one, kind in kinds.items() if kind is FileKind.VIDEO]
    is_film = order.work.key.kind is WorkKind.FILM
    return film_targets(videos, order) if is_film else episode_targets(videos, order)


def _short(targets: Targets, order: Order, durations: Mapping[str, float]) -> list[LeftFile]:
    """Take out what lasts no longer than a sample of what it is taken for."""
    if len(targets) > 1 and order.work.key.kind is WorkKind.FILM:
        return []  # the parts of a film last as long as it only together
    short = {
        one: why
        for one, spot in targets.items()
        if (
            why := sample_problem(
                durations.get(one.path), expected_minutes(order.work, spot.season, spot.episodes)
            )
        )
    }
    for one in short:
        del targets[one]
    return [LeftFile(one.path, why) for one, why in short.items()]


def _videos(targets: Targets) -> list[Placement]:
    return [
        Placement(one.path, spot.path, Role.VIDEO, spot.season, spot.episodes)
        for one, spot in targets.items()
    ]


def _why(file: DownloadedFile, kind: FileKind) -> str | None:
    if kind is FileKind.EXTRA:
        what = what_extra(file)
        return f"it is an extra: {what}" if what else "it is an extra"
    return _WHY_LEFT.get(kind)


def _told_samples(kinds: Kinds, *, found: bool) -> Iterator[LeftFile]:
    """The samples; where nothing but them is there, that is said, and where the rest may be."""
    archive = next((one.path for one in kinds if one.suffix in ARCHIVES), None)
    for one, kind in kinds.items():
        if kind is not FileKind.SAMPLE:
            continue
        if found or FileKind.VIDEO in kinds.values():
            yield LeftFile(one.path, _SAMPLE)
        elif archive is None:
            yield LeftFile(one.path, "it is only a sample, and nothing else is a video")
        else:
            why = f"it is only a sample; an archive is present, {archive}, and is to be unpacked"
            yield LeftFile(one.path, why)


def _sidecars(kinds: Kinds, targets: Targets) -> tuple[list[Placement], list[LeftFile]]:
    placements: list[Placement] = []
    left: list[LeftFile] = []
    taken = Taken(spot.path for spot in targets.values())
    for one, kind in kinds.items():
        if kind not in _SIDECARS:
            continue
        owner = owner_of(one, list(targets))
        if owner is None:
            left.append(LeftFile(one.path, "it is not clear which video it belongs to"))
            continue
        spot = targets[owner]
        target = taken.free(sidecar_target(one, kind, owner, spot.path), one)
        role = _SIDECARS[kind]
        placements.append(Placement(one.path, target, role, spot.season, spot.episodes))
    return placements, left
