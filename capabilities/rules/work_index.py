"""Works by what a name could share with them, so that a name is not weighed against all of them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.sequels import numbered_key, numeral_at_end, without_first_part
from capabilities.rules.title_keys import share_enough, title_words
from capabilities.rules.weighing import plain_id
from capabilities.rules.works import Work


class WorkIndex:
    """Many works, of which those near a name are found quickly."""

    def __init__(self, works: Sequence[Work]) -> None:
        """Index them, each of which is there once, by titles and ids."""
        self._works = works
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        self._lengths: list[tuple[int, int]] = []
        """Of every title: the place of its work, and how many words it has."""
        self._bearing: defaultdict[str, list[int]] = defaultdict(list)
        """The titles that have a word."""
        for place, work in enumerate(works):
            for trait in (*map(_key, _titles(work)), *_of_ids(work.ids)):
                self._places[trait].add(place)
            for words in {title_words(title) for title in _titles(work)}:
                for word in words:
                    self._bearing[word].append(len(self._lengths))
                self._lengths.append((place, len(words)))

    def near(self, name: ReleaseName, claimed_ids: Mapping[str, str]) -> list[Work]:
        """Every work for which anything in `weighing` speaks, in their order; few that lack that.

        Args:
            name: as read.
            claimed_ids: what its indexer says that it is.
        """
        ids = {**claimed_ids, **name.external_ids}
        found: set[int] = set()
        for trait in (*map(_key, _spellings(name)), *_of_ids(ids)):
            found |= self._places.get(trait, set())
        for title in name.titles:
            found |= self._similar(title)
        return [self._works[place] for place in sorted(found)]

    def _similar(self, title: str) -> set[int]:
        """The places of works that have a title of mostly the same words."""
        words = title_words(title)
        common = Counter(one for word in words for one in self._bearing.get(word, ()))
        return {
            place
            for one, shared in common.items()
            for place, length in (self._lengths[one],)
            if share_enough(shared, len(words), length)
        }


def _titles(work: Work) -> tuple[str, ...]:
    return (work.title, *(title.text for title in work.titles))


def _spellings(name: ReleaseName) -> Iterator[str]:
    """What may be a work's very title: with the year in it, without its part or its season."""
    for title in name.titles:
        yield title
        if name.year is not None:
            yield f"{title} {name.year}"
        if (first := without_first_part(title)) is not None:
            yield first
        if (counted := numeral_at_end(title)) is not None:
            yield counted[0]


def _key(title: str) -> str:
    return f"title:{numbered_key(title)}"


def _of_ids(ids: Mapping[str, str]) -> Iterator[str]:
    for source, id_ in ids.items():
        yield f"id:{source}:{plain_id(source, id_)}"
