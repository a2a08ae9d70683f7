"""Numbers, lists and other people's words, put for a person."""

from collections.abc import Sequence
from datetime import timedelta

from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted

MOST_LISTED = 3
LONGEST_QUOTE = 160
_GB = 10**9


def gigabytes(size: int) -> float:
    """Bytes in GB (10⁹), to one decimal; to three below a tenth."""
    value = size / _GB
    return round(value, 1) if value >= 0.1 else round(value, 3)  # noqa: PLR2004


def span(length: timedelta) -> str:
    """A length of time in its two largest fitting units at most."""
    seconds = int(length.total_seconds())
    if seconds < 60:  # noqa: PLR2004
        return "less than a minute"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if hours < 1:
        return counted(minutes, "minute")
    if days < 1:
        return f"{counted(hours, 'hour')} {counted(minutes % 60, 'minute')}"
    return f"{counted(days, 'day')} {counted(hours % 24, 'hour')}"


def listed(titles: Sequence[str]) -> str:
    """At most three titles by name, the rest by number."""
    shown = [one_line(title) for title in titles[:MOST_LISTED]]
    more = len(titles) - len(shown)
    if more:
        shown.append(f"{more} more")
    if len(shown) == 1:
        return shown[0]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def one_line(words: str) -> str:
    """Words of others on one line, without hidden signs, cut where they get long."""
    return cleaned(words, LONGEST_QUOTE)
