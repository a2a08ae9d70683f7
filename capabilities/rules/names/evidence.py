"""The second line that Chinese sites print beneath a release name, read as further evidence."""

import re
from dataclasses import replace
from typing import Final

from capabilities.rules.names.parsing import LONGEST_NAME, parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.tokens import is_east_asian

_PARTING: Final = re.compile(r"\s*[|\uff5c]\s*|\s+/\s+")


def with_second_line(name: ReleaseName, line: str) -> ReleaseName:
    """The name with what only its second line says.

    Its first piece is the work's other title; numbers count where the name itself has none.
    """
    pieces = [piece for piece in _PARTING.split(line[:LONGEST_NAME]) if piece.strip()]
    if not pieces:
        return name
    told = parse(" ".join(pieces))
    first = parse(pieces[0])
    title = first.title if is_east_asian(first.title) else ""
    known = title in name.titles or not title
    whole = told.complete and bool(name.seasons)
    return replace(
        name,
        title=name.title or title,
        alternative_titles=(
            name.alternative_titles if known else (*name.alternative_titles, title)
        ),
        kind=name.kind or told.kind,
        seasons=name.seasons or told.seasons,
        episodes=name.episodes or (() if name.absolute_episodes or whole else told.episodes),
        complete=name.complete or told.complete,
        subtitle_languages=name.subtitle_languages or told.subtitle_languages,
    )
