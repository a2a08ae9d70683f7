"""A command as it is typed: its help always has an example, its document is always described."""

from typing import Any

import click

from server.cli.given import options


class Command(click.Command):
    """A command with an example, and the shape of what ``--json`` prints.

    Args:
        example: one line that works as it stands.
        document: the JSON document, as a sketch; None for a command that prints none.
    """

    def __init__(self, *args: Any, example: str, document: str | None = None, **rest: Any) -> None:
        """Take what click takes, and the two parts of our own."""
        super().__init__(*args, **rest)
        self.example = example
        self.document = document
        self.params.extend(options(hidden=True))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example, and what is printed for programs."""
        del ctx
        with formatter.section("Example"):
            formatter.write_text(f"\b\n{self.example}")
        if self.document is not None:
            with formatter.section("With --json"):
                formatter.write_text(self.document)
