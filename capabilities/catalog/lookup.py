"""Look up films and series by title or external id."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.metadata.catalogue import Answers, Catalogue
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
_OWN_ID = re.compile(rf"(tmdb|tvmaze|anilist):({'|'.join(WorkKind)}):[0-9]{{1,18}}")
_NUMBER_ELSEWHERE = re.compile(rf"(tvdb|mal):({'|'.join(WorkKind)}):[0-9]{{1,12}}")
_NO_FILMS = (
    "No key of TMDB is set, so films are not looked up, save for anime. "
    "Seal one with `matinee secret set metadata.tmdb.key`."
)


class Input(BaseModel, extra="forbid"):
    """What is looked for: a title, or an id at a metadata source."""

    query: Annotated[str | None, Field(description="A title in any language.", max_length=200)] = (
        None
    )
    id: Annotated[
        str | None,
        Field(
            description="An id instead of a title: tmdb:film:45745, tvmaze:series:82, "
            "anilist:series:21, tvdb:series:81189 or tt1727587.",
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
    disagreements: list[str]


class MissingFacts(BaseModel):
    """A metadata source whose answer is missing, and why."""

    source: str
    sentence: str


class Output(BaseModel):
    """Works, best match first, and which sources are missing."""

    works: list[WorkFacts]
    missing: list[MissingFacts]


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
    """Ask the metadata sources; what they know is kept, so that references stay good."""
    catalogue = context.part(Catalogue, "metadata source")
    answers = await _answers(given, catalogue)
    found = answers.works
    missing = list(_missing(answers, given, catalogue))
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
    return Succeeded(Output(works=facts, missing=missing), _sentence(len(facts), missing))


async def _answers(given: Input, catalogue: Catalogue) -> Answers:
    if (given.query is None) == (given.id is None):
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                "Give either a query or an id, not both.",
                {"example": {"query": "Sintel"}},
            )
        )
    if given.id is not None:
        return await _by_id(given.id.strip(), catalogue)
    try:
        term = searchable(given.query or "")
    except ValueError as wrong:
        raise HaltError(Refused(Code.INVALID_INPUT, f"query: {wrong}.")) from wrong
    return await catalogue.search(term, kind=given.kind, year=given.year, limit=given.limit)


async def _by_id(id_: str, catalogue: Catalogue) -> Answers:
    if _IMDB_ID.fullmatch(id_):
        return await catalogue.find({"imdb": id_})
    if _OWN_ID.fullmatch(id_):
        source, kind, number = id_.split(":")
        return await catalogue.work(WorkKey(source, WorkKind(kind), number))
    if _NUMBER_ELSEWHERE.fullmatch(id_):
        source, kind, number = id_.split(":")
        return await catalogue.find({source: number}, WorkKind(kind))
    raise HaltError(
        Refused(
            Code.INVALID_INPUT,
            f"id: {id_!r} is not an id known here.",
            {"example": {"id": "tmdb:film:45745"}},
        )
    )


def _missing(answers: Answers, given: Input, catalogue: Catalogue) -> Iterator[MissingFacts]:
    for silent in answers.silent:
        yield MissingFacts(source=silent.label, sentence=silent.fault.sentence)
    if given.kind is not WorkKind.SERIES and catalogue.leading(WorkKind.FILM) is None:
        yield MissingFacts(source="TMDB", sentence=_NO_FILMS)


def _sentence(found: int, missing: Sequence[MissingFacts]) -> str:
    if missing:
        names = ", ".join(dict.fromkeys(each.source for each in missing))
        return f"{found} found, without {names}, which may know more."
    return f"{found} found." if found else "Nothing found; try another spelling."


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
        disagreements=[cleaned(each.sentence) for each in work.disagreements],
    )
