"""Whether naming templates make names that are distinct, and that media servers read as meant."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.name_samples import Sample, tried
from capabilities.rules.name_tokens import (
    ALWAYS,
    COUNTED,
    OF_EPISODES,
    OF_FILMS,
    OF_SEASONS,
    OF_WORKS,
    TITLES,
    EpisodeFacts,
    Token,
)
from capabilities.rules.names.paths import parse_path, read_folder
from capabilities.rules.naming import Named, Naming
from capabilities.rules.problems import Problem
from capabilities.rules.same_names import name_key
from capabilities.rules.shelf_paths import EpisodeStyle
from capabilities.rules.template_language import (
    Node,
    Slot,
    TemplateError,
    parsed,
    slots_of,
    texts_of,
)
from capabilities.rules.title_keys import title_key

_TOKENS: Final = {
    Named.FILM_FOLDER: OF_WORKS,
    Named.FILM_FILE: OF_FILMS,
    Named.SERIES_FOLDER: OF_WORKS,
    Named.SEASON_FOLDER: OF_SEASONS,
    Named.SPECIALS_FOLDER: OF_SEASONS,
    Named.EPISODE_FILE: OF_EPISODES,
    Named.SPECIAL_FILE: OF_EPISODES,
    Named.DAILY_FILE: OF_EPISODES,
    Named.ANIME_FILE: OF_EPISODES,
}
_OF_WORKS: Final = (Named.FILM_FOLDER, Named.SERIES_FOLDER)
_OF_EPISODES: Final = tuple(named for named, tokens in _TOKENS.items() if tokens is OF_EPISODES)
_IN_FORCE: Final = {
    EpisodeStyle.EPISODE: Named.EPISODE_FILE,
    EpisodeStyle.SPECIAL: Named.SPECIAL_FILE,
    EpisodeStyle.DAILY: Named.DAILY_FILE,
    EpisodeStyle.ANIME: Named.ANIME_FILE,
}
_TELLING: Final = frozenset({Token.YEAR, Token.ID, Token.TMDB, Token.IMDB, Token.TVDB})
_APART: Final = frozenset({Token.EPISODE_CODE, Token.EPISODE, Token.AIR_DATE, Token.ABSOLUTE})
_NO_NAME: Final = re.compile(r'[/\\:*?"|\x00-\x1f]')
_CODE: Final = re.compile(
    r"s\d{1,4}[ ._-]?e\d{1,4}(?:-?e\d{1,4})*|\b\d{1,2}x\d{1,4}", re.IGNORECASE
)
_RANGE: Final = re.compile(r"[ ._-]*-?\d+-\d|-\d")
_BARE: Final = re.compile(r"(?<![\w(\[{])\d{3,4}(?![\w)\]}])")
_SPECIALS: Final = "specials"
_YEARS: Final = range(1870, 2100)


@lru_cache(maxsize=32)
def template_problems(naming: Naming) -> tuple[Problem, ...]:
    """Every problem of the owner's own templates; those of a preset have none."""
    own = naming.templates.own()
    written = tuple(problem for named, text in own.items() for problem in _written(named, text))
    return written if written or not own else tuple(_tried(naming))


def _field(named: Named) -> str:
    return f"templates.{named.value}"


def _written(named: Named, text: str) -> Iterator[Problem]:
    """What is wrong with a template by itself."""
    try:
        nodes = parsed(text)
    except TemplateError as wrong:
        yield Problem(_field(named), wrong.why, wrong.cure)
        return
    found = list(_slots(named, nodes))
    found += _texts(named, nodes)
    yield from found or _telling(named, {slot.token for slot, _ in slots_of(nodes)})


def _slots(named: Named, nodes: tuple[Node, ...]) -> Iterator[Problem]:
    field, tokens = _field(named), _TOKENS[named]
    for slot, grouped in slots_of(nodes):
        if slot.token not in tokens:
            known = ", ".join(token.value for token in Token if token in tokens)
            why = f'"{slot.token[:40]}" is no token for the {_kind(named)}'
            yield Problem(field, why, f"the tokens are {known}")
        elif slot.digits and slot.token not in COUNTED:
            why = f'"{slot.token}" is no number that could have {slot.digits} digits'
            yield Problem(field, why, f"write {{{slot.token}}}")
        elif not grouped and slot.token not in ALWAYS:
            why = f'"{slot.token}" is not known of everything, and would leave a gap'
            yield Problem(field, why, f"put it with the text around it in a group: {_group(slot)}")


def _group(slot: Slot) -> str:
    digits = f":{slot.digits:02}" if slot.digits else ""
    return f"< ({{{slot.token}{digits}}})>"


def _kind(named: Named) -> str:
    return named.value.replace("_", " ")


def _texts(named: Named, nodes: tuple[Node, ...]) -> Iterator[Problem]:
    sign = next((found[0] for text in texts_of(nodes) if (found := _NO_NAME.search(text))), None)
    if sign is not None:
        cure = "a folder within a folder has a template of its own" if sign in "/\\" else "leave it"
        yield Problem(_field(named), f"no name can hold {sign!r}", f"{cure}; take it out")


