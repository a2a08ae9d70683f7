"""What some proofs need and a machine may lack; where CI is set, lacking it is a failure."""

import os
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
BESIDE = ROOT.parent / "shared"
"""Lies beside the repository on some machines, and is no part of it."""


def missing(reason: str) -> NoReturn:
    """Skip and say why; under CI that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason=reason)


def beside(path: Path) -> Path:
    """A file or folder of what lies beside the repository, which may lack it as a whole.

    Where the folder is there and this is not in it, something is wrong: see `missing`.
    """
    if not BESIDE.is_dir():
        pytest.skip(reason=f"{BESIDE.name}/ is not beside the repository, nor is {path.name} in it")
    if not path.exists():
        missing(f"{path.relative_to(BESIDE)} is not in {BESIDE.name}/ beside the repository")
    return path
