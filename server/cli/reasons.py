"""Words that are kept with an act: not empty, and no longer than the server takes."""

from collections.abc import Callable
from typing import Any

import click

LONGEST = 500

Typed = Callable[..., Any]


class Reason(click.ParamType[str]):
    """A reason; what the server would refuse is wrong usage here, before anybody signs in."""

    name = "reason"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The words as they were typed."""
        if not value.strip():
            self.fail("Say why in a few words.", param, ctx)
        if len(value) > LONGEST:
            self.fail(f"At most {LONGEST} characters.", param, ctx)
        return value


def reason_option(why: str) -> Callable[[Typed], Typed]:
    """The option `--reason` of a command that needs one."""
    return click.option("--reason", metavar="WORDS", type=Reason(), required=True, help=why)
