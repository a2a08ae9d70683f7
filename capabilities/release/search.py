"""Ask the indexers, and say of each offer what it is and what the policy says of it."""

from collections.abc import Sequence
from typing import Annotated

from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.indexer.indexers import Indexers, SearchAnswer
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.release.asked import Asked, asked
from capabilities.release.candidate_facts import CandidateFacts
from capabilities.release.choice import Scope, Selection, selection
from capabilities.release.choice_facts import ChoiceFacts, choice_facts, choice_sentence
from capabilities.release.first_seen import as_first_seen
from capabilities.release.judging import SEARCH_S, Asking, Judged, judged, named
from capabilities.release.looking_up import looked_up
from capabilities.release.shown import shown_facts, to_show
from capabilities.release.standard import Standard, standard
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stored import found_json
from capabilities.rules.wording import counted
from ledger.stores import releases
from ledger.stores.releases import NewRelease


class Input(BaseModel, extra="forbid"):
    """What is wanted: a work (with season and episode for series), or words."""

    work: Annotated[
        str | None,
        Field(description="A work reference from catalog__lookup, e.g. work:1.", max_length=60),
    ] = None
    season: Annotated[int | None, Field(description="Season of a series.", ge=0, le=200)] = None
    episode: Annotated[int | None, Field(description="Episode of that season.", ge=0, le=5000)] = (
        None
    )
    query: Annotated[
        str | None,
        Field(description="Words of a release name, instead of a work.", max_length=200),
    ] = None
    limit: Annotated[int, Field(description="Most candidates to answer.", ge=1, le=50)] = 15


class FailureFacts(BaseModel):
    """An indexer that did not answer in full."""

    indexer: str
    sentence: str


class Output(BaseModel):
    """Candidates by rank, which indexers are missing, and how many offers were not judged.

    ``choice``: where a work was asked for, what of it is missing, and what becomes of that.
    ``open``: what the metadata sources did not say, and what that leaves open.
    """

    candidates: list[CandidateFacts]
    choice: ChoiceFacts | None
    total: int
    not_judged: int = 0
    left_out: int
    failures: list[FailureFacts]
    open: list[str]


@capability(
    "release.search",
    version=1,
    title="Search releases",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="Find releases of a work: ranked candidates with their parsed parts, whether each is "
    "really that work, what the owner's policy says of it with the reason for each rejection, and "
    "which of them to take for what is missing. "
    "Indexers that fail are named and the rest is answered.",
    not_when="It downloads nothing; go on with identity__resolve and download__plan.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"work": "work:1"},
)
async def search(given: Input, context: Context) -> Outcome[Output]:
    """Ask all indexers side by side, judge every offer, keep them under references."""
    indexers = context.part(Indexers, "indexer")
    wanted = await asked(given.work, Scope(given.season, given.episode), given.query, context)
    await context.report(0, None, "Asking the indexers.")
    answer = await _answer(indexers, wanted)
    await context.report(1, None, f"{counted(len(answer.found), 'offer')}; judging them.")
    by = await _standard(wanted, context)
    asking = Asking(
        by,
        context.ledger.now(),
        priorities=indexers.priorities,
        by_hand=context.actor.decides,
        seconds=SEARCH_S,
    )
    found = await as_first_seen(answer.found, asking.now, context)
    # Owners' expressions and a thousand names take seconds, which everybody else would wait for.
    offers = await to_thread.run_sync(named, found, by.identity.words, asking.now)
    told = await looked_up(asking, offers, wanted, context)
    asking = told.asking
    ranked = await to_thread.run_sync(judged, offers, asking)
    made = await _selection(ranked, wanted, asking)
    kept = to_show(ranked, made, given.limit)
    names = await _kept(kept, wanted.work_id, by.version, context)
    references = {each.rank: name for each, name in zip(kept, names, strict=True)}
    facts = shown_facts(kept, made, references)
    shown = {each.rank for each in facts}
    choice = None if made is None else choice_facts(made, references, shown)
    output = _output(answer, facts, choice, told.open, judged_in_all=len(ranked))
    return Succeeded(output, _sentence(output, sum(each.accepted for each in ranked)))


async def _answer(indexers: Indexers, wanted: Asked) -> SearchAnswer:
    """What they offer.

    Raises:
        HaltError: refused, none is configured; failed and may be tried again, none of them answered
            in full or had anything.
    """
    if not indexers.priorities:
        sentence = "No indexer is configured: no release can be found."
        raise HaltError(
            Refused(
                Code.PRECONDITION, sentence, {"do": "Add an [[indexers]] table to settings.toml."}
            )
        )
    answer = await indexers.search_all(wanted.query)
    failures = _failures(answer)
    if len(failures) == len(indexers.priorities) and not answer.found:
        raise HaltError(
            Failed(
                Code.UNAVAILABLE,
                f"No indexer answered in full: {failures[0].indexer}: {failures[0].sentence}",
                "Nothing was changed; try again later, or see `matinee doctor`.",
                retry=True,
                details={"failures": [each.model_dump() for each in failures]},
            )
        )
    return answer


def _failures(answer: SearchAnswer) -> list[FailureFacts]:
    return [FailureFacts(indexer=each.name, sentence=each.sentence) for each in answer.failures]


async def _standard(wanted: Asked, context: Context) -> Standard:
    by = await standard(wanted.work_id, context)
    if by is None:
        raise HaltError(Refused(Code.PRECONDITION, "No acquisition policy is published."))
    return by


async def _selection(ranked: list[Judged], wanted: Asked, asking: Asking) -> Selection | None:
    by = asking.by
    if by.work is None:
        return None
    today = asking.now.date()
    return await to_thread.run_sync(selection, ranked, by.work, wanted.scope, by, today)


def _output(
    answer: SearchAnswer,
    facts: list[CandidateFacts],
    choice: ChoiceFacts | None,
    left_open: Sequence[str],
    *,
    judged_in_all: int,
) -> Output:
    return Output(
        candidates=facts,
        choice=choice,
        total=len(answer.found),
        not_judged=len(answer.found) - judged_in_all,
        left_out=len(answer.found) - len(facts),
        failures=_failures(answer),
        open=[cleaned(one) for one in left_open],
    )


def _sentence(output: Output, accepted: int) -> str:
    parts = [f"{counted(output.total, 'offer')}, {accepted} acceptable."]
    if output.choice is not None:
        parts.append(choice_sentence(output.choice))
    if output.not_judged:
        parts.append(
            f"{output.not_judged} were not judged, because the time for it was used up; search for "
            "one season or episode, or make the expressions of the policy simpler."
        )
    parts += [f"Open: {one}." for one in output.open]
    if output.failures:
        parts.append(f"{counted(len(output.failures), 'indexer')} did not answer in full.")
    return " ".join(parts)


async def _kept(
    ranked: list[Judged], work: str | None, version: int, context: Context
) -> list[str]:
    at = context.ledger.now()
    ids = await context.ledger.write(
        lambda tx: [
            releases.keep(
                tx,
                NewRelease(
                    indexer=each.found.indexer,
                    guid=each.found.guid,
                    title=each.found.title,
                    size=each.found.size,
                    info_hash=each.found.info_hash,
                    found=found_json(each.found),
                    work=work,
                    judgement=each.stored(version),
                ),
                at,
            )
            for each in ranked
        ]
    )
    return await context.refer("rel", *ids)
