"""Everything that can be typed but the bridge: the overview, and how every command ends."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import click

from server.cli.exits import MEANINGS, EndError, Exit
from server.cli.given import options, terminal
from server.cli.menu import EXAMPLE, MENU, entry
from server.protocol.handshake import VERSION

NAME = "matinee"
WIDTH = 80
NAMES = 12


class Program(click.Group):
    """The commands, found by name and imported when one is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the overview."""
        del ctx
        return [each.name for group in MENU.values() for each in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name."""
        del ctx
        found = entry(cmd_name)
        return None if found is None else found.load()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview by groups, without importing a single command."""
        del ctx
        for title, group in MENU.items():
            with formatter.section(title):
                formatter.write_dl([(each.name.ljust(NAMES), each.summary) for each in group])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Something to begin with, and what a script may go by."""
        del ctx
        formatter.write_paragraph()
        formatter.write_text(f"Example: {EXAMPLE}")
        formatter.write_paragraph()
        meanings = ", ".join(f"{int(status)} {words}" for status, words in MEANINGS.items())
        formatter.write_text(f"Exit status: {meanings}")


@click.group(
    NAME,
    cls=Program,
    help="Run a home film and television library. Without a command: start the server.",
    params=options(hidden=False),
    invoke_without_command=True,
    options_metavar="[OPTIONS]",
    subcommand_metavar="[COMMAND]",
    context_settings={"max_content_width": WIDTH},
)
@click.version_option(VERSION, prog_name=NAME, message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> Exit | None:
    """Start the server where no command is given."""
    if ctx.invoked_subcommand is not None:
        return None
    from server.cli.starting import start  # httpx2, which help does not need

    return start(terminal(ctx))


def run_program(arguments: Sequence[str]) -> int:
    """Run a command line; returns its exit status, see `server.cli.exits.Exit`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name it cannot write ends nothing
    try:
        status = _ended(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has gone; what is still buffered must not fail again at the very end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.FAILED
    return status


def _ended(arguments: Sequence[str]) -> int:
    ctx: click.Context | None = None
    try:
        with program.make_context(NAME, list(arguments)) as ctx:
            return program.invoke(ctx) or Exit.DONE
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as wrong:
        wrong.show()
        if told := _behind_dashes(wrong):
            click.echo(told, err=True)
        return wrong.exit_code
    except EndError as end:
        return _told(end, ctx)
    except (KeyboardInterrupt, click.Abort):
        click.echo(err=True)
        return Exit.INTERRUPTED


def _behind_dashes(wrong: click.ClickException) -> str | None:
    """What helps where a name that begins with a dash was taken for an option."""
    if not isinstance(wrong, click.NoSuchOption) or wrong.ctx is None:
        return None
    if not any(isinstance(each, click.Argument) for each in wrong.ctx.command.params):
        return None
    return f"If it is meant as a name, put -- in front of it: {wrong.ctx.command_path} -- -…"


def _told(end: EndError, ctx: click.Context | None) -> Exit:
    if ctx is not None:
        speech = terminal(ctx).speech
        speech.error("\n".join(part for part in (end.sentence, end.hint) if part))
        speech.document(end.document)
    return end.status
