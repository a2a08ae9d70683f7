"""Every work that a title may mean, with all its titles: what grading an identity rests on."""

from collections.abc import Sequence

from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.rules.works import Work, WorkKind

MOST = 8


async def candidates_for(
    tmdb: Tmdb, titles: Sequence[str], kind: WorkKind | None, known: Sequence[Work] = ()
) -> list[Work]:
    """The known works and those a search for any of the titles finds, each once, in full.

    Raises:
        WorldFaultError: the metadata source could not be asked; nothing is concluded then.
    """
    found = {work.key: work for work in known}
    for title in dict.fromkeys(title for title in titles if title.strip()):
        for row in await tmdb.search(title, kind=kind, limit=MOST):
            if row.key not in found:
                found[row.key] = await tmdb.work(row.key) or row
    return list(found.values())
