import click
import pytest
from click.testing import CliRunner

from server.cli.exits import Exit
from server.cli.reasons import LONGEST, reason_option


@click.command()
@reason_option("Why.")
def command(reason: str) -> None:
    click.echo(reason)


def test_a_reason_is_taken_as_it_was_typed() -> None:
    assert CliRunner().invoke(command, ["--reason", " too large "]).output == " too large \n"


@pytest.mark.parametrize("given", [(), ("--reason", " "), ("--reason", "x" * (LONGEST + 1))])
def test_a_reason_that_the_server_would_refuse_is_wrong_usage(given: tuple[str, ...]) -> None:
    assert CliRunner().invoke(command, given).exit_code == Exit.USAGE
