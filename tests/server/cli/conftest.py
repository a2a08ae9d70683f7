"""A home that answers, for the tests of one file."""

from collections.abc import Generator

import pytest

from tests.server.cli.rig import Rig, rigged


@pytest.fixture(scope="module")
def module_rig(tmp_path_factory: pytest.TempPathFactory) -> Generator[Rig]:
    """Opening a ledger takes half a second, so one serves a file."""
    with rigged(tmp_path_factory.mktemp("home")) as rig:
        yield rig


@pytest.fixture
def rig(module_rig: Rig) -> Rig:
    """The home of this file, with an empty plot."""
    plot = module_rig.plot
    plot.events, plot.columns, plot.options, plot.sightings = [], {}, [], []
    return module_rig
