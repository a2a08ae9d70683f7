"""AniList's entries as works: each film, and each season of a series by itself."""

from collections.abc import Iterator, Sequence
from typing import Final

from capabilities.adapters.metadata.anilist_answers import Media
from capabilities.adapters.metadata.markup import without_markup
from capabilities.rules.works import (
    Relation,
    RelationKind,
    Season,
    Title,
    TitleKind,
    Work,
    WorkKey,
    WorkKind,
)

SOURCE: Final = "anilist"
FORMATS: Final = {
    WorkKind.FILM: ("MOVIE",),
    WorkKind.SERIES: ("TV", "TV_SHORT", "ONA", "OVA", "SPECIAL"),
}
_KINDS: Final = {format_: kind for kind, formats in FORMATS.items() for format_ in formats}
_RELATIONS: Final = {"PREQUEL": RelationKind.PREQUEL, "SEQUEL": RelationKind.SEQUEL}
_LANGUAGES: Final = {"JP": "ja", "KR": "ko", "CN": "zh-CN", "TW": "zh-TW"}


def work_from_media(media: Media, languages: Sequence[str]) -> Work | None:
    """A work; None for what has no title or is neither film nor series, such as a music video.

    A series without a prequel is a first season. Which season a later one is, AniList does not
    say, so it has none.

    Args:
        media: the entry.
        languages: BCP 47 tags in order of preference, for the title shown.
    """
    kind = _KINDS.get(media.format or "")
    titles = list(_titles(media, languages))
    if kind is None or not titles:
        return None
    year = media.start_date.year or media.season_year
    relations = tuple(_relations(media))
    first = kind is WorkKind.SERIES and not any(
        each.kind is RelationKind.PREQUEL and each.key.kind is WorkKind.SERIES for each in relations
    )
    return Work(
        key=WorkKey(SOURCE, kind, str(media.id)),
        title=titles[0].text,
        year=year,
        titles=tuple(titles),
        seasons=(Season(1, year, media.episodes or 0),) if first else (),
        external_ids={} if media.id_mal is None else {"mal": str(media.id_mal)},
        runtime_minutes=media.duration,
        overview=without_markup(media.description),
        relations=relations,
    )


def _titles(media: Media, languages: Sequence[str]) -> Iterator[Title]:
    """The shown title first, then the other forms, then what else it is called."""
    forms = list(_forms(media))
    main = next(
        (
            form
            for tag in languages
            for form in forms
            if form.language and form.language.partition("-")[0] == tag.partition("-")[0]
        ),
        forms[0] if forms else None,
    )
    if main is not None:
        yield Title(main.text, TitleKind.MAIN, main.language)
    yield from (form for form in forms if form is not main)
    said = {form.text for form in forms}
    for synonym in dict.fromkeys(media.synonyms):
        if synonym and synonym not in said:
            yield Title(synonym, TitleKind.ALTERNATIVE)


def _forms(media: Media) -> Iterator[Title]:
    """The three forms; romaji is Japanese in Latin letters, and no language that one prefers."""
    given = media.title
    if given.romaji:
        yield Title(given.romaji, TitleKind.TRANSLATION)
    if given.english:
        yield Title(given.english, TitleKind.TRANSLATION, "en")
    if given.native:
        yield Title(given.native, TitleKind.ORIGINAL, _LANGUAGES.get(media.country or ""))


def _relations(media: Media) -> Iterator[Relation]:
    for edge in media.relations.edges:
        kind = _RELATIONS.get(edge.kind)
        work_kind = _KINDS.get(edge.node.format or "")
        if kind is not None and work_kind is not None:
            yield Relation(kind, WorkKey(SOURCE, work_kind, str(edge.node.id)))
