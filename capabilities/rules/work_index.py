"""Works by what a name could share with them, so that a name is not weighed against all of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.sequels import numbered_key
from capabilities.rules.title_keys import title_words
from capabilities.rules.works import Work

_BEGINNING: Final = 3
"""Signs of a title's key; titles whose spelling differs in blanks only share no word."""
_SHORTEST: Final = 4
"""Letters of a word that is looked for in any place; "the" stands in half of all titles."""


class WorkIndex:
    """Many works, of which those near a name are found quickly."""

    def __init__(self, works: Sequence[Work]) -> None:
        """Index them by titles and ids."""
        self._works = works
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, work in enumerate(works):
            for trait in (*_of_titles(_titles(work)), *_of_ids(work.ids)):
                self._places[trait].add(place)

    def near(self, name: ReleaseName, claimed_ids: Mapping[str, str]) -> list[Work]:
        """Every work that may be plausible for a name, in their order; most that are not, left out.

        What resembles a title only by words of fewer than four letters is left out too.

        Args:
            name: as read.
            claimed_ids: what its indexer says that it is.
        """
        dated = [f"{title} {name.year}" for title in name.titles if name.year is not None]
        ids = {**claimed_ids, **name.external_ids}
        traits = (*_of_titles(name.titles), *map(_beginning, dated), *_of_ids(ids))
        found: set[int] = set()
        for trait in traits:
            found |= self._places.get(trait, set())
        return [self._works[place] for place in sorted(found)]


def _titles(work: Work) -> tuple[str, ...]:
    return (work.title, *(title.text for title in work.titles))


def _of_titles(titles: Sequence[str]) -> Iterator[str]:
    for title in titles:
        yield _beginning(title)
        yield from (f"word:{word}" for word in title_words(title) if len(word) >= _SHORTEST)


def _beginning(title: str) -> str:
    return f"begins:{numbered_key(title)[:_BEGINNING]}"


def _of_ids(ids: Mapping[str, str]) -> Iterator[str]:
    for source, id_ in ids.items():
        plain = id_.strip().lower().removeprefix("tt").lstrip("0")
        yield f"id:{source}:{plain}"
