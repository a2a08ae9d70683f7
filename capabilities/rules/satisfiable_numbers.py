"""Whether the numbers of a policy are within what can be counted with."""

from collections.abc import Iterator
from typing import Final

from capabilities.rules.problems import Problem

MOST_SEEDERS: Final = 100_000
MOST_DELAY_MINUTES: Final = 60 * 24 * 365
MOST_AGE_DAYS: Final = 36_500
MOST_SCORE: Final = 1_000_000
"""Of one format, and of every bound on scores; on either side of 0."""
MOST_PER_MINUTE: Final = 100_000_000_000
"""Bytes; a hundred times what a cinema's copy has."""
MOST_DOWNLOADS_PER_DAY: Final = 10_000
MOST_GIGABYTES_PER_DAY: Final = 1_000_000


def number_problems(
    least_seeders: int, delay_minutes: int, most_age_days: int | None, least_gain: int
) -> Iterator[Problem]:
    """Counts that are not negative, and a delay that ends before the age limit."""
    yield from within("least_seeders", least_seeders, 0, MOST_SEEDERS)
    yield from within("delay_minutes", delay_minutes, 0, MOST_DELAY_MINUTES)
    yield from within("most_age_days", most_age_days, 0, MOST_AGE_DAYS)
    if least_gain < 1:
        yield Problem("least_gain", "every release would gain enough", "write 1 or more")
    yield from within("least_gain", max(1, least_gain), 1, MOST_SCORE)
    if most_age_days is not None and 0 <= most_age_days * 24 * 60 <= delay_minutes:
        why = "releases would be too old before the delay ends"
        yield Problem("delay_minutes", why, "shorten the delay, or raise most_age_days")


def score_problems(**scores: int | None) -> Iterator[Problem]:
    """Bounds on scores, by field; a score that is not given is none."""
    for field, score in scores.items():
        yield from within(field, score, -MOST_SCORE, MOST_SCORE)


def factor_problems(
    most_download_factor: float | None, *, free_leech_only: bool
) -> Iterator[Problem]:
    """A share of the download that can be counted."""
    if most_download_factor is not None and not 0 <= most_download_factor <= 1:
        why = "it is the share of a download that is counted"
        yield Problem("most_download_factor", why, "write a number from 0 (free) to 1")
    if free_leech_only and most_download_factor:
        why = "only free-leech is taken, so this says nothing"
        yield Problem("most_download_factor", why, "leave out one of the two")


def a_day_problems(
    downloads_per_day: int | None, gigabytes_per_day: int | None, *, acquire: bool
) -> Iterator[Problem]:
    """Limits of a day, of which something is left, for an owner who downloads by rule."""
    limits = (
        ("downloads_per_day", downloads_per_day, MOST_DOWNLOADS_PER_DAY),
        ("gigabytes_per_day", gigabytes_per_day, MOST_GIGABYTES_PER_DAY),
    )
    for field, limit, most in limits:
        if limit is None:
            continue
        if limit < 1:
            yield Problem(field, "nothing would be downloaded", "write 1 or more")
        if limit > most:
            cure = f"write {most} or less, or leave it out for no limit"
            yield Problem(field, f"{_told(limit)} is more than {most}, the most", cure)
        if not acquire:
            yield Problem(field, "nothing is downloaded by itself", "set acquire as well")


def within(field: str, number: int | None, least: int, most: int) -> Iterator[Problem]:
    """A number between its bounds; one that is not given is."""
    if number is None:
        return
    if number < least:
        if least == 0:
            yield Problem(field, "it must not be negative", "write 0 or more")
        else:
            why = f"{_told(number)} is less than {least}, the least"
            yield Problem(field, why, f"write {least} or more")
    elif number > most:
        yield Problem(
            field, f"{_told(number)} is more than {most}, the most", f"write {most} or less"
        )


def _told(number: int) -> str:
    """The number itself, unless it has more digits than anybody reads."""
    return str(number) if abs(number) < 10**15 else "it"
