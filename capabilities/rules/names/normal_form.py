"""A name read, written as plain values: the form in which parsers are compared."""

import re
from typing import Final

from capabilities.rules.names.dating import year_of
from capabilities.rules.names.disguises import is_gibberish
from capabilities.rules.names.quality import quality_of
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.scripts import in_scripts
from capabilities.rules.names.shorter_titles import shorter_titles
from capabilities.rules.names.suffixes import split_suffix
from capabilities.rules.works import WorkKind

_RANGES: Final = {"hdr10": "hdr", "hdr-vivid": "hdr"}
_HYPHENED: Final = frozenset({"hbo go", "hbo max", "apple tv+", "youtube red", "bbc iplayer"})
_PLAIN_CHINESE: Final = {"zh-hans": "zh", "zh-hant": "zh", "yue": "zh"}
"""ISO 639-1 has one code for the scripts and the tongues of Chinese."""
_SEPARATORS: Final = re.compile(r"[\s._-]+")


def normal_form(name: ReleaseName, expects: WorkKind | None = None) -> dict[str, object]:
    """JSON-ready values by the names of the comparison's fields."""
    return {
        **_titles(name),
        **_numbers(name, expects),
        **_picture(name),
        **_sound(name),
        **_release(name),
    }


def _titles(name: ReleaseName) -> dict[str, object]:
    return {
        "title": name.title or None,
        "titles": [*name.titles, *shorter_titles(name)],
        **in_scripts(name.titles),
        "episode_title": name.episode_title,
        "country": name.country,
    }


def _numbers(name: ReleaseName, expects: WorkKind | None) -> dict[str, object]:
    kind = name.kind if name.kind is WorkKind.SERIES else expects or name.kind
    return {
        "type": "episode" if kind is WorkKind.SERIES else "movie",
        "year": name.year or _season_year(name),
        "seasons": list(name.seasons),
        "episodes": list(name.episodes),
        "absolute_episodes": list(name.absolute_episodes),
        "air_date": name.air_date.isoformat() if name.air_date else None,
        "part": name.part,
        "season_pack": name.is_season_pack,
        "multi_season": name.is_season_pack and len(name.seasons) > 1,
        "complete": name.complete,
        "special": _is_special(name),
        "season_extras": name.extra == "extras" and name.is_season_pack,
        "partial_season": name.is_season_pack and name.part is not None,
        "season_part": name.part if name.is_season_pack else None,
        "daily_part": name.part if name.air_date else None,
        "reject": _is_rejected(name),
    }


def _season_year(name: ReleaseName) -> int | None:
    """A season that is counted by its year says the year too."""
    return next((year for one in name.seasons if (year := year_of(str(one)))), None)


def _is_special(name: ReleaseName) -> bool:
    between = any(not float(one).is_integer() for one in name.absolute_episodes)
    return between or 0 in name.seasons or name.extra in {"credits", "preview", "special"}


def _is_rejected(name: ReleaseName) -> bool:
    """Whether the name is none: a hash, or words in which nothing is said of a release."""
    if name.kind or name.said:
        return is_gibberish(split_suffix(name.text)[0])
    return True


def _picture(name: ReleaseName) -> dict[str, object]:
    return {
        "resolution": name.resolution,
        "source": name.source,
        "quality": quality_of(name),
        "video_codec": name.video_codec,
        "bit_depth": name.bit_depth,
        "hdr": sorted({_RANGES.get(one, one) for one in name.dynamic_ranges}),
        "three_d": name.three_d,
        "edition": sorted(name.editions),
    }


def _sound(name: ReleaseName) -> dict[str, object]:
    return {
        "audio": sorted(name.audio),
        "audio_channels": name.channels,
        "languages": sorted(_languages(name)),
        "subtitle_languages": sorted(_subtitles(name)),
        "dubbed": name.dubbed,
        "hardcoded_subs": name.hardcoded_subtitles,
    }


def _release(name: ReleaseName) -> dict[str, object]:
    _, suffix = split_suffix(name.text)
    return {
        "release_group": name.group,
        "version": name.version,
        "real": name.real,
        "proper": name.proper,
        "repack": name.repack,
        "container": name.container or suffix or None,
        "crc": name.checksum,
        "network": _network(name.network),
        "website": name.website,
        "tmdb_id": _number(name.external_ids.get("tmdb")),
        "imdb_id": name.external_ids.get("imdb"),
    }


def _network(name: str | None) -> str | None:
    """The name in one word, with hyphens for those whose words are known apart."""
    if name is None:
        return None
    low = name.lower()
    return low.replace(" ", "-") if low in _HYPHENED else _SEPARATORS.sub("", low)


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _languages(name: ReleaseName) -> set[str]:
    """What is spoken; a name that only tells how Chinese is written speaks to those who read it."""
    spoken = {_PLAIN_CHINESE.get(one, one) for one in name.languages if one != "mul"}
    if name.original_language:
        spoken.add("original")
    return spoken or _subtitles(name) & {"zh"}


def _subtitles(name: ReleaseName) -> set[str]:
    return {_PLAIN_CHINESE.get(one, one) for one in name.subtitle_languages if one != "mul"}
