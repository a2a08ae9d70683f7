"""Which states of a download mean that it is under way."""

from typing import Final

ACTIVE: Final = (
    "submitted",
    "queued",
    "metadata",
    "downloading",
    "stalled",
    "paused_by_us",
    "paused_by_owner",
    "checking",
    "missing_files",
    "completed",
    "seeding",
    "importing",
)
"""States of a download that goes on by itself until it stands on the shelf."""
