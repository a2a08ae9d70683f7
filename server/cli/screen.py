"""Where a run is seen going on: lines, streamed words, and bars where a terminal can draw them."""

import sys
import time
from collections.abc import Sequence

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Column

from server.cli.downloads import Transfer
from server.cli.harmless import harmless
from server.cli.printing import Speech

LINE_EVERY_S = 10.0
LONGEST_TITLE = 40


class Screen:
    """Standard error, written to in an orderly way; close it before anybody else writes there."""

    def __init__(self, speech: Speech) -> None:
        """Draw nothing yet."""
        self._speech = speech
        self._mid_line = False
        self._heard: tuple[int, int] | None = None
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._next_line_at = 0.0

    def line(self, text: str) -> None:
        """A line of its own."""
        self.close()
        self._speech.words(text)

    def words(self, text: str, reply: int, attempt: int) -> None:
        """More of what the model says; a later attempt at the same reply begins it anew."""
        if self._heard not in {None, (reply, attempt)}:
            self.close()
        self._heard = (reply, attempt)
        self._clear_bars()
        if text and not self._speech.quiet:
            click.echo(harmless(text), nl=False, err=True)
            self._mid_line = not text.endswith("\n")

    def transfers(self, transfers: Sequence[Transfer]) -> None:
        """How the downloads stand: bars, or a line now and then."""
        if self._speech.live:
            self._draw(transfers)
        elif transfers and time.monotonic() >= self._next_line_at:
            self._next_line_at = time.monotonic() + LINE_EVERY_S
            for transfer in transfers:
                self.line(harmless(transfer.line))

    def close(self) -> None:
        """Leave the cursor at the beginning of a line, and no bars."""
        self._clear_bars()
        if self._mid_line:
            self._mid_line = False
            self._speech.words("")

    def _draw(self, transfers: Sequence[Transfer]) -> None:
        if not transfers:
            self._clear_bars()
            return
        if self._bars is None:
            self.close()
            self._bars = _bars(self._speech)
            self._bars.start()
        for transfer in transfers:
            title = harmless(transfer.title)
            if title not in self._tasks:
                self._tasks[title] = self._bars.add_task(title, total=100, said="")
            said = f"{transfer.state}, {transfer.rate:.1f} MB/s"
            self._bars.update(self._tasks[title], completed=transfer.percent, said=said)

    def _clear_bars(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
            self._tasks.clear()


def _bars(speech: Speech) -> Progress:
    console = Console(
        stderr=True, no_color=not speech.colour(sys.stderr), highlight=False, markup=False
    )
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=_title_column()),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[said]}", markup=False),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


def _title_column() -> Column:
    return Column(no_wrap=True, overflow="ellipsis", max_width=LONGEST_TITLE)
