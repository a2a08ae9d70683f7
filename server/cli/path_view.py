"""A path and what it is read as, for a terminal: each folder with what it says and gave."""

from collections.abc import Iterator, Sequence
from typing import Any

from capabilities.rules.path_parts import PathPart, PathParts
from server.cli import name_view
from server.cli.harmless import harmless

INDENT = "  "


def shown(path: str, told: PathParts, *, why: bool, colour: bool) -> Iterator[str]:
    """The path, its folders and its file with their parts, and what they say only together.

    Args:
        path: as it is read.
        told: the path, taken to pieces.
        why: whether the pass that found each part is named.
        colour: whether parts are in the colour of what they say.
    """
    yield harmless(path)
    for part in filter(lambda part: part.text, told.parts):
        yield f"{harmless(part.text)}: {_gave(part)}"
        for line in name_view.parts(part.taken, why=why, colour=colour).splitlines():
            yield f"{INDENT}{line}"
    if told.together:
        yield f"Known from all of it together: {_fields(told.together)}"
    if told.left_aside:
        yield f"Left aside: {', '.join(map(harmless, told.left_aside))}"


def document(told: PathParts) -> list[dict[str, Any]]:
    """The folders and the file for a program, from the top."""
    return [
        {
            "text": part.text,
            "gave": list(part.gave),
            "parts": name_view.part_documents(part.taken),
        }
        for part in told.parts
    ]


def _gave(part: PathPart) -> str:
    return f"gives {_fields(part.gave)}" if part.gave else "gives nothing more"


def _fields(names: Sequence[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)
