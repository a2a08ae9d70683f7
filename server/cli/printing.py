"""Speaking to whoever typed the command: data on standard output, words on standard error."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

import click

from server.cli.hints import USUAL, Hints
from server.cli.json_text import json_text


def in_colour(environment: Mapping[str, str], *, at_terminal: bool, refused: bool = False) -> bool:
    """Whether to write in colour.

    ``--no-color`` first, then ``NO_COLOR`` (no-color.org: set and not empty), ``FORCE_COLOR``,
    ``TERM=dumb``, and last whether it is a terminal at all.
    """
    if refused or environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return environment.get("TERM") != "dumb" and at_terminal


def document_text(document: object) -> str:
    """JSON in which no name can steer the terminal it is printed on."""
    return json_text(document, indent=2)


@dataclass(frozen=True, slots=True)
class Speech:
    """How a command speaks.

    Attributes:
        json: one document on standard output instead of text.
        quiet: no words but errors.
        verbosity: how often ``-v`` was given.
        no_colour: colour was refused by an option.
        hints: how words, errors and `hinted` name commands.
    """

    json: bool = False
    quiet: bool = False
    verbosity: int = 0
    no_colour: bool = False
    hints: Hints = USUAL

    def data(self, text: str) -> None:
        """What was asked for, as text; left out where a document is wanted."""
        if not self.json:
            click.echo(text, color=self.colour(sys.stdout))

    def document(self, document: object) -> None:
        """What was asked for, as one JSON document; left out where text is wanted."""
        if self.json:
            click.echo(document_text(document))

    def words(self, text: str) -> None:
        """What a person should know besides."""
        if not self.quiet:
            self.error(text)

    def detail(self, text: str) -> None:
        """What only ``-v`` shows."""
        if self.verbosity:
            self.words(text)

    def error(self, text: str) -> None:
        """What is said however quiet the command should be."""
        click.echo(self.hinted(text), err=True, color=self.colour(sys.stderr))

    def hinted(self, text: str) -> str:
        """A sentence of ours for a place where it is not said as words."""
        return self.hints.told(text)

    def colour(self, stream: TextIO) -> bool:
        """Whether ``stream`` is written to in colour."""
        return in_colour(os.environ, at_terminal=stream.isatty(), refused=self.no_colour)

    @property
    def colour_for_person(self) -> bool:
        """Whether what is said at the controlling terminal is coloured."""
        return in_colour(os.environ, at_terminal=True, refused=self.no_colour)

    @property
    def live(self) -> bool:
        """Whether lines may be drawn again: standard error is a terminal that can, and wanted."""
        return sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not self.quiet
