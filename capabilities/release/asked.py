"""What a search is for: a work in the ledger, with the scope, or words."""

from dataclasses import dataclass

from capabilities.adapters.indexer.queries import FilmQuery, Query, SeriesQuery, TextQuery
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from capabilities.release.choice import Scope
from capabilities.rules.search_terms import searchable
from capabilities.rules.stored import work_from
from capabilities.rules.works import Work, WorkKind
from ledger.stores import works


@dataclass(frozen=True, slots=True)
class Asked:
    """What indexers are asked; no work where words were given."""

    query: Query
    scope: Scope
    work_id: str | None = None
    work: Work | None = None


async def asked(work: str | None, scope: Scope, words: str | None, context: Context) -> Asked:
    """What is meant by a reference or by words, of which one is given.

    Raises:
        HaltError: refused, both or none are given, or an episode without its season; failed, there
            is no such work.
    """
    if (work is None) == (words is None):
        said = "Give either a work or a query, not both."
        raise HaltError(Refused(Code.INVALID_INPUT, said, {"example": {"work": "work:1"}}))
    if scope.episode is not None and scope.season is None:
        example = {"work": "work:1", "season": 1, "episode": 2}
        raise HaltError(
            Refused(Code.INVALID_INPUT, "An episode needs its season.", {"example": example})
        )
    if work is None:
        return Asked(_text(words or ""), scope)
    id_ = await context.resolve("work", work)
    row = await context.ledger.read(lambda conn: works.by_id(conn, id_))
    if row is None:
        raise HaltError(
            Failed(Code.NOT_FOUND, f"There is no work {work!r}.", "Use catalog__lookup.")
        )
    known = work_from(row.body)
    return Asked(_query(known, scope), scope, id_, known)


def _text(words: str) -> TextQuery:
    try:
        return TextQuery(searchable(words))
    except ValueError as wrong:
        raise HaltError(Refused(Code.INVALID_INPUT, f"query: {wrong}.")) from wrong


def _query(work: Work, scope: Scope) -> Query:
    ids = {work.key.source: work.key.id, **work.external_ids}
    if work.key.kind is WorkKind.FILM:
        return FilmQuery(work.title, work.year, ids)
    return SeriesQuery(work.title, scope.season, scope.episode, ids)
