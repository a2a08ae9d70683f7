"""Plan to take a library into the inventory as it stands."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from capabilities.adapters.shelf.folders import Folders
from capabilities.inventory.adopting import Standing, look
from capabilities.inventory.adoption_plan import PLAN_TYPE, AdoptionPlan
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.adoption import Adoption
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.works import WorkKind
from ledger.clock import new_id
from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState

ASKING_S: Final = 25.0
"""Of one call, for the look and the titles; the rest is for what follows from them."""
SHOWN: Final = 20
LONGEST_PATH: Final = 4096


class Input(BaseModel, extra="forbid"):
    """Which library: one that is set up, or a folder that the owner names."""

    library: Annotated[
        WorkKind | None, Field(description="A library of the settings: film or series.")
    ] = None
    path: Annotated[
        str | None,
        Field(
            description="An absolute folder; outside the libraries of the settings only the owner "
            "may name it.",
            max_length=LONGEST_PATH,
        ),
    ] = None


class TitleFacts(BaseModel):
    """A work whose videos would be taken in."""

    title: str
    year: int | None
    kind: WorkKind
    grade: str
    files: int


class UnclearFacts(BaseModel):
    """What would be left, because it is not certain what it is."""

    title: str
    year: int | None
    grade: str
    files: int
    example: str
    why: str


class Output(BaseModel):
    """How far it is; a plan once every title is told. Nothing is moved, renamed or written to."""

    state: Literal["asking", "frozen", "nothing_new"]
    folder: str
    files: int
    videos: int
    titles: int
    titles_told: int
    silent: str | None = None
    plan: str | None = None
    revision: int | None = None
    payload_hash: str | None = None
    adopts: int = 0
    standing: int = 0
    works: list[TitleFacts] = []
    works_left_out: int = 0
    unclear: list[UnclearFacts] = []
    unclear_left_out: int = 0
    others: dict[str, int] = {}
    unreadable: dict[str, str] = {}


@capability(
    "inventory.plan",
    version=1,
    title="Plan to adopt a library",
    kind=Kind.PREVIEW,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.CALL,  # the library may be another one a moment later
    scope="plan",
    toolset=Toolset.ADMIN,
    use_when="See what taking an existing library into the inventory would mean: files by work "
    "with their grade, what is unclear, what is left. While it is pending or state is asking, call "
    "it again: it goes on where it stopped.",
    not_when="It moves and changes no file. A finished download is imported by itself.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"library": "series"},
)
async def plan(given: Input, context: Context) -> Outcome[Output]:
    """Look at the library, ask for its titles, and freeze what would be taken.

    The look is given by background work, and goes on there when it takes longer than a call may.
    Only drafts are written: of an adopted library, the inventory follows from the next look.
    """
    folder = _folder(given, context)
    standing = await look(folder, context, is_late=_after(ASKING_S, context))
    made = None
    if standing.adoption is not None and standing.adoption.files:
        made = _plan(folder, standing, standing.adoption, context)
        new = made
        context.stage(lambda tx: plans.add(tx, new))
    output = _output(folder, standing)
    if made is not None:
        (output.plan,) = await context.refer("plan", made.id)
        output.revision, output.payload_hash = made.revision, made.payload_hash
        output.state = "frozen"
    return Succeeded(output, _sentence(output))


def _after(seconds: float, context: Context) -> Callable[[], bool]:
    clock = context.ledger.clock
    until = clock.monotonic() + seconds
    return lambda: clock.monotonic() >= until


def _folder(given: Input, context: Context) -> Path:
    folders = context.part_if_configured(Folders)
    if given.path is None:
        if given.library is None:
            raise HaltError(_refused("Say which library: library, or path."))
        return context.part(Folders, "library").library(given.library)
    if not Path(given.path).is_absolute():
        raise HaltError(_refused("The folder must be an absolute path, and not the root."))
    # A link is followed before it is judged where the folder lies, and none below it.
    path = Path(given.path).resolve()
    if path == Path("/"):
        raise HaltError(_refused("The folder must be an absolute path, and not the root."))
    own = () if folders is None else (folders.films, folders.series)
    if not context.actor.decides and not any(path.is_relative_to(one) for one in own):
        raise HaltError(
            Refused(
                Code.DENIED,
                "Only the owner names a folder outside the libraries of the settings. Nothing "
                "was looked at.",
                {"who": "owner", "do": "Type `matinee import PATH` on a terminal."},
            )
        )
    return path


def _refused(sentence: str) -> Refused:
    return Refused(Code.INVALID_INPUT, sentence, {"example": {"library": "series"}})


def _plan(folder: Path, standing: Standing, made: Adoption, context: Context) -> Plan:
    body = AdoptionPlan(
        folder=str(folder),
        fingerprint=made.fingerprint,
        files=len(made.files),
        works=len(made.titles),
        unclear=sum(one.files for one in made.unclear),
    ).model_dump(mode="json")
    return Plan(
        id=new_id("plan"),
        type=PLAN_TYPE,
        state=PlanState.FROZEN,
        revision=1,
        payload_hash=plans.payload_hash(body),
        payload=body,
        card=_card(folder, standing, made, context),
        parent=None,
        run=context.run,
        created_by=str(context.actor),
        created_at=context.ledger.now(),
    )


def _card(folder: Path, standing: Standing, made: Adoption, context: Context) -> dict[str, Any]:
    shown = list(made.titles.items())[:SHOWN]
    return {
        "title": f"Take {len(made.files)} videos of {cleaned(str(folder), 400)} into the inventory",
        "changes": [
            f"{_titled(standing, id_)}: {files} {'file' if files == 1 else 'files'}, grade {grade}"
            for id_, (files, grade) in shown
        ],
        "left": [f"{cleaned(one.example, 400)}: {one.why}" for one in made.unclear[:SHOWN]],
        "asked_by": str(context.actor),
        "files": len(made.files),
    }


def _titled(standing: Standing, id_: str) -> str:
    work = standing.works[id_]
    return titled(work.title, work.year)


def _output(folder: Path, standing: Standing) -> Output:
    told, made = standing.told, standing.adoption
    output = Output(
        state="asking" if made is None else "nothing_new",
        folder=cleaned(str(folder), LONGEST_PATH),
        files=standing.files,
        videos=standing.videos,
        titles=len(told.groups),
        titles_told=told.done,
        silent=told.silent,
        others=standing.others,
        unreadable={cleaned(path, 400): why for path, why in standing.faults.items()},
    )
    if made is None:
        return output
    output.adopts, output.standing = len(made.files), made.standing
    output.works = [
        TitleFacts(
            title=cleaned(standing.works[id_].title),
            year=standing.works[id_].year,
            kind=standing.works[id_].key.kind,
            grade=grade,
            files=files,
        )
        for id_, (files, grade) in list(made.titles.items())[:SHOWN]
    ]
    output.works_left_out = len(made.titles) - len(output.works)
    output.unclear = [
        UnclearFacts(
            title=cleaned(one.title),
            year=one.year,
            grade=one.grade,
            files=one.files,
            example=cleaned(one.example, 400),
            why=cleaned(one.why, 400),
        )
        for one in made.unclear[:SHOWN]
    ]
    output.unclear_left_out = len(made.unclear) - len(output.unclear)
    return output


def _sentence(output: Output) -> str:
    match output.state:
        case "asking":
            told = f"{output.titles_told} of {output.titles} titles are told"
            why = f": {output.silent}" if output.silent else "; call it again to go on"
            return f"{output.files} files seen, {told}{why}."
        case "nothing_new":
            return f"Nothing to take in: {output.standing} videos are in the inventory already."
        case "frozen":
            works = len(output.works) + output.works_left_out
            return f"Frozen: {output.adopts} videos of {works} works."
