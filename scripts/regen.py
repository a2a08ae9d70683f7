"""Write every generated file anew: snapshots of what is published, and reference pages."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts import capability_pages
from server.cli.help_pages import help_pages
from server.settings_reference import settings_reference

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Generator:
    """Files that follow from the code.

    Attributes:
        owns: the files that are this generator's alone, as a pattern below the root; what matches
            it and is no longer made, is removed.
        make: the files as they should be, by their path below the root.
    """

    owns: str
    make: Callable[[], Mapping[str, str]]


HELP = "tests/snapshots/help"
HELP_PAGE = "docs/reference/terminal.md"


def _help_snapshots() -> dict[str, str]:
    return {f"{HELP}/{name}.txt": text for name, text in help_pages().items()}


def _help_page() -> dict[str, str]:
    pages = "\n".join(
        f"## {name.replace('-', ' ')}\n\n```\n{text}```\n" for name, text in help_pages().items()
    )
    return {HELP_PAGE: f"# The terminal\n\nWritten by running each command's help.\n\n{pages}"}


GENERATORS = (
    Generator(f"{capability_pages.SNAPSHOTS}/*.json", capability_pages.snapshots),
    Generator(capability_pages.PAGE, capability_pages.page),
    Generator("tests/snapshots/help/*.txt", _help_snapshots),
    Generator(HELP_PAGE, _help_page),
    Generator(
        "docs/reference/settings.md", lambda: {"docs/reference/settings.md": settings_reference()}
    ),
)


def stale(root: Path = ROOT) -> dict[str, str | None]:
    """The files below ``root`` that are not as they should be, with their right text.

    Returns:
        By path below the root; None for a file that should not be there.
    """
    found: dict[str, str | None] = {}
    for generator in GENERATORS:
        wanted = generator.make()
        there = {str(path.relative_to(root)) for path in root.glob(generator.owns)}
        found |= dict.fromkeys(there - set(wanted))
        found |= {name: text for name, text in wanted.items() if _read(root / name) != text}
    return found


def regenerate(root: Path = ROOT) -> list[str]:
    """Write what is stale below ``root``, and touch nothing else; returns the paths."""
    changes = stale(root)
    for name, text in changes.items():
        path = root / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return sorted(changes)


def main() -> int:
    """Print each file that was written or removed."""
    for name in regenerate():
        sys.stdout.write(f"{name}\n")
    return 0


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
