"""The suffix of a file: the container it names, and the language a subtitle file has before it."""

from typing import Final

from capabilities.rules.names.tables.counting import OTHER_SUFFIXES, SUBTITLE_SUFFIXES
from capabilities.rules.names.vocabulary import Container
from capabilities.rules.subtitle_tags import subtitle_tags

_CONTAINERS: Final = {container.value: container for container in Container}
_LONGEST: Final = 7


def split_suffix(text: str) -> tuple[str, str]:
    """The name without a known suffix, and that suffix in lower case, or the name and nothing."""
    stem, dot, suffix = text.rpartition(".")
    low = suffix.lower().rstrip("'\"")
    if not dot or not stem or len(suffix) > _LONGEST:
        return text, ""
    if low in OTHER_SUFFIXES:
        inner, _, second = stem.rpartition(".")
        return (inner, low) if inner and second.lower() in _CONTAINERS else (stem, low)
    return (stem, low) if low in _CONTAINERS else (text, "")


def split_container(text: str) -> tuple[str, Container | None]:
    """The name without a file suffix, and the container where it is a video's."""
    stem, suffix = split_suffix(text)
    return stem, container_of(suffix)


def container_of(suffix: str) -> Container | None:
    """The container that a suffix names, if it is a video's."""
    return _CONTAINERS.get(suffix)


def without_tags(stem: str, suffix: str) -> str:
    """The name of a subtitle file without its language and flags, other names as they are."""
    while suffix in SUBTITLE_SUFFIXES:
        head, dot, piece = stem.rpartition(".")
        tags = subtitle_tags(piece) if dot and head and " " not in piece else None
        if tags is None or not (tags.language or tags.flags):
            break
        stem = head
    return stem


def written_language(stem: str, suffix: str) -> str | None:
    """The language that stands in front of a subtitle file's suffix, as a tag in lower case."""
    if suffix not in SUBTITLE_SUFFIXES:
        return None
    tag = subtitle_tags(stem).language
    return tag.lower() if tag else None
