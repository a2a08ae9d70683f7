"""Have one torrent checked anew, or let it run again where nobody meant it to stand still."""

from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, Final

import svcs
from pydantic import BaseModel, Field

from capabilities.adapters.downloader.port import (
    ClientState,
    Downloader,
    Downloaders,
    Pauser,
    Transfer,
)
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.named import named
from capabilities.download.owning import has_it
from capabilities.download.rechecking import Checked, hash_anew, is_shared
from capabilities.download.standing_still import CHECKED_FACT, why_not_resumed
from capabilities.kernel import fault_points
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.targets import Reach, Target
from capabilities.rules.outside_text import cleaned
from ledger.ledger import Ledger
from ledger.stores import downloads, tasks
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction

HELD_STATES: Final = frozenset({ClientState.MISSING_FILES, ClientState.FAILED})
GONE: Final = "none"
RUNNING: Final = "running"


class How(StrEnum):
    """What is done to it."""

    RECHECK = "recheck"
    RESUME = "resume"


class Input(BaseModel, extra="forbid"):
    """Which download, and what is to be done."""

    download: Annotated[
        str, Field(description="A download reference, e.g. dl:3.", min_length=1, max_length=60)
    ]
    how: Annotated[
        How,
        Field(description="Hash everything on disk anew, or let it run again after an error."),
    ] = How.RECHECK


class Output(BaseModel):
    """How the torrent stands now; `held` where it stays stopped until all of it is there."""

    download: str
    title: str
    client: str
    how: How
    state: str
    complete: bool
    held: bool


