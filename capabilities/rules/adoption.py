"""Which videos of a library are taken into the inventory as they stand, and which are left."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from capabilities.rules.episode_counting import Unsettled
from capabilities.rules.file_numbers import numbers_in
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.library_titles import Group, LibraryVideo
from capabilities.rules.owned_names import owned_counting
from capabilities.rules.shelf_quality import shelf_quality
from capabilities.rules.works import Work, WorkKind

UNKNOWN_QUALITY = "unknown quality"
COUNTS_NOTHING = "its name says no episode of the series"
IS_A_FILM = "its name counts episodes, and its title is taken for a film"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a title was taken for; the owner's policy takes it without asking where ``accepted``.

    Attributes:
        work: the ledger's id of the work, with the work itself.
        numbers: by path, of videos whose episodes take a closer look: season and episodes, or why
            that is open.
    """

    accepted: bool
    grade: str
    work_id: str | None
    work: Work | None
    against: tuple[str, ...]
    candidates: tuple[str, ...]
    numbers: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Adoptable:
    """One video and what it is; sizes in bytes, no season and no episodes for a film."""

    path: str
    device: int
    size: int
    inode: int
    mtime_ns: int
    work: str
    season: int | None
    episodes: tuple[int, ...]
    quality: str

    @property
    def slots(self) -> list[tuple[str, int, int]]:
        """What it fills: work, season and episode, both 0 for a film."""
        return [(self.work, self.season or 0, number) for number in self.episodes or (0,)]


@dataclass(frozen=True, slots=True)
class Unclear:
    """A title, or one file of it, that is not taken; ``example`` is one of its paths."""

    title: str
    year: int | None
    grade: str
    files: int
    example: str
    why: str


@dataclass(slots=True)
class Adoption:
    """What would be taken in.

    Attributes:
        standing: videos that are in the inventory already.
        titles: of every work whose videos are taken: its id, how many, and the grade.
    """

    files: list[Adoptable] = field(default_factory=list[Adoptable])
    unclear: list[Unclear] = field(default_factory=list[Unclear])
    standing: int = 0
    titles: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])

    @property
    def fingerprint(self) -> str:
        """SHA-256 of every file that is taken, as it is now, and of what it is taken for."""
        digest = hashlib.sha256()
        for one in sorted(self.files, key=lambda file: file.path):
            said = [
                *(one.path, one.device, one.size, one.inode, one.mtime_ns),
                *(one.work, one.season, one.episodes),
            ]
            digest.update(json.dumps(said).encode())
        return digest.hexdigest()


def adoption(
    told: Iterable[tuple[Group, Verdict]], policy: IdentityPolicy, standing: AbstractSet[str]
) -> Adoption:
    """What is taken of a library whose titles are told.

    Args:
        told: every title with its verdict.
        policy: how the owner has episodes counted.
        standing: paths that are in the inventory already.
    """
    made = Adoption()
    for group, verdict in told:
        videos = [one for one in group.videos if one.kept.path not in standing]
        made.standing += len(group.videos) - len(videos)
        if not videos:
            continue
        if not verdict.accepted or verdict.work is None or verdict.work_id is None:
            made.unclear.append(_unclear(group, verdict, videos, _why(verdict)))
            continue
        taken = list(_taken(videos, verdict, policy))
        files = [one for one in taken if isinstance(one, Adoptable)]
        made.files += files
        if files:
            before = made.titles.get(verdict.work_id, (0, verdict.grade))[0]
            made.titles[verdict.work_id] = (before + len(files), verdict.grade)
        open_ = [(one, why) for one, why in zip(videos, taken, strict=True) if isinstance(why, str)]
        made.unclear += [_unclear(group, verdict, [one], why) for one, why in open_]
    return made


def _why(verdict: Verdict) -> str:
    if verdict.against:
        return "; ".join(verdict.against)
    if verdict.candidates:
        return f"it may be {', or '.join(verdict.candidates)}"
    return "no work of this title is known"


def _unclear(group: Group, verdict: Verdict, videos: list[LibraryVideo], why: str) -> Unclear:
    heading = group.heading
    example = videos[0].kept.path
    return Unclear(heading.title, heading.year, verdict.grade, len(videos), example, why)


def _taken(
    videos: list[LibraryVideo], verdict: Verdict, policy: IdentityPolicy
) -> Iterator[Adoptable | str]:
    work = verdict.work
    if work is None:
        return
    counting = owned_counting(work, policy)
    for video in videos:
        if work.key.kind is WorkKind.FILM:
            yield IS_A_FILM if video.is_plain else _adoptable(video, verdict, None, ())
        elif not video.is_plain:
            found = verdict.numbers.get(video.kept.path, COUNTS_NOTHING)
            yield found if isinstance(found, str) else _adoptable(video, verdict, *found)
        else:
            numbers = numbers_in(video.numbers, work, counting)
            yield (
                numbers.sentence
                if isinstance(numbers, Unsettled)
                else _adoptable(video, verdict, numbers.season, numbers.episodes)
            )


def _adoptable(
    video: LibraryVideo, verdict: Verdict, season: int | None, episodes: Iterable[int]
) -> Adoptable:
    kept = video.kept
    return Adoptable(
        path=kept.path,
        device=kept.device,
        size=kept.size,
        inode=kept.inode,
        mtime_ns=kept.mtime_ns,
        work=verdict.work_id or "",
        season=season,
        episodes=tuple(episodes),
        quality=shelf_quality(video.text) or UNKNOWN_QUALITY,
    )
