"""`matinee mcp`, for those who reach it by way of the overview; see `server.cli.entry`."""

import click

from server.cli import bridge
from server.cli.command import Command
from server.cli.given import Terminal, with_terminal


@click.command(cls=Command, example="matinee mcp --home ~/films")
@with_terminal
def command(terminal: Terminal) -> int:
    """Connect an MCP client over standard input and output.

    A client starts this itself. MATINEE_KEY names the client's key; without it the client is this
    computer's own key. Standard output belongs to the protocol alone.
    """
    return bridge.main(["--home", str(terminal.home.root)])
