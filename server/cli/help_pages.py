"""Every page of help, as it is printed; for the reference pages and their snapshots."""

from collections.abc import Iterator

import click

from server.cli.program import NAME, WIDTH, program


def help_pages() -> dict[str, str]:
    """The pages by what is typed before ``--help``, with hyphens for spaces: ``matinee-ask``."""
    return dict(_pages(program, click.Context(program, info_name=NAME, terminal_width=WIDTH)))


def _pages(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
    yield ctx.command_path.replace(" ", "-"), f"{command.get_help(ctx)}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            if below is not None:
                inner = click.Context(below, ctx, info_name=name, terminal_width=WIDTH)
                yield from _pages(below, inner)
