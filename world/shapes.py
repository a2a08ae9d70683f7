"""The tools as the acquisition script knows them: every name it reads or writes stands here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from world.dialogue import Call, Conversation, Json, Result

UPDATE_PLAN = "update_plan"
LOOKUP = "catalog__lookup"
SEARCH = "release__search"
RESOLVE = "identity__resolve"
DRAFT = "download__plan"
SUBMIT = "download__submit"

# What an answer must hold to be one; anything else is a refusal or an error.
_ANSWERS_WITH = {
    LOOKUP: "works",
    SEARCH: "candidates",
    RESOLVE: "accepted",
    DRAFT: "plan",
    SUBMIT: "download",
}
_OPEN = frozenset({"unknown", "pending"})
_NOT_DONE = _OPEN | {"failed", "refused"}


@dataclass(frozen=True, slots=True)
class Work:
    """One work of a lookup."""

    ref: str
    title: str
    other_titles: tuple[str, ...]
    year: int | None
    kind: str
    in_library: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """One release of a search, with the verdicts that came with it."""

    ref: str
    resolution: str
    size: str
    seeders: int | None
    source: str
    same_work: bool
    accepted: bool
    rank: int
    objections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the plan as it is to be recorded."""

    id: str
    title: str
    status: str
    evidence: str = ""


def plan_update(goal: str, steps: Sequence[Step]) -> Call:
    """Record the plan; only steps that are done carry evidence."""
    written = [
        {"id": step.id, "title": step.title, "status": step.status}
        | ({"evidence": step.evidence} if step.evidence else {})
        for step in steps
    ]
    return Call(UPDATE_PLAN, {"goal": goal, "steps": written})


def is_plan_complete(plan: Result) -> bool:
    """Whether an update recorded every step as completed."""
    return all(step["status"] == "completed" for step in plan.call.arguments_object()["steps"])


def lookup(title: str) -> Call:
    """Find works by title."""
    return Call(LOOKUP, {"query": title})


def search(work: Work) -> Call:
    """Find releases of a work."""
    return Call(SEARCH, {"work": work.ref})


def resolve(release: Candidate) -> Call:
    """Have the identity of a release decided."""
    return Call(RESOLVE, {"release": release.ref})


def draft(release: Candidate) -> Call:
    """Draft the download of a release."""
    return Call(DRAFT, {"release": release.ref})


def submit(plan: str) -> Call:
    """Hand a drafted download over."""
    return Call(SUBMIT, {"plan": plan})


def works(answer: Json) -> list[Work]:
    """The works of a lookup."""
    return [
        Work(
            ref=item["work"],
            title=item["title"],
            other_titles=tuple(item.get("other_titles") or ()),
            year=item.get("year"),
            kind=item.get("kind", ""),
            in_library=bool(item.get("in_library")),
        )
        for item in answer["works"]
    ]


def candidates(answer: Json) -> list[Candidate]:
    """The releases of a search, in the order in which they were shown."""
    return [_candidate(item) for item in answer["candidates"]]


def silent_sources(answer: Json) -> int:
    """How many sources did not answer a search."""
    return len(answer.get("failures") or ())


def is_identity_accepted(answer: Json) -> bool:
    """Whether the identity of a release counts as known."""
    return bool(answer["accepted"])


def plan_ref(answer: Json) -> str:
    """The reference of a draft."""
    return answer["plan"]


def download_ref(answer: Json) -> str:
    """The reference of a submitted download."""
    return answer["download"]


def download_state(answer: Json) -> str:
    """The state word of a submitted download."""
    return str(answer.get("state", "")).replace("_", " ")


def is_refusal(result: Result) -> bool:
    """Whether a tool did not do, or not finish, what it was asked."""
    document = result.document
    wanted = _ANSWERS_WITH.get(result.call.name)
    if document.get("error") or document.get("status") in _NOT_DONE:
        return True
    return wanted not in document if wanted else "code" in document


def is_open(result: Result) -> bool:
    """Whether a tool may have done what it was asked without having said so."""
    return result.document.get("status") in _OPEN


def latest_answer(conversation: Conversation, tool: str) -> Json | None:
    """The newest answer of a tool that is none of its refusals."""
    answers = [each for each in conversation.results_of(tool) if not is_refusal(each)]
    return answers[-1].document if answers else None


def unreported_refusal(conversation: Conversation) -> Result | None:
    """The newest refusal that the owner has not been told of."""
    refusals = [each for each in conversation.results if is_refusal(each) and not each.reported]
    return refusals[-1] if refusals else None


def _candidate(item: Json) -> Candidate:
    identity: Json = item.get("identity") or {}
    return Candidate(
        ref=item["release"],
        resolution=_resolution(item.get("resolution")),
        size=_size(item.get("size_gb")),
        seeders=item.get("seeders"),
        source=item.get("source") or "",
        same_work=identity.get("verdict") == "same",
        accepted=item.get("accepted") is True,
        rank=item["rank"],
        objections=tuple(_sentence(reason) for reason in item.get("reasons") or ()),
    )


def _sentence(reason: Mapping[str, str] | str) -> str:
    return reason if isinstance(reason, str) else reason["sentence"]


def _resolution(value: object) -> str:
    return f"{value}p" if isinstance(value, int) else str(value or "")


def _size(value: object) -> str:
    """A size for people; tools give gigabytes."""
    return f"{value} GB" if isinstance(value, int | float) else ""
