"""`matinee demo`."""

import click

from server.cli.command import Command
from server.cli.demo.clients import CLIENTS
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal


@click.command(
    cls=Command,
    example="matinee demo --json",
    document='{"status": "succeeded"|"failed", "goal", "steps", "approval", "invocations", '
    '"record": [{"source", "target", "inode_equal", "source_sha256", "target_sha256", "size"}], '
    '"report", "addresses", "duration_s"}',
)
@click.option("--ask", is_flag=True, help="Wait for you to approve, with the passphrase shown.")
@click.option("--keep", is_flag=True, help="Leave everything running, and say where.")
@click.option(
    "--downloader",
    type=click.Choice(CLIENTS),
    default=CLIENTS[0],
    show_default=True,
    help="Who downloads; another than the embedded client has to be installed.",
)
@with_terminal
def command(terminal: Terminal, *, ask: bool, keep: bool, downloader: str) -> None:
    """Watch the main job done on real input, in a world of its own.

    A temporary home, an indexer, a seeder, a metadata source and a scripted model on loopback.
    The film is downloaded and placed for real; nothing leaves this machine.
    """
    import anyio  # everything below takes most of a second to import, and help needs none of it

    from server.cli.demo.faults import DemoFailedError
    from server.cli.demo.playing import Options
    from server.cli.demo.running import run_demo

    try:
        anyio.run(run_demo, terminal.speech, Options(ask, keep, downloader))
    except DemoFailedError as short:
        details = {"status": "failed"}
        raise EndError(Exit.FAILED, f"The demo fell short: {short}", details=details) from short