async def target_of(given: Input, context: Context) -> Target:
    """The torrent, and whether others see what is written into its files."""
    row = await named(given.download, context)
    clients = context.part(Downloaders, "download client")
    found: tuple[Downloader, Transfer] | None = None
    with suppress(WorldFaultError):  # what is known of an earlier call is answered all the same
        found = await has_it(row, clients)
    client, before, guarded = row.client, GONE, True
    if found is not None:
        client, before = found[0].name, _before(found[1])
        guarded = await is_shared(row, found[1], context.part_if_configured(Folders))
    facts = {
        "download": row.id,
        "info_hash": row.info_hash,
        "client": client,
        "how": given.how.value,
        "before": before,
        "guarded": guarded,
    }
    reach = Reach(works=(row.work,), downloader=client)
    return Target("torrent", f"{given.how}:btih:{row.info_hash}", facts, reach=reach)


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a torrent that is nowhere, and a pause that somebody meant."""
    row, transfer = await _here(str(target.facts["download"]), context)
    if given.how is How.RESUME:
        guarded = bool(target.facts["guarded"])
        why = await context.ledger.read(
            lambda conn: why_not_resumed(conn, row, transfer, guarded=guarded)
        )
        if why is not None:
            raise HaltError(
                Refused(Code.PRECONDITION, f"{why.sentence} Nothing was done.", {"do": why.cure})
            )


async def probe(target: Target, parts: svcs.Container) -> Finding:
    """Look what the client does with the torrent; a check that is over leaves no trace."""
    facts = target.facts
    found = await parts.get(Downloaders).find(str(facts["info_hash"]))
    if found is None:
        return Finding(Verdict.NOT_APPLIED, {"client": None})
    client, transfer = found
    now = _before(transfer)
    seen = {"client": client.name, "state": transfer.state.value, "before": facts["before"]}
    if facts["how"] == How.RESUME:
        same = now == facts["before"]
        return Finding(Verdict.NOT_APPLIED if same else Verdict.APPLIED, seen)
    if transfer.state is ClientState.CHECKING:
        return Finding(Verdict.APPLIED, seen)
    if facts["before"] in HELD_STATES:
        held = transfer.state.value == facts["before"]
        return Finding(Verdict.NOT_APPLIED if held else Verdict.APPLIED, seen)
    why = "a check leaves no trace, so it is begun again, which changes nothing else"
    return Finding(Verdict.PARTLY, {**seen, "reason": why})


async def adopt(target: Target, finding: Finding, context: Context) -> Outcome[Output]:
    """Answer for what was found; a check of which no trace is left is begun again."""
    row, transfer = await _here(str(target.facts["download"]), context)
    if finding.verdict is Verdict.PARTLY:
        return await _check(row, target.facts, context)
    held = bool(target.facts["guarded"]) and transfer.state is ClientState.CHECKING
    checked = Checked(transfer.state, transfer.complete, held)
    return await _answer(row, target.facts, checked, context)


@capability(
    "download.recheck",
    version=1,
    title="Recheck a download",
    kind=Kind.EXECUTE,
    effect=Effect.WORLD,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="download.recheck",
    toolset=Toolset.ACQUIRE,
    target=target_of,
    check=check,
    probe=probe,
    adopt=adopt,
    use_when="Have one torrent hash its files anew, when files are missing or in doubt; or with "
    "`how` resume, let it run again after an error.",
    not_when="What the owner paused, or what is held for want of space or for danger, is not "
    "resumed. Source, path and files stay as they are.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=40,
    example={"download": "dl:1", "how": "recheck"},
)
async def recheck(given: Input, context: Context) -> Outcome[Output]:
    """Do it to that one torrent, in the client that has it."""
    row, transfer = await _here(given.download, context)
    guarded = await is_shared(row, transfer, context.part_if_configured(Folders))
    facts: dict[str, Any] = {"how": given.how, "guarded": guarded}
    if given.how is How.RECHECK:
        return await _check(row, facts, context)
    found = await has_it(row, context.part(Downloaders, "download client"))
    if found is None:
        raise HaltError(_nowhere())
    client = found[0]
    fault_points.at("before_send")
    await client.resume(row.info_hash, by=Pauser.US)
    fault_points.at("answered")
    now = await client.transfer(row.info_hash) or transfer
    return await _answer(row, facts, Checked(now.state, now.complete, held=False), context)


async def _check(row: DownloadRow, facts: Mapping[str, Any], context: Context) -> Outcome[Output]:
    found = await has_it(row, context.part(Downloaders, "download client"))
    if found is None:
        raise HaltError(_nowhere())
    fault_points.at("before_send")
    before = facts.get("before") == RUNNING or row.facts.get(CHECKED_FACT) is True
    checked = await hash_anew(*found, guarded=bool(facts["guarded"]), stopped_by_us=before)
    return await _answer(row, {**facts, "client": found[0].name}, checked, context)


async def _answer(
    row: DownloadRow, facts: Mapping[str, Any], checked: Checked, context: Context
) -> Outcome[Output]:
    context.stage(lambda tx: _note(tx, context.ledger, row.id, held=checked.held))
    (reference,) = await context.refer("dl", row.id)
    output = Output(
        download=reference,
        title=cleaned(row.name),
        client=str(facts.get("client", row.client)),
        how=How(facts["how"]),
        state=checked.state.value,
        complete=checked.complete,
        held=checked.held,
    )
    return Succeeded(output, f"{output.title}: {_said(How(facts['how']), checked)}")


def _said(how: How, checked: Checked) -> str:
    if how is How.RESUME:
        return f"it was let run again and is {checked.state}."
    if checked.held and checked.state is ClientState.CHECKING:
        return (
            "it is being checked, and stands still until all of it is found: the library has its "
            "files under other names, and nothing is written into those."
        )
    if checked.held:
        return (
            "it was checked, and something is missing or changed. It stays stopped: what is "
            "fetched again would be written into files that the library has under other names."
        )
    if checked.complete:
        return "it was checked, and all of it is there."
    return f"it is being checked; its client says {checked.state}."


def _note(tx: Transaction, ledger: Ledger, download: str, *, held: bool) -> None:
    """Remember that it stands still for the check, and let whoever follows it look."""
    row = downloads.by_id(tx.conn, download)
    if row is None:
        return
    facts = {name: kept for name, kept in row.facts.items() if name != CHECKED_FACT}
    if held:
        facts[CHECKED_FACT] = True
    downloads.change(tx, row.id, facts=facts, updated_at=ledger.now())
    for task in tasks.of_subject(tx.conn, row.id):
        ledger.engine.wake(tx, "task", task.id)


def _before(transfer: Transfer) -> str:
    """Its state as far as it tells whether something was done since."""
    if transfer.state in HELD_STATES:
        return transfer.state.value
    paused = {ClientState.PAUSED_BY_US, ClientState.PAUSED_BY_OWNER, ClientState.COMPLETED}
    return "stopped" if transfer.state in paused else RUNNING


async def _here(given: str, context: Context) -> tuple[DownloadRow, Transfer]:
    row = await named(given, context)
    found = await has_it(row, context.part(Downloaders, "download client"))
    if found is None:
        raise HaltError(_nowhere())
    return row, found[1]


def _nowhere() -> Failed:
    return Failed(
        Code.NOT_FOUND, "No download client has it any more. Nothing was done.", retry=False
    )
