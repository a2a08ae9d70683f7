"""When a failed request is sent again, and how long to wait before it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently one request is tried.

    Attributes:
        tries: attempts in all, the first included.
        first_pause_s: the pause after the first failure; it doubles after each further one.
        longest_pause_s: no pause is longer. A provider that asks for more is not asked again
            here: the caller learns the wished pause and decides.
    """

    tries: int = 4
    first_pause_s: float = 1.0
    longest_pause_s: float = 60.0

    def pause_after(self, failures: int, asked_s: float | None) -> float | None:
        """Seconds to wait after so many failures, or None when it is time to give up."""
        if failures >= self.tries:
            return None
        if asked_s is not None:
            return asked_s if asked_s <= self.longest_pause_s else None
        return min(self.first_pause_s * 2.0 ** (failures - 1), self.longest_pause_s)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The pause that a response asks for, in seconds, or None where it names none.

    Reads `Retry-After` in both its forms (RFC 9110, 10.2.3) and the millisecond header that
    several providers add.
    """
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if (seconds := _number(value)) is not None:
        return seconds
    return None if value is None else _seconds_until(value)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return max(number, 0.0) if math.isfinite(number) else None


def _seconds_until(http_date: str) -> float | None:
    try:
        then = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max((then - datetime.now(UTC)).total_seconds(), 0.0)
