"""The console script ``matinee``.

Standard library only up to the point where it is known that `matinee mcp` was not meant: a client
that starts the bridge waits for every import made here.
"""

import sys
from collections.abc import Sequence

HOME_OPTION = "--home"


def main() -> None:
    """Run what was typed and leave with its exit status; see `server.cli.exits`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run ``arguments`` as if they had been typed after ``matinee``; returns the exit status."""
    for_bridge = _for_bridge(list(arguments))
    if for_bridge is not None:
        from server.cli import bridge  # only the bridge needs it

        return bridge.main(for_bridge)
    from server.cli.program import run_program  # click, and all that is not the bridge

    return run_program(arguments)


def _for_bridge(arguments: list[str]) -> list[str] | None:
    """What the bridge is given; None when another command is meant, or help about the bridge."""
    if "--help" in arguments:
        return None
    match arguments:
        case ["mcp", *rest]:
            return rest
        case ["--home", folder, "mcp", *rest]:
            return [HOME_OPTION, folder, *rest]
        case [option, "mcp", *rest] if option.startswith(f"{HOME_OPTION}="):
            return [option, *rest]
        case _:
            return None
