"""The places of a download's videos on the shelf."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.episode_counting import PLAIN, SPECIALS, Counting, Unsettled
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.file_numbers import BY_DATE, Numbers, numbers_in
from capabilities.rules.foreign_titles import foreign_titles
from capabilities.rules.identity import as_forced
from capabilities.rules.import_plan import LeftFile
from capabilities.rules.name_tokens import EpisodeFacts
from capabilities.rules.names.paths import completed, parse_path
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.pack_identity import file_name
from capabilities.rules.recognition.applying import Reworded, reworded_path
from capabilities.rules.recognition.words import Word
from capabilities.rules.shelf_paths import Called, EpisodeStyle, episode_path, film_path
from capabilities.rules.title_keys import title_key
from capabilities.rules.works import Work

_PART: Final = re.compile(r"[ ._-](?:cd|dis[ck]|part|pt)[ ._-]?(\d)\Z", re.IGNORECASE)
_FILM_SHARE: Final = 0.3
"""Of the biggest video; a smaller one is no film beside it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a video, library root included, and what of a series it holds."""

    path: PurePosixPath
    season: int = 0
    episodes: tuple[int, ...] = ()


Targets = dict[DownloadedFile, Spot]


@dataclass(frozen=True, slots=True)
class Order:
    """What is imported: a work, under its release's name, by a policy."""

    work: Work
    name: ReleaseName
    policy: OrganizePolicy
    counting: Counting = PLAIN
    words: tuple[Word, ...] = ()

    @property
    def root(self) -> PurePosixPath:
        """The library root for the work's kind."""
        return PurePosixPath(self.policy.root_of(self.work.key.kind))

    def read(self, file: DownloadedFile) -> ReleaseName:
        """What the file says, completed by its release."""
        return completed(parse_path(self.reworded(file).text), self.name)

    def called(self, file: DownloadedFile) -> Called:
        """What the file was called."""
        return Called(self.read(file), file.stem)

    def reworded(self, file: DownloadedFile) -> Reworded:
        """The file's path after the owner's words."""
        return reworded_path(file.path, self.words)

    def elsewhere(self, file: DownloadedFile) -> str | None:
        """Why a file is none of this work by its owner's word."""
        forced = self.reworded(file).forced
        if forced is None or forced.work == self.work.key:
            return None
        return f"your recognition word says that it is {forced.work}"


def film_targets(videos: Sequence[DownloadedFile], order: Order) -> tuple[Targets, list[LeftFile]]:
    """The film's file, or its parts; the rest, and several films at once, are left."""
    others = {one: why for one in videos if (why := order.elsewhere(one))}
    left = [LeftFile(one.path, why, unidentified=True) for one, why in others.items()]
    by_size = sorted(
        (one for one in videos if one not in others), key=lambda video: (-video.size, video.path)
    )
    if not by_size:
        return {}, left
    large = [one for one in by_size if one.size >= by_size[0].size * _FILM_SHARE]
    parts = _parts(large)
    mains = parts or _mains(large, order)
    targets = {
        one: Spot(order.root / _film_path(one, order, number)) for one, number in mains.items()
    }
    why = (
        "it is a smaller video beside the film"
        if mains
        else "several videos are as long as a film, and none alone is named like it"
    )
    beside = (
        LeftFile(one.path, why, unidentified=not mains) for one in by_size if one not in targets
    )
    return targets, [*left, *beside]


def _parts(videos: Sequence[DownloadedFile]) -> dict[DownloadedFile, int]:
    """Videos numbered as the parts of one film, where all of them are."""
    numbered = {one: int(match[1]) for one in videos if (match := _PART.search(one.stem))}
    whole = len(numbered) == len(videos) > 1
    return numbered if whole and len(set(numbered.values())) == len(numbered) else {}


def _mains(videos: Sequence[DownloadedFile], order: Order) -> dict[DownloadedFile, int]:
    named = [one for one in videos if _is_named_like(one, order)]
    chosen = videos if len(videos) == 1 else named
    return {chosen[0]: 0} if len(chosen) == 1 else {}


def _is_named_like(video: DownloadedFile, order: Order) -> bool:
    work, done = order.work, order.reworded(video)
    if done.forced is not None:
        return True
    read = parse_path(done.text)
    keys = {title_key(work.title), *(title_key(title.text) for title in work.titles)}
    agrees = read.year is None or work.year is None or abs(read.year - work.year) <= 1
    return agrees and any(title_key(title) in keys for title in read.titles)


def _film_path(video: DownloadedFile, order: Order, part: int) -> PurePosixPath:
    called = order.called(video)
    path = film_path(order.work, called, order.policy.naming, extension=video.suffix)
    return path.with_name(f"{path.stem} - part{part}{path.suffix}") if part else path


def episode_targets(
    videos: Sequence[DownloadedFile], order: Order
) -> tuple[Targets, list[LeftFile]]:
    """Each file by the season and episodes it says itself; of two for one place the bigger."""
    targets: Targets = {}
    left: list[LeftFile] = []
    held: set[tuple[int, tuple[int, ...]]] = set()
    foreign = foreign_titles(videos, order.work, order.name, order.words)
    for one in sorted(videos, key=lambda video: (-video.size, video.path)):
        if one in foreign:
            left.append(LeftFile(one.path, foreign[one], unidentified=True))
            continue
        numbers = _numbers(one, order, alone=len(videos) == 1)
        if isinstance(numbers, Unsettled):
            left.append(LeftFile(one.path, numbers.sentence, unidentified=True))
            continue
        spot = _episode_spot(one, order, numbers)
        if (spot.season, spot.episodes) in held:
            left.append(LeftFile(one.path, "a bigger file of the download holds this episode"))
            continue
        held.add((spot.season, spot.episodes))
        targets[one] = spot
    return targets, left


def _numbers(video: DownloadedFile, order: Order, *, alone: bool) -> Numbers | Unsettled:
    done, elsewhere = order.reworded(video), order.elsewhere(video)
    if elsewhere is not None:
        return Unsettled(elsewhere)
    read = file_name(done.text, order.name, alone=alone)
    if alone and not (read.episodes or read.absolute_episodes or read.air_date):
        read = replace(read, absolute_episodes=order.name.absolute_episodes)
    return numbers_in(as_forced(read, done.forced), order.work, order.counting)


def _episode_spot(video: DownloadedFile, order: Order, numbers: Numbers) -> Spot:
    absolute = tuple(one.absolute for one in numbers.counted if one.absolute is not None)
    known = absolute if len(absolute) == len(numbers.episodes) else ()
    path = episode_path(
        order.work,
        order.called(video),
        order.policy.naming,
        facts=EpisodeFacts(numbers.season, numbers.episodes, known),
        extension=video.suffix,
        style=_style(numbers),
    )
    return Spot(order.root / path, numbers.season, numbers.episodes)


def _style(numbers: Numbers) -> EpisodeStyle:
    """By how the file itself counts its episodes."""
    if numbers.season == SPECIALS:
        return EpisodeStyle.SPECIAL
    if any(one.by == BY_DATE for one in numbers.counted):
        return EpisodeStyle.DAILY
    counts_through = all(
        one.absolute is not None and one.said == str(one.absolute) for one in numbers.counted
    )
    return EpisodeStyle.ANIME if counts_through else EpisodeStyle.EPISODE
