"""Whole paths into facts: folders supply what the file does not say."""

import re
from dataclasses import replace
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.agreement import agreed, plain
from capabilities.rules.names.disguises import is_gibberish
from capabilities.rules.names.parsing import LONGEST_NAME, parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.shelves import NEAREST, speaking
from capabilities.rules.names.suffixes import split_container, split_suffix
from capabilities.rules.names.tables.counting import SHELVES
from capabilities.rules.names.tables.rows import word_set
from capabilities.rules.works import WorkKind

_NUMBERED: Final = re.compile(r"[\[(]?(\d{1,3})(?:v\d)?[\])]?(?=[ ._-]|\Z)[ ._-]{0,5}")
_EPISODE_WORD: Final = re.compile(r"(?:episode|folge|ep)[ ._]?(?=\d)", re.IGNORECASE)
_BARE_SEASON: Final = re.compile(r"\d{1,2}")
_PLAIN_NAMES: Final = word_set("movie film video file sample trailer")
"""Names of files that say nothing."""
_FEW: Final = 2
_LEAST_COMMON: Final = 3
_LONGEST_SHORT: Final = 8
_HUNDRED: Final = 100
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_NO_FOLDERS: Final = {"", "."}
LONGEST_PATH: Final = 4 * LONGEST_NAME
"""Characters of a path that are read; those in front of them are not."""
_BRACKETED: Final = re.compile(rf"[{re.escape(signs.OPENING)}][^{re.escape(signs.CLOSING)}]*/")


def is_path(text: str) -> bool:
    """Whether a text is a path of folders and a file, and no name with a slash in it.

    A path begins at a root, or ends in a file's suffix, or has dots for blanks on both sides of
    its slash, or the folder of a season within another one; a slash with blanks around it, or in a
    bracket, parts two titles. What is longer than any system's paths is none.
    """
    if len(text) > LONGEST_PATH:
        return False
    if _DRIVE.match(text):
        return True
    if "/" not in text or " / " in text or "| " in text:
        return False
    if text.startswith("/"):
        return True
    folder, _, file = text.rpartition("/")
    if folder.partition("/")[0].lower() in SHELVES:
        return True
    if _BRACKETED.search(text):
        return False
    suffixed = bool(split_suffix(file)[1])
    return suffixed or is_gibberish(file) or _is_dotted(folder, file) or _has_season(folder)


def _has_season(above: str) -> bool:
    """Whether a folder below the first says that it is a season's: ``Show/Season 01``."""
    folders = [parse(part) for part in above.split("/")[1:][-NEAREST:]]
    return any(one.seasons and not (one.title or one.episodes) for one in folders)


def _is_dotted(folder: str, file: str) -> bool:
    return " " not in folder + file and folder.count(".") > 1 and file.count(".") > 1


def parse_path(path: str, *, expects: WorkKind | None = None) -> ReleaseName:
    r"""Read a file with the folders above it, parted by ``/`` (or ``\`` behind a drive letter).

    The file wins on what it says itself, episode numbers above all; a season folder, a numbered
    file or a file that says nothing at all takes its title from above.
    """
    *above, file = parts_of(path[-LONGEST_PATH:])
    folders = [read_folder(part, expects) for part in reversed(speaking(above))]
    file = _without_prefix(file, folders)
    name = _opaque(file, folders) or _numbered(file, folders) or parse(file, expects=expects)
    name = agreed(_named_by_episode(name, folders), folders)
    for folder in folders:
        name = completed(name, folder)
    return agreed(_counted_within(_dated(name, folders)), ())


def parts_of(path: str) -> list[str]:
    r"""The folders from the top and the file, parted by ``/`` (or ``\`` behind a drive letter)."""
    if _DRIVE.match(path):
        path = path[2:].replace("\\", "/")
    return [part for part in path.split("/") if part not in _NO_FOLDERS] or [""]


def _dated(name: ReleaseName, folders: list[ReleaseName]) -> ReleaseName:
    """An episode with the year of its series' own folder, whatever years its title speaks of."""
    own = (one.year for one in folders if one.title and one.year and not one.episodes)
    year = next(own, None)
    return replace(name, year=year) if year and name.episodes else name


