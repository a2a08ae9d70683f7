"""A clock that tests set."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(slots=True)
class Watch:
    """Tells the moment it was set to; setting ``at`` alone is a jump of the wall clock."""

    at: datetime = datetime(2026, 5, 1, 8, tzinfo=UTC)
    ticks: float = 0.0

    def now(self) -> datetime:
        """The moment."""
        return self.at

    def monotonic(self) -> float:
        """Seconds that went by."""
        return self.ticks

    def advance(self, **span: float) -> None:
        """Let a `timedelta` go by."""
        self.at += timedelta(**span)
        self.ticks += timedelta(**span).total_seconds()
