"""Every work that a title may mean, with all its titles: what grading an identity rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.adapters.metadata.catalogue import Answers, Catalogue, bears
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.merged_works import merged_works
from capabilities.rules.weighing import YEAR_TOLERANCE
from capabilities.rules.works import Work, WorkKind

MOST: Final = 8
"""Works of one search, besides those of just its title."""
READ: Final = 20
"""Rows of one source that are read for one search."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The works that a name may mean.

    Attributes:
        works: each once, in full.
        crowded: whether there may be more of one of the titles, and of the name's year where it
            says one; none of them is known to be the only one then.
    """

    works: list[Work]
    crowded: bool = False


async def candidates_for(
    catalogue: Catalogue,
    titles: Sequence[str],
    kind: WorkKind | None,
    known: Sequence[Work] = (),
    *,
    year: int | None = None,
) -> Candidates:
    """The known works and those a search for any of the titles finds.

    That a work is the only one of its title is only known when a source that knows its kind in
    general has answered. Other sources may be silent. Such a source is asked for the works around
    the year too, which a list of all years may be too short for.

    Args:
        catalogue: is asked.
        titles: as the name says them.
        kind: None looks for both.
        known: works that are among those it may mean.
        year: that the name says.

    Raises:
        WorldFaultError: such a source is not set up or did not answer; nothing is concluded then.
    """
    if not any(title.strip() for title in titles):
        return Candidates(merged_works(known))  # there is nothing to be asked
    leading = _leading(catalogue, kind)
    found, crowded = list(known), False
    for title in dict.fromkeys(title for title in titles if title.strip()):
        dated = await _dated(catalogue, title, kind, year, leading)
        answers = await catalogue.search(title, kind=kind, limit=READ)
        for silent in answers.silent:
            if silent.name in leading:
                raise silent.fault
        # The dated ones come first: they are told in full, and the long list not to its end.
        found += [work for each in (*dated, answers) for work in _nearest(each, title)]
        crowded = crowded or any(each.crowded for each in dated or (answers,))
    return Candidates(merged_works(found), crowded)


async def _dated(
    catalogue: Catalogue, title: str, kind: WorkKind | None, year: int | None, leading: set[str]
) -> list[Answers]:
    """What the leading sources have of the year and of those around it, that year first."""
    if year is None:
        return []
    answers: list[Answers] = []
    for near in sorted(_around(year), key=lambda each: abs(each - year)):
        told = await catalogue.search(title, kind=kind, year=near, limit=READ, among=leading)
        # A source that has none of the year tells of any.
        own = any(work.year == near for work in told.works)
        answers.append(told if own else Answers(()))
    return answers


def _around(year: int) -> range:
    return range(year - YEAR_TOLERANCE, year + YEAR_TOLERANCE + 1)


def _nearest(answers: Answers, title: str) -> list[Work]:
    rest = [work for work in answers.works[MOST:] if bears(work, title)]
    return [*answers.works[:MOST], *rest]


def _leading(catalogue: Catalogue, kind: WorkKind | None) -> set[str]:
    names: set[str] = set()
    for each in WorkKind if kind is None else (kind,):
        leading = catalogue.leading(each)
        if leading is None:
            raise DeclinedError(
                "the metadata sources",
                f"those that are set up do not know every {each}, so which one this is stays open. "
                "Films need TMDB: set metadata.tmdb.key.",
            )
        names.add(leading)
    return names
