"""Works that several tests of the rules speak about."""

from datetime import date

from capabilities.rules.works import Episode, Season, Title, TitleKind, Work, WorkKey, WorkKind


def film(title: str, year: int | None, number: str = "45745", **ids: str) -> Work:
    return Work(WorkKey("tmdb", WorkKind.FILM, number), title, year, external_ids=ids)


def series(
    title: str, year: int | None, number: str = "100", *, seasons: tuple[Season, ...] = ()
) -> Work:
    return Work(WorkKey("tmdb", WorkKind.SERIES, number), title, year, seasons=seasons)


SINTEL = Work(
    key=WorkKey("tmdb", WorkKind.FILM, "45745"),
    title="Sintel",
    year=2010,
    titles=(
        Title("辛特尔", TitleKind.TRANSLATION, "zh"),
        Title("Durian", TitleKind.ALTERNATIVE),
    ),
    external_ids={"imdb": "tt1727587"},
    runtime_minutes=15,
)
PIONEER = Work(
    key=WorkKey("tmdb", WorkKind.SERIES, "4711"),
    title="Pioneer One",
    year=2010,
    seasons=(
        Season(0, 2010, 2),
        Season(
            1,
            2010,
            3,
            (
                Episode(1, "Earthfall", date(2010, 6, 16)),
                Episode(2, "The Man from Mars", date(2010, 12, 15)),
                Episode(3, "Alone in the Night (1)", date(2011, 1, 12)),
            ),
        ),
        Season(2, 2013, 2, (Episode(1, "Home", date(2013, 1, 1)), Episode(2))),
    ),
    runtime_minutes=40,
)