def _telling(named: Named, tokens: set[str]) -> Iterator[Problem]:
    """Tokens without which two things would have one name."""
    field = _field(named)
    if named in _OF_EPISODES and tokens.isdisjoint(_APART):
        why = "no token in it tells one episode from another, so that all would have one name"
        yield Problem(field, why, "put in {episode_code}, or {season} and {episode}")
    elif named in _OF_EPISODES and Token.EPISODE in tokens and Token.SEASON not in tokens:
        why = "servers read {episode} only behind its season"
        yield Problem(field, why, "write S{season:02}E{episode:02}, or {episode_code}")
    if named in (*_OF_WORKS, Named.FILM_FILE) and tokens.isdisjoint(TITLES):
        yield Problem(field, "it lacks the title, which servers read", "put in {title}")
    if named in _OF_WORKS and tokens.isdisjoint(_TELLING):
        why = "two works of one title would share a folder"
        yield Problem(field, why, "put in the year or a number, as in {title}< ({year})>")
    if named is Named.SEASON_FOLDER and Token.SEASON not in tokens:
        why = "all seasons would share a folder"
        yield Problem(field, why, "put in the number, as in Season {season:02}")


def _tried(naming: Naming) -> Iterator[Problem]:
    """What comes out wrong, each template told once."""
    found: dict[Named, Problem] = {}
    taken: dict[str, Sample] = {}
    read: set[tuple[PurePosixPath, EpisodeFacts | None]] = set()
    for sample in tried():
        path = sample.path(naming)
        known = taken.setdefault(f"{sample.style}/{name_key(str(path))}", sample)
        wrong = _taken(sample, known, path) if known is not sample else None
        if wrong is None and (path, sample.facts) not in read:
            read.add((path, sample.facts))
            wrong = _misread(sample, path)
        named = _blamed(sample, naming)
        if wrong is not None and named not in found:
            found[named] = Problem(_field(named), *wrong)
    yield from found.values()


def _blamed(sample: Sample, naming: Naming) -> Named:
    """The own template by which the sample is named; where it is not the file's, the folder's."""
    own = naming.templates.own()
    if sample.facts is None:
        order = [Named.FILM_FILE, Named.FILM_FOLDER]
    else:
        inner = Named.SEASON_FOLDER if sample.facts.season else Named.SPECIALS_FOLDER
        order = [_IN_FORCE[sample.style], Named.EPISODE_FILE, inner, Named.SEASON_FOLDER]
        order.append(Named.SERIES_FOLDER)
    return next((named for named in order if named in own), next(iter(own)))


def _taken(sample: Sample, other: Sample, path: PurePosixPath) -> tuple[str, str]:
    why = f'"{path.name}" would be the name of two files, of a {sample.what} and of a {other.what}'
    return why, "put in a token that tells them apart, such as {episode_code} or {year}"


def _misread(sample: Sample, path: PurePosixPath) -> tuple[str, str] | None:
    """What a media server would take a name for, and the cure."""
    name = path.stem
    codes = list(_CODE.finditer(name))
    if len(codes) > 1:
        why = f'"{name}" says its episode twice, and servers read the second as another one'
        return why, "keep one of {episode_code} and {season} with {episode}"
    if codes and _RANGE.match(name[codes[0].end() :]):
        why = f'in "{name}" servers read the digits behind {codes[0][0]} as a range of episodes'
        return why, "put other text between them, such as brackets: [{air_date}]"
    front = name[: codes[0].start()] if codes else name
    if sample.facts and any(int(bare[0]) not in _YEARS for bare in _BARE.finditer(front)):
        why = f'in "{name}" servers read the bare number as season and episode'
        return why, "write it behind {episode_code}, as in {episode_code} - {absolute:03}"
    return _otherwise(sample, path)


def _otherwise(sample: Sample, path: PurePosixPath) -> tuple[str, str] | None:
    read, facts = parse_path(str(path)), sample.facts
    keys = {title_key(title) for title in read.titles}
    own = sample.work.title
    the = own.removeprefix("The ")
    if facts is None and keys.isdisjoint({title_key(own), title_key(the), f"{title_key(the)}the"}):
        why = f'"{path}" is not read as the film {own}, but as {read.title or "no title"}'
        return why, "begin with the title, and put the year in round brackets"
    if facts is None:
        return None
    folder = path.parts[-2]
    is_specials = not facts.season and folder.casefold() == _SPECIALS
    if not is_specials and read_folder(folder).seasons != (facts.season,):
        why = f'the folder "{folder}" is not read as that of season {facts.season}'
        return why, "write Season {season:02}, or Specials for season 0"
    if sample.style is EpisodeStyle.DAILY and read.air_date:
        return None
    if read.seasons != (facts.season,) or read.episodes != facts.episodes:
        said = f"season {read.seasons or 'none'}, episode {read.episodes or 'none'}"
        why = f'"{path}" is read as {said}'
        return why, "write the number as {episode_code}, and the folder as Season {season:02}"
    return None
