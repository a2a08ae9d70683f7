"""Metadata made sound: bounded, with one season for each number, and each contradiction named."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, TypeVar

from capabilities.rules.works import Disagreement, Episode, Fact, Season, Title, Work

FIRST_YEAR: Final = 1870
LAST_YEAR: Final = 2200
MOST_TITLES: Final = 200
MOST_SEASONS: Final = 300
MOST_EPISODES: Final = 5_000
MOST_DISAGREEMENTS: Final = 12
LONGEST_TITLE: Final = 300
LONGEST_OVERVIEW: Final = 4_000
_LONGEST_ID: Final = 40

Numbered = TypeVar("Numbered", Season, Episode)


def sound_work(work: Work) -> Work:
    """The work as far as it can be true; what is left out for a contradiction is named.

    The first word counts where a source gives two: the first season of a number, the shown title.
    """
    told = list(work.disagreements)
    seasons = _once(work.seasons, MOST_SEASONS, Fact.SEASONS, "season", told)
    return replace(
        work,
        title=_text(work.title, LONGEST_TITLE),
        year=_year(work.year, work.key.source, told),
        titles=tuple(_titles(work.titles)),
        seasons=tuple(sound_season(season) for season in seasons),
        external_ids={s: i for s, i in work.external_ids.items() if 0 < len(i) <= _LONGEST_ID},
        overview=_text(work.overview, LONGEST_OVERVIEW) if work.overview else None,
        disagreements=bounded(told),
    )


def sound_season(season: Season) -> Season:
    """The season with each episode once; it has as many as it lists, where it lists any."""
    told = list(season.disagreements)
    episodes = _once(season.episodes, MOST_EPISODES, Fact.EPISODES, "episode", told)
    return replace(
        season,
        year=_plain_year(season.year),
        episode_count=len(episodes) or _count(season.episode_count),
        episodes=tuple(replace(each, title=_short(each.title)) for each in episodes),
        disagreements=bounded(told),
    )


def bounded(told: Iterable[Disagreement]) -> tuple[Disagreement, ...]:
    """Each contradiction once, and not more of them than a person reads."""
    return tuple(dict.fromkeys(told))[:MOST_DISAGREEMENTS]


def _once(
    numbered: Iterable[Numbered], most: int, fact: Fact, word: str, told: list[Disagreement]
) -> list[Numbered]:
    """Each number once and in order."""
    kept: dict[int, Numbered] = {}
    for each in numbered:
        if each.number < 0:
            told.append(Disagreement(fact, f"a {word} has the number {each.number}; left out"))
        elif each.number in kept:
            if kept[each.number] != each:
                sentence = f"{word} {each.number} is listed twice; the first one counts"
                told.append(Disagreement(fact, sentence))
        else:
            kept[each.number] = each
    if len(kept) > most:
        sentence = f"more than {most} {word}s are listed; the rest is left out"
        told.append(Disagreement(fact, sentence))
    return [kept[number] for number in sorted(kept)][:most]


def _year(year: int | None, source: str, told: list[Disagreement]) -> int | None:
    if year is not None and _plain_year(year) is None:
        sentence = f"{source} dates it to {year}, which is no year of a film or series"
        told.append(Disagreement(Fact.YEAR, sentence))
    return _plain_year(year)


def _plain_year(year: int | None) -> int | None:
    return year if year is not None and FIRST_YEAR <= year <= LAST_YEAR else None


def _count(count: int) -> int:
    return min(max(count, 0), MOST_EPISODES)


def _titles(titles: Iterable[Title]) -> Iterator[Title]:
    bounded_titles = (replace(title, text=_text(title.text, LONGEST_TITLE)) for title in titles)
    yield from list(dict.fromkeys(title for title in bounded_titles if title.text))[:MOST_TITLES]


def _short(text: str | None) -> str | None:
    return (_text(text, LONGEST_TITLE) or None) if text else None


def _text(text: str, most: int) -> str:
    return text.strip()[:most].rstrip()
