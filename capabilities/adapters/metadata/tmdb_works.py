"""TMDB's answers as works."""

from collections.abc import Iterable, Iterator, Sequence

from capabilities.adapters.metadata.tmdb_answers import (
    Details,
    EpisodeRow,
    Row,
    SeasonDetails,
    SeasonRow,
    Translation,
)
from capabilities.rules.works import (
    CollectionRef,
    Episode,
    Season,
    Title,
    TitleKind,
    Work,
    WorkKey,
    WorkKind,
)

SOURCE = "tmdb"


def work_from_row(row: Row, kind: WorkKind) -> Work:
    """A work with what a list tells about it: no seasons, no further titles."""
    titles = [Title(row.title, TitleKind.MAIN)]
    if row.original_title:
        titles.append(Title(row.original_title, TitleKind.ORIGINAL, row.original_language))
    return Work(
        key=WorkKey(SOURCE, kind, str(row.id)),
        title=row.title,
        year=row.first_shown.year if row.first_shown else None,
        titles=tuple(titles),
        overview=row.overview,
    )


def work_from_details(details: Details, kind: WorkKind, languages: Sequence[str]) -> Work:
    """A work with its titles in every language, its seasons and its numbers elsewhere.

    Args:
        details: the answer with translations, alternative titles and external ids appended.
        kind: what was asked for.
        languages: BCP 47 tags in order of preference, for the title and overview shown.
    """
    preferred = tuple(_preferred(details.translations.translations, languages))
    title, tag = _shown_title(details, preferred, languages)
    overviews = (translation.data.overview for translation in preferred)
    runtimes = (details.runtime, *details.episode_run_time)
    return Work(
        key=WorkKey(SOURCE, kind, str(details.id)),
        title=title,
        year=details.first_shown.year if details.first_shown else None,
        titles=tuple(_titles(details, Title(title, TitleKind.MAIN, tag))),
        seasons=tuple(_season(row) for row in details.seasons),
        external_ids=_external_ids(details),
        runtime_minutes=next((minutes for minutes in runtimes if minutes), None),
        overview=next((text for text in overviews if text), details.overview),
        collection=_collection(details),
    )


def season_from(details: SeasonDetails) -> Season:
    """A season with its episodes; its year is that of its first known air date."""
    days = (details.air_date, *(row.air_date for row in details.episodes))
    return Season(
        number=details.season_number,
        year=next((day.year for day in days if day), None),
        episode_count=len(details.episodes),
        episodes=tuple(_episode(row) for row in details.episodes),
    )


def _preferred(
    translations: Iterable[Translation], languages: Sequence[str]
) -> Iterator[Translation]:
    """Translations in the wanted languages: exact tags first, then the language anywhere."""
    known = tuple(translations)
    for tag in languages:
        yield from (translation for translation in known if translation.tag == tag)
        language = tag.partition("-")[0]
        yield from (translation for translation in known if translation.iso_639_1 == language)


def _shown_title(
    details: Details, preferred: Sequence[Translation], languages: Sequence[str]
) -> tuple[str, str | None]:
    """The title in the first wanted language that has one.

    TMDB leaves a translation's title empty where it is the original one.
    """
    original = details.original_title or details.title
    for tag in languages:
        language = tag.partition("-")[0]
        for translation in preferred:
            if translation.iso_639_1 == language and translation.data.title:
                return translation.data.title, translation.tag
        if language == details.original_language:
            return original, details.original_language
    return details.title, None


def _titles(details: Details, main: Title) -> Iterator[Title]:
    """Every title once, in order of weight; an alternative only where no other says the same."""
    yield main
    if details.original_title:
        yield Title(details.original_title, TitleKind.ORIGINAL, details.original_language)
    said = {main.text, details.original_title}
    for translation in details.translations.translations:
        if translation.data.title and translation.tag != main.language:
            yield Title(translation.data.title, TitleKind.TRANSLATION, translation.tag)
            said.add(translation.data.title)
    for alternative in details.alternative_titles.titles:
        if alternative.title and alternative.title not in said:
            yield Title(alternative.title, TitleKind.ALTERNATIVE)
            said.add(alternative.title)


def _external_ids(details: Details) -> dict[str, str]:
    ids = {"imdb": details.external_ids.imdb_id, "tvdb": details.external_ids.tvdb_id}
    return {source: str(number) for source, number in ids.items() if number}


def _collection(details: Details) -> CollectionRef | None:
    named = details.belongs_to_collection
    return None if named is None else CollectionRef(SOURCE, str(named.id), named.name)


def _season(row: SeasonRow) -> Season:
    return Season(
        number=row.season_number,
        year=row.air_date.year if row.air_date else None,
        episode_count=row.episode_count,
    )


def _episode(row: EpisodeRow) -> Episode:
    return Episode(row.episode_number, row.name, row.air_date, row.runtime)
