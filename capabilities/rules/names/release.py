"""What a release name says, in one closed form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from capabilities.rules.names.vocabulary import (
    AudioCodec,
    Container,
    DynamicRange,
    Edition,
    Field,
    Resolution,
    Source,
    VideoCodec,
)
from capabilities.rules.works import WorkKind


@dataclass(frozen=True, slots=True)
class ReleaseName:
    """A name read: what it does not say is None or empty, and nothing is filled in.

    Attributes:
        text: the name, cut to the parser's limit.
        title: the first title, written with blanks; empty where the name has none.
        alternative_titles: further titles, for instance in another script.
        kind: what the structure of the name says, None where it says nothing.
        episodes: numbers within ``seasons``; without a season, numbers whose season is not said.
        absolute_episodes: bare numbers; 12.5 stands between 12 and 13.
        country: ISO 3166 code of the country that tells two works of one title apart.
        part: number of the part that the name speaks of, e.g. 2 for ``Part II``; it stays in the
            title too, as films have it there.
        air_date_readings: both days that a date can mean whose day and month could be exchanged;
            ``air_date`` is None then.
        extra: ``credits``, ``extras``, ``preview`` or ``bonus`` where it is no part of the work.
        channels: front and bass channels, e.g. ``5.1``.
        languages: BCP 47 tags in order of appearance; ``mul`` says several, not which.
        original_language: whether the name says that the language of the work itself is there,
            without naming it.
        network: the network or streaming service by its name, e.g. ``Netflix``.
        website: the address of a site that is written into the name.
        version: 1 for a first release, 2 for a proper, repack or ``v2``, and so on.
        external_ids: ids written into the name, e.g. ``{"tmdb": "45745"}``.
        said: the words of the name behind each field, e.g. ``HDCAM`` for the source.
    """

    text: str
    title: str = ""
    alternative_titles: tuple[str, ...] = ()
    kind: WorkKind | None = None
    year: int | None = None
    country: str | None = None
    seasons: tuple[int, ...] = ()
    episodes: tuple[int, ...] = ()
    absolute_episodes: tuple[float, ...] = ()
    part: int | None = None
    air_date: date | None = None
    air_date_readings: tuple[date, ...] = ()
    episode_title: str | None = None
    complete: bool = False
    extra: str | None = None
    resolution: Resolution | None = None
    source: Source | None = None
    video_codec: VideoCodec | None = None
    bit_depth: int | None = None
    dynamic_ranges: tuple[DynamicRange, ...] = ()
    three_d: bool = False
    audio: tuple[AudioCodec, ...] = ()
    channels: str | None = None
    dubbed: bool = False
    languages: tuple[str, ...] = ()
    original_language: bool = False
    subtitle_languages: tuple[str, ...] = ()
    hardcoded_subtitles: bool = False
    editions: tuple[Edition, ...] = ()
    proper: bool = False
    repack: bool = False
    real: int = 0
    version: int = 1
    group: str | None = None
    network: str | None = None
    website: str | None = None
    container: Container | None = None
    checksum: str | None = None
    external_ids: Mapping[str, str] = field(default_factory=dict[str, str])
    said: Mapping[Field, str] = field(default_factory=dict[Field, str])

    @property
    def titles(self) -> tuple[str, ...]:
        """All titles, the first one first."""
        return (self.title, *self.alternative_titles) if self.title else self.alternative_titles

    @property
    def spoken(self) -> frozenset[str]:
        """The languages that a rule may ask for; Cantonese is Chinese too, as ISO 639-3 has it."""
        more = {"zh"} if "yue" in self.languages else set[str]()
        return frozenset({*map(str.casefold, self.languages), *more})

    @property
    def is_season_pack(self) -> bool:
        """Whether whole seasons are named and no single episode."""
        return bool(self.seasons) and not (self.episodes or self.absolute_episodes or self.air_date)
