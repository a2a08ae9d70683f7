"""The `Retry-After` header (RFC 9110, section 10.2.3)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LONGEST_S = 86_400.0


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, from the number or the date that a server named.

    Never negative, never more than a day; None when the header is absent or unreadable.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), _LONGEST_S)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max((moment - now).total_seconds(), 0.0), _LONGEST_S)
