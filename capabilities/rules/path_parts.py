"""A path taken to pieces: what its folders and its file say, and which of them gave which fact."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue

from capabilities.rules.name_facts import name_facts
from capabilities.rules.name_parts import NamePart, PartKind, Pieces, pieces
from capabilities.rules.names.paths import parse_path, parts_of, read_folder
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.shelves import speaking
from capabilities.rules.pack_identity import own_name

_BY_ITS_PLACE: Final = "its place"


@dataclass(frozen=True, slots=True)
class PathPart:
    """A folder, or the file itself.

    Attributes:
        text: its name.
        taken: that name taken to pieces.
        gave: fields of the path's facts that are known from it; the file's word counts first,
            then that of the nearest folder.
    """

    text: str
    taken: Pieces
    gave: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PathParts:
    """A path by its parts.

    Attributes:
        parts: the folders that say something of the file, from the top, and the file.
        left_aside: the other folders: they sort files, or are too far above.
        together: fields that no part says by itself, such as the episode in ``401`` within a
            season 4.
        facts: what the path says, by field; see `name_facts`.
    """

    parts: tuple[PathPart, ...]
    left_aside: tuple[str, ...]
    together: tuple[str, ...]
    facts: Mapping[str, JsonValue]


def path_parts(path: str) -> PathParts:
    """Take a path to pieces, as `parse_path` reads it."""
    *above, file = parts_of(path)
    folders = speaking(above)
    facts = name_facts(parse_path(path))
    read = [*((text, read_folder(text)) for text in folders), (file, own_name(file))]
    givers = _givers(facts, [name for _, name in read])
    parts = tuple(
        PathPart(text, _taken(text, name), tuple(f for f, giver in givers.items() if giver == at))
        for at, (text, name) in enumerate(read)
    )
    together = tuple(field for field in facts if field not in givers)
    return PathParts(parts, tuple(_others(above, folders)), together, facts)


def _givers(facts: Mapping[str, JsonValue], names: Sequence[ReleaseName]) -> dict[str, int]:
    """By field the number of the lowest part that says the same."""
    said = [name_facts(name) for name in names]
    lowest_first = range(len(names) - 1, -1, -1)
    found = {
        field: next((at for at in lowest_first if said[at].get(field) == value), None)
        for field, value in facts.items()
    }
    return {field: at for field, at in found.items() if at is not None}


def _others(above: Sequence[str], speaking_ones: Sequence[str]) -> Iterator[str]:
    """The folders without those that speak, which stand nearest to the file."""
    left = list(speaking_ones)
    others: list[str] = []
    for folder in reversed(above):
        if left and left[-1] == folder:
            left.pop()
        else:
            others.append(folder)
    yield from reversed(others)


def _taken(text: str, name: ReleaseName) -> Pieces:
    """The pieces of one part; what a lone name would have as its title may be none here."""
    taken = pieces(text)
    if name.title:
        return taken
    return replace(taken, parts=tuple(_untitled(taken.parts, name)))


def _untitled(parts: Sequence[NamePart], name: ReleaseName) -> Iterator[NamePart]:
    """The title is that of an episode, or a number, or says nothing."""
    for part in parts:
        if part.kind is not PartKind.TITLE:
            yield part
        elif name.episode_title:
            said = f"episode title {name.episode_title}"
            yield replace(part, says=(said,), found_by=_BY_ITS_PLACE)
        elif said := _number(name):
            yield replace(part, kind=PartKind.NUMBERS, says=(said,), found_by=_BY_ITS_PLACE)


def _number(name: ReleaseName) -> str:
    if name.episodes:
        return f"episode {name.episodes[0]}"
    return f"season {name.seasons[0]}" if name.seasons else ""
