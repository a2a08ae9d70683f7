"""The works that the files of a release may mean: their own titles, asked for within bounds."""

from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeVar

import anyio

from capabilities.adapters.metadata.candidates import Candidates, candidates_for
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import Read
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.merged_works import merged_works
from capabilities.rules.pack_identity import own_name
from capabilities.rules.recognition.applying import reworded_path
from capabilities.rules.recognition.words import Word
from capabilities.rules.title_keys import title_key
from capabilities.rules.works import Work, WorkKey

MOST_TITLES: Final = 12
"""Of files, that are not the release's, and are searched for."""
MOST_FORCED: Final = 10
"""Works that the owner's words say files are, and that are asked for."""
TITLES_S: Final = 15.0
"""Seconds for all that is asked for the files together."""
_AT_ONCE: Final = 4

_Key = tuple[str, int | None]


class NotAsked(StrEnum):
    """Why it was not found out what a file is."""

    MANY = "not asked: other titles in this release were searched for, and there is an end to them"
    LATE = "not asked: the metadata sources had not answered for its title in time"
    SLOW = "not compared: there was no time left for the works that it may be"


@dataclass(frozen=True, slots=True)
class FileCandidates:
    """What the files may mean.

    Attributes:
        works: that the release or one of the files may mean, each once.
        own: those of a file that says a title of its own, by its path: what the release may mean,
            and what its own titles do.
        crowded: whether there may be more works of the titles.
        not_asked: the paths of the files of whose titles, or of whose work by the owner's word,
            nothing is known, and why.
    """

    works: list[Work]
    own: Mapping[str, list[Work]]
    crowded: bool
    not_asked: Mapping[str, NotAsked]


@dataclass(slots=True)
class _Titles:
    """What the files say: titles by key and year, and works that the owner says they are.

    Attributes:
        spelled: the title as it is searched for.
        borne: the paths of the files that bear it.
        forced: the paths of the files of a work.
    """

    spelled: dict[_Key, str] = field(default_factory=dict[_Key, str])
    borne: dict[_Key, list[str]] = field(default_factory=dict[_Key, list[str]])
    forced: dict[WorkKey, list[str]] = field(default_factory=dict[WorkKey, list[str]])


@dataclass(slots=True)
class _Told:
    """What the sources answered in time."""

    titles: dict[_Key, Candidates] = field(default_factory=dict[_Key, Candidates])
    works: dict[WorkKey, Sequence[Work]] = field(default_factory=dict[WorkKey, Sequence[Work]])


async def file_candidates(
    videos: Sequence[str],
    held: Read,
    words: Sequence[Word],
    catalogue: Catalogue,
    *,
    seconds: float = TITLES_S,
) -> FileCandidates:
    """Every work that a file may mean.

    The works that the owner names are asked for first, then the titles that most files bear.

    Args:
        videos: paths inside the release.
        held: its name, read; its own titles are not searched for again.
        words: the owner's recognition words.
        catalogue: is asked, several titles side by side.
        seconds: for titles and works together; what has no answer by then is told as not asked.

    Raises:
        WorldFaultError: a metadata source that is needed did not answer; nothing is concluded.
    """
    said = _titles(videos, held, words)
    ordered = sorted(said.borne, key=lambda key: -len(said.borne[key]))
    titles = {key: said.spelled[key] for key in ordered[:MOST_TITLES]}
    forced = list(said.forced)[:MOST_FORCED]
    told = await _asked(titles, forced, catalogue, seconds)
    found = [*held.candidates, *(work for key in forced for work in told.works.get(key, ()))]
    by_title = (work for key in titles if key in told.titles for work in told.titles[key].works)
    return FileCandidates(
        merged_works([*found, *by_title]),
        _own(said, found, told.titles),
        held.crowded or any(each.crowded for each in told.titles.values()),
        {
            **_unanswered(said.borne, told.titles, titles),
            **_unanswered(said.forced, {*told.works, *(work.key for work in found)}, forced),
        },
    )


_K = TypeVar("_K")


def _unanswered(
    paths: Mapping[_K, Sequence[str]], answered: Container[_K], asked: Container[_K]
) -> dict[str, NotAsked]:
    return {
        path: NotAsked.LATE if key in asked else NotAsked.MANY
        for key in paths
        if key not in answered
        for path in paths[key]
    }


def _titles(videos: Sequence[str], held: Read, words: Sequence[Word]) -> _Titles:
    known = {title_key(title) for title in held.name.titles}
    said = _Titles()
    for video in videos:
        read = reworded_path(video, words)
        if read.forced is not None:
            said.forced.setdefault(read.forced.work, []).append(video)
            continue
        own = own_name(read.text)
        for key, title in {title_key(title): title for title in own.titles}.items():
            if key not in known:
                said.spelled.setdefault((key, own.year), title)
                said.borne.setdefault((key, own.year), []).append(video)
    return said


def _own(
    said: _Titles, known: Sequence[Work], told: Mapping[_Key, Candidates]
) -> dict[str, list[Work]]:
    """By path; files of the same titles share what they may mean."""
    keys: dict[str, tuple[_Key, ...]] = {}
    for key, paths in said.borne.items():
        for path in paths:
            keys[path] = (*keys.get(path, ()), key)
    works = {
        each: merged_works(
            [*known, *(work for key in each if key in told for work in told[key].works)]
        )
        for each in dict.fromkeys(keys.values())
    }
    return {path: works[each] for path, each in keys.items()}


async def _asked(
    titles: Mapping[_Key, str], works: Sequence[WorkKey], catalogue: Catalogue, seconds: float
) -> _Told:
    """What the sources say of each work and each title that they answered for in time."""
    told, faults = _Told(), list[WorldFaultError]()
    turns = anyio.CapacityLimiter(_AT_ONCE)

    async def look_up(key: WorkKey) -> None:
        told.works[key] = (await catalogue.work(key)).works

    async def search(key: _Key) -> None:
        told.titles[key] = await candidates_for(catalogue, [titles[key]], None, year=key[1])

    async def in_turn(ask: Callable[[_K], Awaitable[None]], key: _K) -> None:
        try:
            async with turns:
                await ask(key)
        except WorldFaultError as fault:
            faults.append(fault)
            group.cancel_scope.cancel()

    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as group:
            for work in works:
                group.start_soon(in_turn, look_up, work)
            for title in titles:
                group.start_soon(in_turn, search, title)
    if faults:
        raise faults[0]
    return told
