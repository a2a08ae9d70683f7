"""One work from what several sources say of it; what they contradict one another in is named."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from capabilities.rules.sound_works import bounded
from capabilities.rules.split_seasons import split_seasons_left_out
from capabilities.rules.twin_works import twin_of
from capabilities.rules.wording import counted
from capabilities.rules.works import (
    Disagreement,
    Fact,
    Season,
    Title,
    TitleKind,
    Work,
    WorkKey,
)


def merged_works(works: Sequence[Work]) -> list[Work]:
    """The works, each once, in the order in which they come.

    Entries of different sources are one work when they have the kind and a number in common;
    two entries of one source are two.
    Where no source numbers both, they are one by `twin_of`; the numbers that a work gains so are
    no proof, and it names them. The first entry is kept, with its key; the other adds titles,
    numbers and what the first lacks. Entries that are one later season of a series are left out
    where another source has the whole.
    """
    merged: list[Work] = []
    for work in _first_of_each_key(works):
        known = _known_by_number(work, merged)
        if known is None:
            merged.append(work)
        else:
            merged[known] = _united(merged[known], work)
    return split_seasons_left_out(_merged_by_title(merged))


def _first_of_each_key(works: Sequence[Work]) -> list[Work]:
    first: dict[WorkKey, Work] = {}
    for work in works:
        first.setdefault(work.key, work)
    return list(first.values())


def _known_by_number(work: Work, merged: list[Work]) -> int | None:
    for index, known in enumerate(merged):
        may_be = _same_kind(known, work) and not _are_two_entries(known, work)
        if may_be and _shares_number(known, work):
            return index
    _name_other_kinds(work, merged)
    return None


def _same_kind(first: Work, second: Work) -> bool:
    return first.key.kind is second.key.kind


def _are_two_entries(first: Work, second: Work) -> bool:
    """Whether a source has an entry for each; so they are two works to it."""
    return any(
        number not in {None, key.id}
        for key, number in (
            (second.key, first.ids.get(second.key.source)),
            (first.key, second.ids.get(first.key.source)),
        )
    )


def _shares_number(first: Work, second: Work) -> bool:
    """Whether a number is of both, and neither has it by its title alone."""
    return bool(_sure_ids(first).items() & _sure_ids(second).items())


def _sure_ids(work: Work) -> dict[str, str]:
    return {source: id_ for source, id_ in work.ids.items() if source not in work.ids_by_title}


def _name_other_kinds(work: Work, merged: list[Work]) -> None:
    """IMDb alone numbers films and series together, so a number there cannot be of both kinds."""
    number = work.ids.get("imdb")
    for index, known in enumerate(merged):
        if number is not None and known.ids.get("imdb") == number and not _same_kind(known, work):
            sentence = (
                f"{number} at IMDb is a {known.key.kind} by {known.key.source} "
                f"and a {work.key.kind} by {work.key.source}; they are kept apart"
            )
            told = (*known.disagreements, Disagreement(Fact.KIND, sentence))
            merged[index] = replace(known, disagreements=bounded(told))


def _merged_by_title(works: list[Work]) -> list[Work]:
    kept: list[Work] = []
    for work in works:
        twin = twin_of(work, kept, works)
        if twin is None:
            kept.append(work)
        else:
            kept[twin] = _united(kept[twin], work)
    return kept


def _united(first: Work, second: Work) -> Work:
    told = (*first.disagreements, *_disagreements(first, second), *second.disagreements)
    sure = {**(_sure_ids(second) if _shares_number(first, second) else {}), **_sure_ids(first)}
    ids = {**second.ids, **first.ids, **sure}
    ids.pop(first.key.source)
    return replace(
        first,
        year=second.year if first.year is None else first.year,
        titles=tuple(_titles(first, second)),
        seasons=first.seasons or second.seasons,
        external_ids=ids,
        ids_by_title=tuple(sorted(ids.keys() - sure.keys())),
        runtime_minutes=first.runtime_minutes or second.runtime_minutes,
        overview=first.overview or second.overview,
        collection=first.collection or second.collection,
        disagreements=bounded(told),
    )


def _titles(first: Work, second: Work) -> Iterator[Title]:
    yield from first.titles
    said = {title.text for title in first.titles} | {first.title}
    for title in second.titles:
        if title.text not in said:
            main = title.kind is TitleKind.MAIN
            yield replace(title, kind=TitleKind.TRANSLATION) if main else title
            said.add(title.text)


def _disagreements(first: Work, second: Work) -> Iterator[Disagreement]:
    kept, other = first.key.source, second.key.source
    if first.year is not None and second.year is not None and first.year != second.year:
        yield Disagreement(
            Fact.YEAR, f"{kept} says {first.year}, {other} says {second.year}; {kept} counts"
        )
    for source, number in first.ids.items():
        against = second.ids.get(source, number)
        if against != number:
            yield Disagreement(
                Fact.EXTERNAL_ID,
                f"{kept} says {source} {number}, {other} says {against}; {kept} counts",
            )
    if first.seasons and second.seasons:
        yield from _season_disagreements(first, second)


def _season_disagreements(first: Work, second: Work) -> Iterator[Disagreement]:
    kept, other = first.key.source, second.key.source
    ours, theirs = _regular(first), _regular(second)
    if ours.keys() != theirs.keys():
        yield Disagreement(
            Fact.SEASONS,
            f"{kept} counts {counted(len(ours), 'season')}, {other} {len(theirs)}; "
            f"{kept} counts here",
        )
    for number in sorted(ours.keys() & theirs.keys()):
        mine, their = ours[number].episode_count, theirs[number].episode_count
        if mine and their and mine != their:
            said = counted(mine, "episode")
            sentence = f"season {number} has {said} by {kept} and {their} by {other}"
            yield Disagreement(Fact.EPISODES, f"{sentence}; {kept} counts")


def _regular(work: Work) -> dict[int, Season]:
    return {season.number: season for season in work.seasons if season.number > 0}
