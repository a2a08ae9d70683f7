"""What is told of each file of a release."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from pydantic import BaseModel

from capabilities.adapters.metadata.pack_reading import PackFile
from capabilities.rules.dangerous import danger
from capabilities.rules.episode_counting import Unsettled
from capabilities.rules.evidence import Grade
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.owned_names import owned_name
from capabilities.rules.recognition.words import Word
from capabilities.rules.works import WorkKind

FILES_SHOWN: Final = 50
MOST_TARGETS: Final = 6
SENTENCE_CHARACTERS: Final = 160


class FileFacts(BaseModel):
    """One file: what its own name says, which work it is and what of it, whether it is dangerous.

    ``open`` says why it is not known which work a video is, or which episodes of one. There is no
    grade where nobody found out.
    """

    path: str
    size_mb: float
    reads_as: str | None
    grade: Grade | None
    work: str | None
    title: str | None
    target: str | None
    open: str | None
    danger: str | None


def fitting(files: Sequence[FileFacts], room: int) -> list[FileFacts]:
    """The first of them, as many as ``room`` bytes of an answer hold."""
    fitting = list[FileFacts]()
    for each in files[:FILES_SHOWN]:
        room -= len(each.model_dump_json(exclude_none=True).encode()) + 1
        if room < 0:
            break
        fitting.append(each)
    return fitting


def file_facts(path: str, size: int, seen: PackFile | None, words: Sequence[Word]) -> FileFacts:
    """What is told of one file.

    Args:
        path: inside the release.
        size: in bytes.
        seen: what it was identified as, where it is a video and the sources answered.
        words: the owner's recognition words.
    """
    work = None if seen is None else seen.file.identity.work
    own = owned_name(PurePosixPath(path).name, words).name
    return FileFacts(
        path=cleaned(path),
        size_mb=round(size / 1e6, 2),
        reads_as=None if seen is None else _read(own),
        grade=None if seen is None or seen.not_asked else seen.file.identity.grade,
        work=None if work is None else str(work.key),
        title=None if work is None else titled(work.title, work.year),
        target=None if seen is None else _target(seen),
        open=None if seen is None else _open(seen),
        danger=danger(path),
    )


def _read(name: ReleaseName) -> str | None:
    if not name.title:
        return None
    read = name.title if name.year is None else f"{name.title} ({name.year})"
    if name.episodes:
        numbers = "+".join(str(number) for number in name.episodes)
        read = f"{read} S{name.seasons[0] if name.seasons else '?'}E{numbers}"
    return cleaned(read)


def _target(seen: PackFile) -> str | None:
    work = seen.file.identity.work
    if work is not None and work.key.kind is WorkKind.FILM:
        return "film"
    if isinstance(seen.numbers, Unsettled) or not seen.numbers:
        return None
    places = [f"S{one.place.season:02}E{one.place.episode:02}" for one in seen.numbers]
    more = len(places) - MOST_TARGETS
    return "+".join(places[:MOST_TARGETS]) + (f" and {more} more" if more > 0 else "")


def _open(seen: PackFile) -> str | None:
    identity = seen.file.identity
    if seen.not_asked is not None:
        return seen.not_asked.value
    if isinstance(seen.numbers, Unsettled):
        return cleaned(seen.numbers.sentence, SENTENCE_CHARACTERS)
    if identity.work is not None or not identity.contradictions:
        return None
    return cleaned(identity.contradictions[0].sentence, SENTENCE_CHARACTERS)
