"""What a task is about: the task itself, and the download that it works at, where there is one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError
from capabilities.kernel.owing import IMPORT, TRACK, VERIFY
from capabilities.kernel.targets import Reach, Target
from ledger.database import Snapshot
from ledger.stores import downloads, shelf, tasks
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow, TaskState

NEEDS_OWNER: Final = "needs_owner"
IMPORTING: Final = "importing"
WORDS: Final[Mapping[str, str]] = {
    TRACK: "following a download",
    IMPORT: "importing a download",
    VERIFY: "verifying what was imported",
}
"""What a kind of task does, as the middle of a sentence."""


class Input(BaseModel, extra="forbid"):
    """Which task."""

    task: Annotated[
        str, Field(description="A task reference, e.g. task:3.", min_length=1, max_length=60)
    ]


class Output(BaseModel):
    """How the task stands now."""

    task: str
    kind: str
    state: TaskState


@dataclass(frozen=True, slots=True)
class Subject:
    """A task and its download; None where it is about something else."""

    task: TaskRow
    download: DownloadRow | None

    @property
    def words(self) -> str:
        """What it does, as the middle of a sentence."""
        return WORDS.get(self.task.kind, f"a task of the kind {self.task.kind}")

    @property
    def doing(self) -> str:
        """What it did last or waits for, where it said so; a sentence."""
        last = self.task.steps[-1] if self.task.steps else {}
        said = last.get("step") or last.get("error")
        return "" if said is None else f" Last: {str(said).rstrip('.')}."


async def target_of(given: Input, context: Context) -> Target:
    """The task, and what a grant must cover."""
    about = await found(given.task, context)
    row, facts = about.download, {"task": about.task.id, "kind": about.task.kind}
    reach = Reach() if row is None else Reach(works=(row.work,), downloader=row.client)
    return Target("task", f"task:{about.task.id}", facts, reach=reach)


async def found(given: str, context: Context) -> Subject:
    """The task behind a reference or an id.

    Raises:
        HaltError: there is none.
    """
    if given.startswith(("dl:", "dl_")):
        raise HaltError(
            Failed(
                Code.NOT_FOUND,
                "That is a download, not a task.",
                "Use download__inspect: it names its tasks.",
            )
        )
    id_ = await context.resolve("task", given)
    about = await context.ledger.read(lambda conn: subject_of(conn, id_))
    if about is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no task {given[:60]!r}."))
    return about


def subject_of(conn: Snapshot, task: str) -> Subject | None:
    """The same inside a transaction, as it stands there."""
    row = tasks.by_id(conn, task)
    if row is None:
        return None
    record = shelf.record_by_id(conn, row.subject)
    download = row.subject if record is None else record.download
    return Subject(row, downloads.by_id(conn, download))