def _without_prefix(file: str, folders: list[ReleaseName]) -> str:
    """The file's name without the group of its folder, or "sample", in front of it."""
    prefix, dash, rest = file.partition("-")
    groups = {"sample", *(folder.group.lower() for folder in folders if folder.group)}
    return rest if dash and rest and prefix.lower() in groups else file


def _named_by_episode(name: ReleaseName, folders: list[ReleaseName]) -> ReleaseName:
    """A file in a folder of a season that is named by nothing but the episode's title."""
    if not folders or not folders[0].seasons or folders[0].title:
        return name
    if name.seasons or name.episodes or name.absolute_episodes or name.air_date or name.year:
        return name
    if not any(folder.title for folder in folders):
        return name
    return replace(name, title="", alternative_titles=(), episode_title=name.title or None)


def _counted_within(name: ReleaseName) -> ReleaseName:
    """The name with 401 read as the first episode where the folder says season 4."""
    if len(name.seasons) != 1 or len(name.absolute_episodes) != 1 or name.episodes:
        return name
    season, number = name.seasons[0], int(name.absolute_episodes[0])
    if number // _HUNDRED != season or not number % _HUNDRED:
        return name
    return replace(name, episodes=(number % _HUNDRED,), absolute_episodes=())


def read_folder(part: str, expects: WorkKind | None = None) -> ReleaseName:
    """A folder read; one that is named by a bare number holds the season of that number."""
    if _BARE_SEASON.fullmatch(part):
        return ReleaseName(part, kind=WorkKind.SERIES, seasons=(int(part),))
    return parse(part, expects=expects)


def _opaque(file: str, folders: list[ReleaseName]) -> ReleaseName | None:
    """A file that says nothing but its container: a hash, or a number in the folder of an episode.

    Right in the folder of a release it is what that release is.
    """
    stem, container = split_container(file[:LONGEST_NAME])
    release = folders[0] if folders and _is_release(folders[0]) else None
    counted = release and release.episodes and not any(map(str.isalpha, stem))
    if not (is_gibberish(stem) or stem.lower() in _PLAIN_NAMES or counted):
        return None
    said = replace(release or ReleaseName(file), text=file, container=container)
    # one of several episodes is the one that the file counts, not all of them
    one = int(stem) if counted and stem.isdecimal() else None
    return replace(said, episodes=(one,)) if one in said.episodes else said


def _is_release(folder: ReleaseName) -> bool:
    """Whether a folder bears the name of a whole release."""
    return bool(folder.title and (folder.source or folder.resolution))


def _numbered(file: str, folders: list[ReleaseName]) -> ReleaseName | None:
    """A file named by a bare number in front, which counts inside its folder.

    The number may follow the folder's own title, as in ``Title/Title 05 Pilot.mkv``.
    """
    stem, container = split_container(file[:LONGEST_NAME])
    repeated = _repeated(stem, folders)
    within = bool(folders and folders[0].seasons and not folders[0].episodes)
    word = _EPISODE_WORD.match(stem) if within and not repeated else None
    match = _NUMBERED.match(stem, word.end() if word else repeated)
    if not match or not folders or (plain(stem) == plain(folders[0].title) and not within):
        return None
    rest = parse(file[match.end() : LONGEST_NAME] if match.end() < len(stem) else " ")
    if rest.episodes or rest.seasons or rest.air_date or (rest.year and not within):
        return None
    if repeated and (rest.absolute_episodes or rest.source or not _holds_series(folders[0])):
        return None
    said = rest.episode_title or (rest.title if rest.text.strip() else None)
    said = f"{said} {rest.year}" if said and rest.year else said
    return replace(
        rest,
        text=file,
        title=folders[0].title if repeated else "",
        alternative_titles=(),
        episode_title=said or None,
        kind=WorkKind.SERIES,
        year=None,
        episodes=(_within_season(int(match[1]), folders),),
        absolute_episodes=(),
        container=container,
    )


def _within_season(number: int, folders: list[ReleaseName]) -> int:
    """The episode in a number, which may begin with the season of the folder: 205 in season 2."""
    season = next((folder.seasons[0] for folder in folders if folder.seasons), None)
    counted = season is not None and number // _HUNDRED == season and number % _HUNDRED
    return number % _HUNDRED if counted else number


