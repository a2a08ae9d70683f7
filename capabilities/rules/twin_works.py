"""Whether entries of two sources that share no number are one work: by title, year and more."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.title_keys import title_key
from capabilities.rules.works import TitleKind, Work, WorkKind

RIVAL_YEARS: Final = 1
"""Within which another entry of the same title leaves it open which one is meant."""
RUNTIME_SHARE: Final = 0.15
"""Of the longer running time, by which two sources count one work differently."""


def twin_of(work: Work, kept: Sequence[Work], every: Sequence[Work]) -> int | None:
    """The place among the kept works of the one that an entry is too; None where that is open.

    Both are of one kind and year, share a title that is no alternative one, and agree in one thing
    more: the original title, the running time, or how many seasons there are. No number speaks of
    both, and no other entry of either source is like them.

    Args:
        work: the entry.
        kept: works of other sources.
        every: all entries that were found.
    """
    twins = [index for index, known in enumerate(kept) if _are_twins(known, work)]
    if len(twins) != 1:
        return None
    rivals = [one for each in (work, kept[twins[0]]) for one in every if _is_rival(one, each)]
    return None if rivals else twins[0]


def _are_twins(first: Work, second: Work) -> bool:
    both = first.ids.keys() & second.ids.keys()
    if both:
        same = all(first.ids[source] == second.ids[source] for source in both)
        return same and first.key.kind is second.key.kind  # one was taken for the other before
    if first.year is None or first.year != second.year:
        return False
    return bool(_shared_titles(first, second)) and _agree_besides(first, second)


def _is_rival(one: Work, work: Work) -> bool:
    """Whether the same source has another entry like this one."""
    if one.key == work.key or one.key.source != work.key.source:
        return False
    if one.year is None or work.year is None or abs(one.year - work.year) > RIVAL_YEARS:
        return False
    return bool(_shared_titles(one, work))


def _shared_titles(first: Work, second: Work) -> set[str]:
    return _titles(first) & _titles(second) if first.key.kind is second.key.kind else set()


def _agree_besides(first: Work, second: Work) -> bool:
    """A film's running time decides where both say it; it is what tells a short film."""
    runtime = _same_runtime(first, second)
    if runtime is not None and first.key.kind is WorkKind.FILM:
        return runtime
    return bool(runtime) or _same_original(first, second) or _same_seasons(first, second)


def _same_runtime(first: Work, second: Work) -> bool | None:
    minutes, others = first.runtime_minutes, second.runtime_minutes
    if not minutes or not others:
        return None
    return abs(minutes - others) <= RUNTIME_SHARE * max(minutes, others)


def _same_original(first: Work, second: Work) -> bool:
    """Whether the original titles are one; besides it they share another title."""
    originals = _titles(first, TitleKind.ORIGINAL) & _titles(second, TitleKind.ORIGINAL)
    return bool(originals) and len(_shared_titles(first, second)) > 1


def _same_seasons(first: Work, second: Work) -> bool:
    counts = [sum(season.number > 0 for season in work.seasons) for work in (first, second)]
    return counts[0] == counts[1] > 0


def _titles(work: Work, kind: TitleKind | None = None) -> set[str]:
    if kind is not None:
        return {title_key(title.text) for title in work.titles if title.kind is kind}
    strong = (title.text for title in work.titles if title.kind is not TitleKind.ALTERNATIVE)
    return {title_key(text) for text in (work.title, *strong)}
