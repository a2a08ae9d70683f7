"""Moments that rows of tests bear."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def later(seconds: float) -> datetime:
    """A moment ``seconds`` after the start."""
    return START + timedelta(seconds=seconds)
