"""Say what a finished download is, where nobody could tell or it was told wrongly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.targets import Reach, Target
from capabilities.organize.assigning import ASSIGNED_BY, assign, in_the_way
from capabilities.organize.card import SHOWN
from capabilities.organize.freezing import freeze_import
from capabilities.organize.known import known_around
from capabilities.organize.plan import FileFacts, LeftFacts
from capabilities.rules.assigned_identity import Assigned, AssignedFile, problem
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.wording import counted
from capabilities.rules.works import WorkKind
from ledger.stores import decisions, downloads, plans, works
from ledger.stores.decisions import WAITING, DecisionKind
from ledger.stores.downloads import DownloadRow
from ledger.stores.works import WorkRow

MOST_FILES = 200
MOST_EPISODES = 20


class FileIdentity(BaseModel, extra="forbid"):
    """What one file holds."""

    path: Annotated[
        str, Field(description="As the decision or organize__plan shows it.", max_length=1000)
    ]
    season: Annotated[int | None, Field(description="0 for specials.", ge=0, le=999)] = None
    episodes: Annotated[
        list[Annotated[int, Field(ge=0, le=9999)]],
        Field(description="Of that season; none for a film.", max_length=MOST_EPISODES),
    ] = []


class Input(BaseModel, extra="forbid"):
    """Which import, and what it is; a decision or a download, not both."""

    work: Annotated[str, Field(description="A work from catalog__lookup.", max_length=60)]
    decision: Annotated[
        str | None, Field(description="The decision that asks for it.", max_length=60)
    ] = None
    download: Annotated[
        str | None, Field(description="A finished download instead.", max_length=60)
    ] = None
    season: Annotated[
        int | None, Field(description="Of all files that are not listed.", ge=0, le=999)
    ] = None
    files: Annotated[
        list[FileIdentity],
        Field(
            description="Files that do not say themselves what they hold.", max_length=MOST_FILES
        ),
    ] = []

    def assigned(self, paths: Sequence[str]) -> Assigned:
        """The same as the rules take it; of a download with files of these paths."""
        shown = {cleaned(path): path for path in paths}
        files = (
            AssignedFile(shown.get(one.path, one.path), one.season, tuple(one.episodes))
            for one in self.files
        )
        return Assigned(self.season, tuple(files))


class Output(BaseModel):
    """The new plan; its import is queued."""

    download: str
    work: str
    plan: str
    library: str
    files: list[FileFacts]
    left: list[LeftFacts]


@dataclass(frozen=True, slots=True)
class _About:
    """A download and what it is to be."""

    row: DownloadRow
    work: WorkRow
    paths: list[str]
    decision: str | None


async def target_of(given: Input, context: Context) -> Target:
    """The download, with the decision that asked and the work it is to be."""
    about = await _about(given, context)
    kind = WorkKind(about.work.kind)
    facts = {"download": about.row.id, "work": about.work.id, "decision": about.decision}
    reach = Reach(works=(about.work.id,), kind=kind.value, folder=Folders.name(kind))
    return Target("import", None, facts, reach=reach)


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse what is being verified or placed, and a word that does not fit the files."""
    del target
    about = await _about(given, context)
    why = await context.ledger.read(lambda conn: in_the_way(conn, about.row))
    if why is not None:
        raise HaltError(Refused(Code.PRECONDITION, f"{why} Nothing was changed."))
    wrong = problem(given.assigned(about.paths), about.paths, WorkKind(about.work.kind))
    if wrong is not None:
        said = f"files: {cleaned(wrong)}. Nothing was changed."
        raise HaltError(Refused(Code.INVALID_INPUT, said, {"files": about.paths[:SHOWN]}))


@capability(
    "organize.assign_identity",
    version=1,
    title="Say what a download is",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.CALL,  # the same word may be said again after another one
    scope="organize.assign_identity",
    toolset=Toolset.ORGANIZE,
    target=target_of,
    check=check,
    use_when="Say which work a finished download is, and which episodes its files hold, where "
    "that could not be told or was told wrongly. A new plan is frozen and its import queued.",
    not_when="Before anything was downloaded use identity__resolve. Only the owner, or the run "
    "that the decision was given to, may; a suggestion is not a choice.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"decision": "dec:1", "work": "work:2"},
)
async def assign_identity(given: Input, context: Context) -> Outcome[Output]:
    """Freeze the plan that follows from the word; everything is stored with the settlement."""
    about = await _about(given, context)
    assigned = given.assigned(about.paths)
    known = await known_around(about.row.id, context, work=about.work.id, assigned=assigned)
    frozen, payload = await freeze_import(known, context)
    made = replace(frozen, card={**frozen.card, ASSIGNED_BY: str(context.actor)})
    context.stage(lambda tx: assign(tx, context, known.row, assigned, made))
    (plan,) = await context.refer("plan", made.id)
    output = Output(
        download=(await context.refer("dl", about.row.id))[0],
        work=(await context.refer("work", about.work.id))[0],
        plan=plan,
        library=Folders.name(payload.kind),
        files=[
            FileFacts(source=cleaned(each.source.path), target=each.target, role=each.role)
            for each in payload.files[:SHOWN]
        ],
        left=[LeftFacts(path=cleaned(each.path), why=each.why) for each in payload.left[:SHOWN]],
    )
    files = counted(len(payload.files), "file")
    what = titled(known.work.title, known.work.year)
    return Succeeded(output, f"It is {what}: {files} will be placed in {output.library}.")


async def _about(given: Input, context: Context) -> _About:
    if (given.decision is None) == (given.download is None):
        raise HaltError(Refused(Code.INVALID_INPUT, "Give either a decision or a download."))
    decision = None
    if given.decision is not None:
        decision = await context.resolve("dec", given.decision)
        id_ = await _subject(decision, given.decision, context)
    else:
        id_ = await context.resolve("dl", str(given.download))
    row = await context.ledger.read(lambda conn: downloads.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, "There is no such download (any more)."))
    chosen = await context.resolve("work", given.work)
    work = await context.ledger.read(lambda conn: works.by_id(conn, chosen))
    if work is None:
        hint = "Look it up with catalog__lookup."
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no work {given.work!r}.", hint))
    parent = await context.ledger.read(lambda conn: plans.by_id(conn, row.plan))
    files: list[dict[str, Any]] = [] if parent is None else parent.payload["files"]
    return _About(row, work, [str(one["path"]) for one in files], decision)


async def _subject(decision: str, given: str, context: Context) -> str:
    asked = await context.ledger.read(lambda conn: decisions.by_id(conn, decision))
    if asked is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no decision {given!r}."))
    if asked.kind is not DecisionKind.IMPORT_UNIDENTIFIED or asked.subject is None:
        sentence = f"This decision asks for something else: {asked.kind}. Nothing was changed."
        raise HaltError(Refused(Code.PRECONDITION, sentence))
    if asked.state not in WAITING:
        sentence = f"This was settled already: {asked.resolution}. Nothing was changed."
        raise HaltError(Refused(Code.CONFLICT, sentence, {"resolution": asked.resolution}))
    return asked.subject
