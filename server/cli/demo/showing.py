"""What the demo says while it plays: a sentence a step, and a bar while bytes arrive."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from server.cli.printing import Speech


class Screen:
    """Standard error for people; nothing at all when a document was asked for."""

    def __init__(self, speech: Speech) -> None:
        """Speak as the command was told to."""
        self._speech = speech
        self._console = Console(
            stderr=True, no_color=speech.no_colour, highlight=False, quiet=speech.json
        )

    def step(self, sentence: str) -> None:
        """One step of the story."""
        self._say(f"  • {sentence}")

    def heading(self, title: str) -> None:
        """A new part of the story."""
        self._say(f"\n{title}")

    def text(self, text: str) -> None:
        """Something prepared, e.g. the approval card."""
        self._say(text)

    @contextmanager
    def progress(self) -> Generator["Bar"]:
        """A bar for the length of the block."""
        columns = (
            TextColumn("    {task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
        )
        hidden = self._speech.json or self._speech.quiet
        with Progress(*columns, console=self._console, disable=hidden) as progress:
            yield Bar(progress)

    def tree(self, root: Path) -> None:
        """A folder with everything in it."""
        self._say(f"    {root.name}/")
        for path in sorted(root.rglob("*")):
            depth = len(path.relative_to(root).parts)
            mark = "/" if path.is_dir() else f"  ({path.stat().st_size / 1e6:.1f} MB)"
            self._say(f"    {'  ' * depth}{path.name}{mark}")

    def _say(self, text: str) -> None:
        if not self._speech.json and not self._speech.quiet:
            self._console.print(text, markup=False, soft_wrap=True)


class Bar:
    """One download's progress."""

    def __init__(self, progress: Progress) -> None:
        """Draw on ``progress``; nothing is shown before the first reading."""
        self._progress = progress
        self._task = None

    def show(self, title: str, done: float, total: float) -> None:
        """A reading in bytes."""
        if self._task is None:
            self._task = self._progress.add_task(title, total=total)
        self._progress.update(self._task, completed=done, total=total)
