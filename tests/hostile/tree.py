"""Everything below a folder as it stands, to see what changed outside of where it may."""

import hashlib
import stat
from collections.abc import Mapping
from pathlib import Path

Tree = Mapping[str, str]


def tree_of(folder: Path) -> Tree:
    """Every name below it, with what it is: a link's goal, a file's bytes; links not followed."""
    return {str(path.relative_to(folder)): _what(path) for path in folder.rglob("*")}


def changed(before: Tree, after: Tree, *, roots: tuple[str, ...]) -> list[str]:
    """Names that came, went or are another thing now, and lie in none of these folders."""
    names = {
        name
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
        and not any(name == root or name.startswith(f"{root}/") for root in roots)
    }
    return sorted(names)


def _what(path: Path) -> str:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return f"a link to {path.readlink()}"
    if stat.S_ISREG(mode):
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return "a folder" if stat.S_ISDIR(mode) else "something else"
