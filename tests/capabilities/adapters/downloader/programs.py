"""Real programs that tests want: there, or a skip that says how to have them."""

import os

import pytest

from world.local_program import ProgramMissingError, installed


def have_installed(program: str, package: str) -> None:
    """Go on where it is installed; skip the test elsewhere, and fail it where CI=true."""
    try:
        installed(program, package)
    except ProgramMissingError as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{missing} scripts/services installs it")
        pytest.skip(f"{missing} See scripts/services test")
