from pathlib import Path

import pytest

from server.cli.doctor.finding import Severity
from server.cli.doctor.role import role
from server.cli.home_role import remember
from server.role import Role
from server.settings import DatabaseSettings, Settings
from tests.server.cli.doctor.patient import prepared

SHARED = Settings(database=DatabaseSettings.model_validate({"url": "postgresql://db/matinee"}))


def test_a_home_that_does_everything_has_nothing_to_say(tmp_path: Path) -> None:
    assert not list(role(prepared(tmp_path), Settings()))


@pytest.mark.parametrize("kept", [Role.API, Role.WORKER])
def test_a_role_needs_a_ledger_that_is_shared(tmp_path: Path, kept: Role) -> None:
    home = prepared(tmp_path)
    remember(home, kept)
    (alone,) = role(home, Settings())
    assert alone.severity is Severity.WARNING
    assert f"had the role {kept}" in alone.sentence
    (shared,) = role(home, SHARED)
    assert shared.severity is Severity.OK
