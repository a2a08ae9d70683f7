from typing import Any

import pytest

from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.problems import UnsatisfiableError


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"upgrade": True}, "upgrade"),
        ({"replace": True}, "replace"),
        ({"downloads_per_day": 3}, "downloads_per_day"),
        ({"acquire": True, "gigabytes_per_day": 0}, "gigabytes_per_day"),
    ],
)
def test_automation_that_can_never_come_into_force_is_refused(
    changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(UnsatisfiableError, match=f"^{field}: "):
        AutomationPolicy(**changes)
