"""Why Matinee holds a download back in its client, as the download's facts keep it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

HELD: Final = "held"
"""The name under which the reason is among the facts of a download."""


class Hold(StrEnum):
    """A reason of ours; what the owner paused has none, and is not let go by us.

    ``SPACE`` ends by itself when there is room again. The others end by the owner's word.
    """

    SPACE = "space"
    DANGER = "danger"
    GIVEN_UP = "given_up"


KEPT_BACK: Final = frozenset({Hold.DANGER, Hold.GIVEN_UP})
"""Reasons for which nothing is expected of a download any more."""


def hold_of(facts: Mapping[str, Any]) -> Hold | None:
    """The reason, or None where nothing is held back by us."""
    kept = facts.get(HELD)
    return None if kept is None else Hold(kept)
