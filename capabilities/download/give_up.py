"""Give up a download that gets nothing, so that another release can take its place."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.download.failing import Block, Failure, record_failure
from capabilities.download.named import named
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import (
    Audience,
    Dedupe,
    Effect,
    Hints,
    Kind,
    Replay,
    Toolset,
    capability,
)
from capabilities.kernel.targets import Target
from capabilities.rules.holding import Hold
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stalling import clock_of
from capabilities.rules.under_way import ACTIVE
from ledger.stores import downloads, tasks
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction

GIVEN_UP = "failed"


class Input(BaseModel, extra="forbid"):
    """Which download."""

    download: Annotated[str, Field(description="A download, e.g. dl:1.", max_length=60)]


class Output(BaseModel):
    """The download, which stands still in its client from now on; what came of it is kept."""

    download: str
    title: str
    state: str = GIVEN_UP


async def target_of(given: Input, context: Context) -> Target:
    """The download, under the plan by which it was begun."""
    row = await named(given.download, context)
    return Target("download", None, {"download": row.id, "plan": row.plan})


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse what is complete, and what is over already."""
    del given
    row = await named(str(target.facts["download"]), context)
    if row.completed_at is not None or row.state not in ACTIVE:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"This download is {row.state.replace('_', ' ')}, so there is nothing to give up. "
                "Nothing was changed.",
                {"do": "See download__inspect."},
            )
        )


@capability(
    "download.give_up",
    version=1,
    title="Give up a download",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.CALL,
    scope="download.give_up",
    toolset=Toolset.ADMIN,
    audience=Audience.OWNER,
    target=target_of,
    check=check,
    use_when="Give up a download that gets nothing: it stands still, its release is not taken "
    "again, and the next one is taken where the owner lets that happen, or offered to them.",
    not_when="To take it out of its client, use download__remove.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"download": "dl:1"},
)
async def give_up(given: Input, context: Context) -> Outcome[Output]:
    """Write its end down; whoever follows it lets it stand still, and looks for the next one."""
    row = await named(given.download, context)
    (reference,) = await context.refer("dl", row.id)
    by = str(context.actor)

    def write(tx: Transaction) -> None:
        now = downloads.by_id(tx.conn, row.id)
        if now is None or now.completed_at is not None:
            raise HaltError(Refused(Code.CONFLICT, "It arrived just now. Nothing was changed."))
        record_failure(tx, context.ledger, now, _failure(now, by))
        for task in tasks.of_subject(tx.conn, now.id):
            context.ledger.engine.wake(tx, "task", task.id)

    context.stage(write)
    title = cleaned(row.name)
    return Succeeded(
        Output(download=reference, title=title),
        f"{title} was given up. What came of it lies in {row.client} until it is removed there.",
    )


def _failure(row: DownloadRow, by: str) -> Failure:
    """A magnet that nobody could look into says nothing about its release, so it is not blocked."""
    known = clock_of(row.facts).has_files
    return Failure(
        "You gave it up, since nothing came of it.",
        GIVEN_UP,
        Hold.GIVEN_UP,
        Block.WORK if known else Block.NOTHING,
        by=by,
    )
