"""`matinee mcp`: a byte pipe between an MCP client's standard streams and the home's server.

Standard library only, so that a client is answered in milliseconds. Nothing but what the server
sent is ever written to standard output.
"""

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from server.cli.carrying import Carrier
from server.cli.home import resolved
from server.cli.reaching import NoServerError, connection

USAGE = "usage: matinee mcp [--home FOLDER]"
KEY_VARIABLE = "MATINEE_KEY"


def main(arguments: Sequence[str]) -> int:
    """Run the bridge until the client or the server leaves; ``arguments`` follow ``mcp``.

    Returns:
        The exit status: 0 when the client left or a signal ended it, 1 when there is no server
        (any more), 2 for wrong arguments. The reason is on standard error.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    home = resolved(_home_option(arguments), os.environ)
    try:
        with connection(home, os.environ.get(KEY_VARIABLE)) as server:
            client_left = Carrier(server, source=0, sink=1).run()
    except NoServerError as fault:
        from server.cli.hints import Hints  # what costs milliseconds and only a fault needs

        sys.stderr.write(f"{Hints.of(home, os.environ).told(str(fault))}\n")
        return 1
    if not client_left:
        sys.stderr.write("Matinee's server ended; let the client connect again.\n")
    return 0 if client_left else 1


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _home_option(arguments: Sequence[str]) -> str | None:
    match list(arguments):
        case []:
            return None
        case ["--home", folder]:
            return folder
        case [option] if option.startswith("--home="):
            return option.removeprefix("--home=")
        case _:
            sys.stderr.write(f"{USAGE}\n")
            raise SystemExit(2)
