"""The options that every command takes, before its name or after it."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import click

from server.cli.hints import Hints
from server.cli.home import Home, resolved
from server.cli.printing import Speech

P = ParamSpec("P")
R = TypeVar("R")

_META = "matinee.given"


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command works and how it speaks."""

    home: Home
    speech: Speech


def options(*, hidden: bool) -> list[click.Option]:
    """The shared options; a command takes them silently, the overview shows them."""
    return [
        _option("--home", metavar="FOLDER", help="The home folder.", hidden=hidden),
        _option("--json", is_flag=True, help="One JSON document as output.", hidden=hidden),
        _option("--quiet", "-q", is_flag=True, help="No words but errors.", hidden=hidden),
        _option("--verbose", "-v", count=True, help="More words.", hidden=hidden),
        _option("--no-color", is_flag=True, help="No colour.", hidden=hidden),
    ]


def _option(*names: str, hidden: bool, **rest: object) -> click.Option:
    return click.Option(
        names,
        expose_value=False,
        is_eager=True,
        callback=_remember,
        hidden=hidden,
        **rest,  # pyright: ignore[reportArgumentType]  # click's own keywords, each of its type
    )


def _remember(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    if value:
        ctx.meta.setdefault(_META, {})[parameter.name] = value


def terminal(ctx: click.Context) -> Terminal:
    """What was given, wherever it was given."""
    given = ctx.meta.get(_META, {})
    home = resolved(given.get("home"), os.environ)
    speech = Speech(
        json=given.get("json", False),
        quiet=given.get("quiet", False),
        verbosity=given.get("verbose", 0),
        no_colour=given.get("no_color", False),
        hints=Hints.of(home, os.environ),
    )
    return Terminal(home, speech)


def with_terminal(command: Callable[Concatenate[Terminal, P], R]) -> Callable[P, R]:
    """Hand a command its `Terminal` first."""

    @wraps(command)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        import structlog  # which help does not need

        # By itself it logs to standard output, where documents go.
        structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
        return command(terminal(click.get_current_context()), *args, **kwargs)

    return called
