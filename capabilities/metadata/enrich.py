"""Suggest what the metadata sources do not say of a work, with where it was read."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import titled
from ledger.stores import works


class Input(BaseModel, extra="forbid"):
    """Which work."""

    work: Annotated[str, Field(description="A work reference from catalog__lookup.", max_length=60)]


class Suggestion(BaseModel):
    """One fact that is not known yet, and the page that says it."""

    field: str
    value: str
    source: str


class Output(BaseModel):
    """Suggestions only; nothing of them is taken by itself."""

    work: str
    suggestions: list[Suggestion]


@capability(
    "metadata.enrich",
    version=1,
    title="Suggest missing metadata",
    kind=Kind.PREVIEW,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="plan",
    toolset=Toolset.LIBRARY,
    use_when="Suggest what the metadata sources do not say of a work, from the web, each with its "
    "page. Suggestions only: nothing is changed by them.",
    not_when="It is refused while no web search is set up; titles, years and seasons come from "
    "catalog__lookup.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=40,
    example={"work": "work:1"},
)
async def enrich(given: Input, context: Context) -> Outcome[Output]:
    """Refuse: without a web search there is nothing to suggest from."""
    id_ = await context.resolve("work", given.work)
    row = await context.ledger.read(lambda conn: works.by_id(conn, id_))
    if row is None:
        raise HaltError(
            Failed(Code.NOT_FOUND, f"There is no work {given.work[:60]!r}.", "Use catalog__lookup.")
        )
    return Refused(
        Code.PRECONDITION,
        f"Nothing can be suggested for {titled(row.title, row.year)}: no web search is set up, and "
        "this version has none to set up. Nothing was changed.",
        {"needs": "web.search", "do": "Use catalog__lookup for what the metadata sources say."},
    )
