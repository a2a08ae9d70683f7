"""Look up films and series by title or external id."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from capabilities.rules.search_terms import searchable
from capabilities.rules.stored import work_json
from capabilities.rules.works import TitleKind, Work, WorkKey, WorkKind
from ledger.database import Snapshot
from ledger.stores import shelf, works

TITLES_SHOWN = 6
_IMDB_ID = re.compile(r"tt[0-9]{7,12}")
_TMDB_ID = re.compile(rf"tmdb:({'|'.join(WorkKind)}):[0-9]{{1,18}}")


class Input(BaseModel, extra="forbid"):
    """What is looked for: a title, or an id at a metadata source."""

    query: Annotated[str | None, Field(description="A title in any language.", max_length=200)] = (
        None
    )
    id: Annotated[
        str | None,
        Field(
            description="An id instead of a title: tmdb:film:45745, tmdb:series:1399 or tt1727587.",
            max_length=40,
        ),
    ] = None
    kind: Annotated[WorkKind | None, Field(description="Only films or only series.")] = None
    year: Annotated[int | None, Field(description="Year of release.", ge=1870, le=2200)] = None
    limit: Annotated[int, Field(description="Most works to answer.", ge=1, le=20)] = 5


class SeasonFacts(BaseModel):
    """A season in short."""

    number: int
    year: int | None
    episodes: int


class WorkFacts(BaseModel):
    """A work as a client sees it."""

    work: str
    title: str
    year: int | None
    kind: WorkKind
    id: str
    external_ids: dict[str, str]
    other_titles: list[str]
    seasons: list[SeasonFacts]
    in_library: bool


class Output(BaseModel):
    """Works, best match first."""

    works: list[WorkFacts]


@capability(
    "catalog.lookup",
    version=1,
    title="Look up works",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.LIBRARY,
    use_when="Find a film or series by title or external id, with its years, titles in several "
    "languages, seasons, and whether it is in the library. Start here: the work reference it "
    "gives is what release__search takes.",
    not_when="Not for finding downloads or files.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=True),
    timeout=40,
    example={"query": "Sintel", "year": 2010},
)
async def lookup(given: Input, context: Context) -> Outcome[Output]:
    """Ask the metadata source; what it knows is kept, so that references stay good."""
    found = await _found(given, context.part(Tmdb, "metadata source"))
    ids = await context.ledger.write(
        lambda tx: [
            works.keep(
                tx,
                key=str(work.key),
                kind=work.key.kind,
                title=work.title,
                year=work.year,
                body=work_json(work),
                at=context.ledger.now(),
            )
            for work in found
        ]
    )
    shown = await context.refer("work", *ids)
    there = await context.ledger.read(lambda conn: _on_shelf(conn, ids))
    facts = [
        _facts(work, reference, here)
        for work, reference, here in zip(found, shown, there, strict=True)
    ]
    sentence = f"{len(facts)} found." if facts else "Nothing found; try another spelling."
    return Succeeded(Output(works=facts), sentence)


async def _found(given: Input, tmdb: Tmdb) -> list[Work]:
    """The works in full: a row of a list lacks most titles and ids, and would replace them."""
    if (given.query is None) == (given.id is None):
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                "Give either a query or an id, not both.",
                {"example": {"query": "Sintel"}},
            )
        )
    if given.id is not None:
        return await _by_id(given.id.strip(), tmdb)
    try:
        term = searchable(given.query or "")
    except ValueError as wrong:
        raise HaltError(Refused(Code.INVALID_INPUT, f"query: {wrong}.")) from wrong
    rows = await tmdb.search(term, kind=given.kind, year=given.year, limit=given.limit)
    return await _in_full([row.key for row in rows], tmdb)


async def _by_id(id_: str, tmdb: Tmdb) -> list[Work]:
    if _IMDB_ID.fullmatch(id_):
        return await _in_full([row.key for row in await tmdb.find(id_)], tmdb)
    if _TMDB_ID.fullmatch(id_):
        source, kind, number = id_.split(":")
        return await _in_full([WorkKey(source, WorkKind(kind), number)], tmdb)
    raise HaltError(
        Refused(
            Code.INVALID_INPUT,
            f"id: {id_!r} is not an id known here.",
            {"example": {"id": "tmdb:film:45745"}},
        )
    )


async def _in_full(keys: Sequence[WorkKey], tmdb: Tmdb) -> list[Work]:
    return [work for key in keys if (work := await tmdb.work(key)) is not None]


def _on_shelf(conn: Snapshot, ids: Sequence[str]) -> list[bool]:
    return [bool(shelf.assets(conn, work=id_)) for id_ in ids]


def _facts(work: Work, reference: str, here: bool) -> WorkFacts:
    others: dict[str, Any] = {
        cleaned(title.text): None
        for title in work.titles
        if title.kind is not TitleKind.MAIN and title.text != work.title
    }
    return WorkFacts(
        work=reference,
        title=cleaned(work.title),
        year=work.year,
        kind=work.key.kind,
        id=str(work.key),
        external_ids=dict(work.external_ids),
        other_titles=list(others)[:TITLES_SHOWN],
        seasons=[
            SeasonFacts(number=each.number, year=each.year, episodes=each.episode_count)
            for each in work.seasons
        ],
        in_library=here,
    )