def _repeated(stem: str, folders: list[ReleaseName]) -> int:
    """How many characters of the file's name repeat the title of its folder, with what follows."""
    title = next((folder.title for folder in folders if folder.title), "")
    if not title or plain(stem[: len(title)]) != plain(title):
        return 0
    rest = stem[len(title) :]
    return len(stem) - len(rest.lstrip(" ._-")) if rest[:1] in {" ", ".", "_"} else 0


def _holds_series(folder: ReleaseName) -> bool:
    """Whether a folder may hold a series: one of seasons, or one that names nothing of a film."""
    return bool(folder.seasons) or not (folder.year or folder.source or folder.resolution)


def completed(name: ReleaseName, folder: ReleaseName) -> ReleaseName:
    """The name with what only its folder, or its whole release, says."""
    title_from_above = _takes_title(name, folder)
    return replace(
        name,
        title=folder.title if title_from_above else name.title,
        alternative_titles=(
            folder.alternative_titles if title_from_above else name.alternative_titles
        ),
        kind=name.kind if name.kind is WorkKind.SERIES else folder.kind or name.kind,
        year=name.year or folder.year,
        country=name.country or folder.country,
        seasons=name.seasons or folder.seasons,
        episodes=name.episodes
        or (() if name.absolute_episodes or folder.complete else folder.episodes),
        air_date=name.air_date or folder.air_date,
        resolution=name.resolution or folder.resolution,
        source=name.source or folder.source,
        video_codec=name.video_codec or folder.video_codec,
        bit_depth=name.bit_depth or folder.bit_depth,
        dynamic_ranges=name.dynamic_ranges or folder.dynamic_ranges,
        audio=name.audio or folder.audio,
        channels=name.channels or folder.channels,
        dubbed=name.dubbed or folder.dubbed,
        languages=name.languages or folder.languages,
        subtitle_languages=name.subtitle_languages or folder.subtitle_languages,
        three_d=name.three_d or folder.three_d,
        network=name.network or folder.network,
        website=name.website or folder.website,
        editions=name.editions or folder.editions,
        group=name.group or folder.group,
        external_ids={**folder.external_ids, **name.external_ids},
        said={**folder.said, **name.said},
    )


def _takes_title(name: ReleaseName, folder: ReleaseName) -> bool:
    if not folder.title:
        return False
    grouped = folder.group is not None and plain(name.title) == plain(folder.group)
    unsaid = not name.title or grouped
    return (
        unsaid
        or _is_run_together(name.title, folder.title)
        or _is_opaque(name, folder)
        or _is_abbreviated(name, folder)
    )


def _is_short_for(title: str, whole: str) -> bool:
    """Whether one word in small letters stands for a title of several: ``ambercst``."""
    single = title.replace("-", "").replace("_", "").replace(" ", "")
    lower = single == single.lower() and len(title.split()) <= _FEW
    many = len(whole.split()) > 1
    return (
        lower and many and single[:_LEAST_COMMON] == plain(whole).replace(" ", "")[:_LEAST_COMMON]
    )


def _is_run_together(title: str, whole: str) -> bool:
    """Whether one word holds all the words of a title: ``qz-ambercoast1080p``."""
    words = "".join(filter(str.isalnum, plain(whole)))
    single = "".join(filter(str.isalnum, plain(title)))
    return " " not in title and len(words) > _LEAST_COMMON and words in single


def _is_abbreviated(name: ReleaseName, folder: ReleaseName) -> bool:
    """Whether a title is the initials of that of a folder that is a whole release."""
    whole = bool(folder.group and (folder.source or folder.resolution))
    short, long = plain(name.title).replace(" ", ""), plain(folder.title)
    initials = "".join(word[0] for word in long.split() if word)
    return whole and len(short) <= _LONGEST_SHORT and short.endswith(initials)


def _is_opaque(name: ReleaseName, folder: ReleaseName) -> bool:
    """Whether the file's words are no title: a hash or an abbreviation in a well-named folder."""
    if name.seasons or name.episodes or name.absolute_episodes or name.year:
        return False
    if not name.said and _is_short_for(name.title, folder.title):
        return True
    return bool(folder.resolution or folder.source or folder.video_codec or folder.seasons)
