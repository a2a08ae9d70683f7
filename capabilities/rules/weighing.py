"""One work against one name: what agrees and what contradicts, before any grade is given."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Clue, Contradiction, Evidence
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.sequels import as_season, numbered_key, strong_keys, without_first_part
from capabilities.rules.structure import structure_conflicts
from capabilities.rules.title_keys import is_similar
from capabilities.rules.wording import quoted
from capabilities.rules.works import Work, WorkKind

YEAR_TOLERANCE: Final = 1


class TitleMatch(StrEnum):
    """How close the nearest title of the work comes."""

    EXACT = "exact"
    ALTERNATIVE = "alternative"
    SIMILAR = "similar"
    NONE = "none"


class YearMatch(StrEnum):
    """What the years say; a year that either side lacks says nothing."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Weighed:
    """A work beside the name.

    Attributes:
        id_agrees: every id that both sides know is this work's, and there is one.
        id_written: one of these stands in the name itself, and is not only claimed for it.
    """

    work: Work
    id_agrees: bool
    id_written: bool
    title: TitleMatch
    year: YearMatch
    kind_fits: bool
    evidence: tuple[Evidence, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def is_plausible(self) -> bool:
        """Whether anything at all speaks for the work."""
        return self.id_agrees or self.title is not TitleMatch.NONE


def weigh(
    name: ReleaseName,
    claimed_ids: Mapping[str, str],
    work: Work,
    counting: Counting = PLAIN,
) -> Weighed:
    """Compare a name, and the ids claimed for it, with a work.

    Args:
        name: as read.
        claimed_ids: those written into it among them, which win over others of their source.
        work: what it may mean. An id that it has by its title alone speaks against it, never for
            it.
        counting: how its episodes are counted besides their seasons.
    """
    read = as_season(name, work)
    kind_fits = name.kind is None or name.kind is work.key.kind
    ids = _shared_ids(claimed_ids, work, kind_fits=kind_fits)
    sure = {source for source, _, _ in ids}.difference(work.ids_by_title)
    id_agrees = bool(sure) and all(claimed == known for _, claimed, known in ids)
    id_written = id_agrees and not sure.isdisjoint(name.external_ids)
    title, year = _title_and_year(read, work)
    weighed = Weighed(work, id_agrees, id_written, title, year, kind_fits, (), ())
    weighed = replace(weighed, evidence=tuple(_evidence(weighed, name, read)))
    if not _is_near(weighed):
        return weighed
    against = tuple(_contradictions(weighed, read, ids, counting))
    return replace(weighed, contradictions=against)


def _is_near(weighed: Weighed) -> bool:
    """Whether what speaks against the work is worth naming."""
    return weighed.id_agrees or weighed.title in {TitleMatch.EXACT, TitleMatch.ALTERNATIVE}


def _shared_ids(
    claimed: Mapping[str, str], work: Work, *, kind_fits: bool
) -> list[tuple[str, str, str]]:
    """Source, claimed and known id wherever both sides name the source.

    Only IMDb numbers films and series together; elsewhere an id of the other kind is another
    number that happens to look the same.
    """
    known = {**work.external_ids, work.key.source: work.key.id}
    return [
        (source, plain_id(source, value), plain_id(source, known[source]))
        for source, value in claimed.items()
        if source in known and (kind_fits or source == "imdb")
    ]


def plain_id(source: str, value: str) -> str:
    """The spelling in which two spellings of one id are equal: ``tt0101`` and ``101``."""
    plain = value.strip().lower()
    if source == "imdb":
        plain = plain.removeprefix("tt")
    return plain.lstrip("0") or plain


def _title_and_year(name: ReleaseName, work: Work) -> tuple[TitleMatch, YearMatch]:
    """The better of two readings: a number may be the year, or the last word of the title."""
    match = _title_match(name.titles, work)
    if match is not TitleMatch.EXACT and name.year is not None:
        joined = tuple(f"{title} {name.year}" for title in name.titles)
        if _title_match(joined, work) is TitleMatch.EXACT:
            return TitleMatch.EXACT, YearMatch.UNKNOWN
    return match, _year_match(name, work)


def _title_match(titles: tuple[str, ...], work: Work) -> TitleMatch:
    shorter = (short for title in titles if (short := without_first_part(title)))
    keys = {numbered_key(title) for title in (*titles, *shorter) if title}
    if keys & strong_keys(work):
        return TitleMatch.EXACT
    if any(numbered_key(title.text) in keys for title in work.titles):
        return TitleMatch.ALTERNATIVE
    all_titles = (work.title, *(title.text for title in work.titles))
    similar = any(is_similar(title, all_titles) for title in titles)
    return TitleMatch.SIMILAR if similar else TitleMatch.NONE


def _year_match(name: ReleaseName, work: Work) -> YearMatch:
    said = name.year or (name.air_date.year if name.air_date else None)
    if said is None or work.year is None:
        return YearMatch.UNKNOWN
    if name.air_date and not name.year:
        return YearMatch.DIFFERS if said < work.year - YEAR_TOLERANCE else YearMatch.UNKNOWN
    if _within(said, work.year):
        return YearMatch.AGREES
    return _season_year_match(said, name, work)


def _season_year_match(said: int, name: ReleaseName, work: Work) -> YearMatch:
    """A later season is released under its own year."""
    if work.key.kind is WorkKind.FILM or (work.year is not None and said < work.year):
        return YearMatch.DIFFERS
    known = {season.number: season.year for season in work.seasons}
    years = [known.get(number) for number in name.seasons]
    if any(year is not None and _within(said, year) for year in years):
        return YearMatch.AGREES
    return YearMatch.UNKNOWN if not years or None in years else YearMatch.DIFFERS


def _within(first: int, second: int) -> bool:
    return abs(first - second) <= YEAR_TOLERANCE


def _evidence(weighed: Weighed, name: ReleaseName, read: ReleaseName) -> Iterator[Evidence]:
    work = weighed.work
    if weighed.id_agrees:
        yield Evidence(Clue.EXTERNAL_ID, work.key, f"an external id names {work.key}")
    clue = _TITLE_CLUES.get(weighed.title)
    if clue:
        yield Evidence(
            clue, work.key, f"{quoted(read.title)} {_TITLE_WORDS[clue]} {quoted(work.title)}"
        )
    if clue and read is not name:
        sentence = f"the numeral in {quoted(name.title)} counts as season {read.seasons[0]}"
        yield Evidence(Clue.SEASON, work.key, sentence)
    if weighed.year is YearMatch.AGREES and clue:
        yield Evidence(Clue.YEAR, work.key, _year_sentence(name, work))


def _year_sentence(name: ReleaseName, work: Work) -> str:
    if name.year == work.year:
        return f"the year {name.year} fits {work.year}"
    if work.year is not None and name.year is not None and _within(name.year, work.year):
        return f"the year {name.year} fits {work.year}, one year apart"
    return f"the year {name.year} fits that of season {', '.join(map(str, name.seasons))}"


_TITLE_CLUES: Final = {
    TitleMatch.EXACT: Clue.TITLE,
    TitleMatch.ALTERNATIVE: Clue.ALTERNATIVE_TITLE,
    TitleMatch.SIMILAR: Clue.SIMILAR_TITLE,
}
_TITLE_WORDS: Final = {
    Clue.TITLE: "is a title of",
    Clue.ALTERNATIVE_TITLE: "is an alternative title of",
    Clue.SIMILAR_TITLE: "resembles a title of",
}


def _contradictions(
    weighed: Weighed,
    name: ReleaseName,
    ids: list[tuple[str, str, str]],
    counting: Counting,
) -> Iterator[Contradiction]:
    work = weighed.work
    for source, claimed, known in ids:
        if claimed != known:
            sentence = f"the claimed {source} id is {quoted(claimed)}, the work's is {known}"
            yield Contradiction(Clue.EXTERNAL_ID, work.key, sentence)
    known = work.ids
    for source, written in name.external_ids.items():
        if not weighed.id_agrees and source not in known:
            sentence = f"the name's {source} id {quoted(written)} is not known to be this work's"
            yield Contradiction(Clue.EXTERNAL_ID, work.key, sentence)
    if weighed.title is TitleMatch.NONE and name.titles:
        sentence = f"{quoted(name.title)} is no known title of {quoted(work.title)}"
        yield Contradiction(Clue.TITLE, work.key, sentence)
    if weighed.title is TitleMatch.SIMILAR and not weighed.id_written:
        sentence = (
            f"{quoted(name.title)} is only like {quoted(work.title)}, and its id is claimed for it"
        )
        yield Contradiction(Clue.TITLE, work.key, sentence)
    if weighed.year is YearMatch.DIFFERS:
        said = name.year or name.air_date
        yield Contradiction(
            Clue.YEAR, work.key, f"the name says {said}, the work is of {work.year}"
        )
    if not weighed.kind_fits:
        yield Contradiction(Clue.KIND, work.key, _kind_sentence(work))
    elif work.key.kind is WorkKind.SERIES:
        yield from structure_conflicts(name, work, counting)


def _kind_sentence(work: Work) -> str:
    if work.key.kind is WorkKind.FILM:
        return "the name counts seasons or episodes, the work is a film"
    return "the name counts no seasons or episodes, the work is a series"
