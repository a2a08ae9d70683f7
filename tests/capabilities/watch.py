"""A clock that tests set."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(slots=True)
class Watch:
    """Tells the moment it was set to."""

    at: datetime = datetime(2026, 5, 1, 8, tzinfo=UTC)

    def now(self) -> datetime:
        """The moment."""
        return self.at

    def advance(self, **span: float) -> None:
        """Go forward by a `timedelta`."""
        self.at += timedelta(**span)
