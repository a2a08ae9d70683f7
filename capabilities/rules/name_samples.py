"""Works and files that stand for all others where names are tried and shown."""

from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.name_tokens import EpisodeFacts
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import Naming
from capabilities.rules.shelf_paths import Called, EpisodeStyle, episode_path, film_path
from capabilities.rules.works import Episode, Season, Title, TitleKind, Work, WorkKey, WorkKind

_IDS: Final = {"imdb": "tt0000001", "tvdb": "1"}
FILM: Final = Work(
    WorkKey("tmdb", WorkKind.FILM, "1"),
    "The Night Train",
    1959,
    titles=(Title("Nocny pociąg", TitleKind.ORIGINAL, "pl"),),
    external_ids=_IDS,
)
SERIES: Final = Work(
    WorkKey("tmdb", WorkKind.SERIES, "1"),
    "Lantern Street",
    2019,
    seasons=(
        Season(0, episodes=(Episode(1, "Behind the Lanterns", date(2019, 12, 24)),)),
        Season(
            1,
            episodes=(
                Episode(1, "Pilot", date(2019, 1, 31)),
                Episode(2, "The Letter", date(2019, 2, 1)),
                Episode(101, "The Visitor", date(2020, 5, 4)),
            ),
        ),
        Season(2, episodes=(Episode(1, "The Return", date(2021, 3, 1)),)),
    ),
    external_ids=_IDS,
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A file of a sample; ``facts`` are None for a film.

    Attributes:
        what: it is an example of, for a person.
    """

    what: str
    work: Work
    text: str
    facts: EpisodeFacts | None = None
    style: EpisodeStyle = EpisodeStyle.EPISODE

    def path(self, naming: Naming) -> PurePosixPath:
        """Where it would stand below its library."""
        called = Called(parse(self.text), self.text)
        if self.facts is None:
            return film_path(self.work, called, naming, extension="mkv")
        return episode_path(
            self.work, called, naming, facts=self.facts, extension="mkv", style=self.style
        )


_QUALITY: Final = "2160p.WEB-DL.DV.HDR10.TrueHD.Atmos.7.1.H.265-GRP"
_LONG: Final = "異世界迷宮の最深部を目指そうとしたら隣の席の探偵が先に着いていた件について"
_AWKWARD: Final = "Mission: Half/Done? * Part One"


def film(title: str, year: int | None = 2010) -> Work:
    """Another film that only has a title."""
    return Work(WorkKey("tmdb", WorkKind.FILM, "2"), title, year)


def series(title: str, episode: str, year: int | None = 2024) -> Work:
    """Another series that only has a title and an episode."""
    season = Season(1, episodes=(Episode(1, episode, date(2024, 1, 31)),))
    return Work(WorkKey("tmdb", WorkKind.SERIES, "2"), title, year, seasons=(season,))


@cache
def shown() -> tuple[Sample, ...]:
    """The examples that an owner sees, whatever stands in the library."""
    first = EpisodeFacts(1, (1,), (1,))
    show, anime = f"Lantern.Street.S01E01.{_QUALITY}", "[Grp] Lantern Street - 101 [1080p]"
    return (
        Sample("film", FILM, "The.Night.Train.1959.1080p.BluRay.x264-GRP"),
        Sample("film with an edition", FILM, "The.Night.Train.1959.Directors.Cut.1080p.BluRay-GRP"),
        Sample("episode", SERIES, show, first),
        Sample("two episodes in a file", SERIES, show, EpisodeFacts(1, (1, 2), (1, 2))),
        Sample("special", SERIES, show, EpisodeFacts(0, (1,)), EpisodeStyle.SPECIAL),
        Sample("daily episode", SERIES, show, first, EpisodeStyle.DAILY),
        Sample("anime episode", SERIES, anime, EpisodeFacts(1, (101,), (101,)), EpisodeStyle.ANIME),
        Sample("long Japanese titles", series(_LONG, _LONG * 3), show, first),
        Sample("title with signs that no name can hold", film(_AWKWARD), "x.1080p.BluRay-GRP"),
    )


@cache
def tried() -> tuple[Sample, ...]:
    """Files of which no two may have one name, and each of which must be read as it is."""
    bare, quality = "x", f"x.{_QUALITY}"
    unknown = Work(WorkKey("tmdb", WorkKind.SERIES, "4"), "Sintel", None)
    later = replace(FILM, year=1998, key=replace(FILM.key, id="3"), external_ids={"imdb": "tt3"})
    again = replace(SERIES, year=1998, key=replace(SERIES.key, id="3"), external_ids={})
    episodes = [
        Sample("episode", SERIES, quality, EpisodeFacts(season, numbers, absolute), style)
        for style in EpisodeStyle
        for season, numbers, absolute in (
            [(0, (1,), ())]
            if style is EpisodeStyle.SPECIAL
            else [(1, (1,), (1,)), (1, (2,), (2,)), (1, (101,), (101,)), (2, (1,), (102,))]
        )
    ]
    return (
        Sample("film", FILM, "x.Directors.Cut.1080p.BluRay.x264-GRP"),
        Sample("another film of its title", later, "x.Directors.Cut.1080p.BluRay.x264-GRP"),
        Sample("film of which nothing is known", film("Sintel", None), bare),
        *episodes,
        Sample("two episodes in a file", SERIES, quality, EpisodeFacts(1, (1, 2), (1, 2))),
        Sample("another series of its title", again, quality, EpisodeFacts(1, (1,), (1,))),
        *(
            Sample(
                "episode of which nothing is known",
                unknown,
                bare,
                EpisodeFacts(1, (number,)),
                style,
            )
            for style in EpisodeStyle
            if style not in {EpisodeStyle.SPECIAL, EpisodeStyle.DAILY}
            for number in (1, 2)
        ),
        Sample("episode", series("Durian", "24 Hours"), bare, EpisodeFacts(1, (1,))),
        Sample("episode of a long title", series(_LONG, _LONG), quality, EpisodeFacts(1, (1,))),
    )
