"""Where a folder that somebody names lies below one of ours."""

from pathlib import Path


def below(folder: Path, root: Path) -> tuple[str, ...] | None:
    """The parts of a folder below another one, by its name or with links followed; None elsewhere.

    A path that climbs (``..``) is judged by where it leads only.
    """
    for inner, outer in ((folder, root), (folder.resolve(), root.resolve())):
        if inner.is_relative_to(outer) and ".." not in inner.parts:
            return inner.relative_to(outer).parts
    return None
