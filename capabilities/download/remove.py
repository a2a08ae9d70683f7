"""Remove a download from its client, and delete of its files exactly what was approved."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import svcs
from pydantic import BaseModel, Field

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.deleting import DeleteList, delete, still_there
from capabilities.adapters.shelf.folders import NEEDS_FOLDERS, Folders
from capabilities.download.acquisition import natural_key
from capabilities.download.named import named
from capabilities.download.removal import Bar, Removal, doomed_in, list_hash
from capabilities.download.removal_look import RemovalLook
from capabilities.download.removing import record_removal
from capabilities.kernel import fault_points
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    UnreachableError,
    WorldFaultError,
)
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.targets import Reach, Target
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from ledger.stores import claims
from ledger.stores.downloads import DownloadRow

DOWNLOADS: Final = "the download folder"
ANEW: Final = "Call it again: the owner is shown the list as it is now."
Facts = Mapping[str, Any]


class Input(BaseModel, extra="forbid"):
    """Which download, and whether its files go too."""

    download: Annotated[
        str, Field(description="A download reference, e.g. dl:3.", min_length=1, max_length=60)
    ]
    delete_data: Annotated[
        bool,
        Field(
            description="Also delete its files: only its own, and none that the library needs. "
            "By default they stay."
        ),
    ] = False
    list_hash: Annotated[
        str | None,
        Field(
            description="The hash of the list of files that was shown; another list is a conflict.",
            max_length=64,
        ),
    ] = None


class Output(BaseModel):
    """What was removed, as a look showed it afterwards. Paths are below the download folder."""

    download: str
    title: str
    client: str | None
    deleted: list[str]
    folders_deleted: list[str]
    kept: list[str]
    loses: str
    state: str = "removed"


async def target_of(given: Input, context: Context) -> Target:
    """The torrent, with the exact list of files that goes with it, frozen now."""
    row = await named(given.download, context)
    frozen = await _look(context).freeze(row, delete_data=given.delete_data)
    works, size = (row.work,), frozen.bytes
    return Target(
        "removal",
        natural_key(row.info_hash),
        frozen.facts(),
        reach=Reach(works=works, downloader=frozen.client, bytes=size, replaces=True),
        shows=(f"title: {cleaned(row.name)!r}", *frozen.card()),
    )


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse what must not be removed, and a list that is not the one that was shown."""
    del context
    if (barred := _bar(target.facts)) is not None:
        raise HaltError(_refused(barred))
    now = list_hash(target.facts)
    if given.list_hash not in {None, now}:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                "Its files, or what the library has of them, are not as you were shown. "
                "Nothing was done.",
                {"list_hash": now, "list": list(target.shows), "do": "Look at it once more."},
            )
        )


async def probe(target: Target, parts: svcs.Container) -> Finding:
    """Look whether a client has the torrent, and whether the listed files are there."""
    facts, doomed = target.facts, doomed_in(target.facts)
    there = await parts.get(Downloaders).find(str(facts["info_hash"]))
    if not facts["delete_data"] or not doomed.files:
        if there is None:
            return Finding(Verdict.APPLIED, {"client": None})
        return Finding(Verdict.NOT_APPLIED, {"client": there[0].name})
    async with roots.opened(parts.get(Folders).downloads, DOWNLOADS) as root:
        left = len(await still_there(root, doomed))
    seen = {
        "client": None if there is None else there[0].name,
        "files": len(doomed.files),
        "files_there": left,
    }
    if there is None:
        return Finding(Verdict.PARTLY if left else Verdict.APPLIED, seen)
    # Files go only after the torrent has: with it there, somebody else took them.
    whole = left == len(doomed.files)
    return Finding(Verdict.NOT_APPLIED if whole else Verdict.CANNOT_TELL, seen)


async def adopt(target: Target, finding: Finding, context: Context) -> Outcome[Output]:
    """Delete what an interrupted attempt had not come to, and record the removal."""
    row = await named(str(target.facts["download"]), context)
    again = _look(context) if finding.verdict is Verdict.PARTLY else None
    return await _finish(row, target.facts, context, again)


@capability(
    "download.remove",
    version=1,
    title="Remove a download",
    kind=Kind.EXECUTE,
    effect=Effect.WORLD,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="download.remove",
    toolset=Toolset.ADMIN,
    target=target_of,
    check=check,
    probe=probe,
    adopt=adopt,
    always_asks=True,
    use_when="Remove a torrent from its download client. Its files stay unless `delete_data` is "
    "set; then exactly the files that the owner approved go. It always asks the owner.",
    not_when="Not to make room in the library: files there are never touched. A download that is "
    "still to be imported is refused.",
    hints=Hints(read_only=False, destructive=True, idempotent=True, open_world=True),
    timeout=40,
    example={"download": "dl:1", "delete_data": False},
)
async def remove(given: Input, context: Context) -> Outcome[Output]:
    """Freeze once more, let the client forget it, then delete the list and nothing else."""
    row = await named(given.download, context)
    frozen = await _look(context).freeze(row, delete_data=given.delete_data)
    approved = await _claimed(context)
    if frozen.bar is not None:
        raise HaltError(_failed(frozen.bar))
    if frozen.facts() != approved:
        raise HaltError(
            Failed(
                Code.CONFLICT,
                "Its files, or what the library has of them, changed since they were listed. "
                "Nothing was done.",
                ANEW,
            )
        )
    await _forget(frozen, context)
    return await _finish(row, approved, context)


async def _forget(frozen: Removal, context: Context) -> None:
    if frozen.client is None:
        return
    client = context.part(Downloaders, "download client").named(frozen.client)
    fault_points.at("before_send")
    await client.remove(frozen.info_hash, delete_data=False)
    fault_points.at("answered")
    if await client.transfer(frozen.info_hash) is not None:
        raise LostAnswerError(
            f"the download client {client.name!r}",
            "It was told to forget the torrent, and has it still.",
        )


async def _finish(
    row: DownloadRow, facts: Facts, context: Context, look: RemovalLook | None = None
) -> Outcome[Output]:
    """Delete the list, and record what is true afterwards, also where some would not go.

    ``look``: by which it is looked first whether somebody has come to need the files since.
    """
    doomed, by = doomed_in(facts), str(context.actor)
    folders: tuple[str, ...] = ()
    trouble: Failed | None = None
    if doomed.files:
        downloads_folder = context.part(Folders, "library", NEEDS_FOLDERS).downloads
        async with roots.opened(downloads_folder, DOWNLOADS) as root:
            try:
                if look is not None:
                    await look.refuse_needed_since(doomed)
                folders = await delete(root, doomed)
            except DeclinedError as fault:
                trouble = _partly(fault, await still_there(root, doomed), doomed)
            except UnreachableError as fault:
                raise LostAnswerError(fault.system, fault.sentence) from fault
    client = facts["client"]
    gone = "No client had it any more." if client is None else f"{client} no longer has it."
    sentence = trouble.sentence if trouble is not None else f"{gone} {_of_files(facts)}"
    context.stage(lambda tx: record_removal(tx, context.ledger, row.id, sentence, by))
    if trouble is not None:
        return trouble
    (reference,) = await context.refer("dl", row.id)
    output = Output(
        download=reference,
        title=cleaned(row.name),
        client=client,
        deleted=[cleaned(file.path) for file in doomed.files],
        folders_deleted=[cleaned(folder) for folder in folders],
        kept=[f"{cleaned(path)}: {why}" for path, why in facts["kept"]],
        loses=str(facts["loses"]),
    )
    return Succeeded(output, f"{output.title}: {sentence}")


def _of_files(facts: Facts) -> str:
    if not facts["delete_data"]:
        return str(facts["loses"])
    many = counted(len(facts["files"]), "file")
    return f"{many} deleted. {facts['loses']}"


def _partly(fault: WorldFaultError, left: list[str], doomed: DeleteList) -> Failed:
    return Failed(
        Code.CONFLICT,
        f"The torrent was removed, but {len(left)} of {counted(len(doomed.files), 'file')} could "
        f"not be deleted. {fault.sentence}",
        "They were left where they are; delete them by hand. Nothing else was touched.",
        details={"left": [cleaned(path) for path in left]},
        partly=True,
    )


def _look(context: Context) -> RemovalLook:
    return RemovalLook(
        context.ledger,
        context.part(Downloaders, "download client"),
        context.part(Folders, "library", NEEDS_FOLDERS),
    )


async def _claimed(context: Context) -> Facts:
    """What was frozen before anybody was asked: the target under which this acts."""
    id_ = context.invocation or ""
    claim = await context.ledger.read(lambda conn: claims.by_id(conn, id_))
    return {} if claim is None or claim.target is None else claim.target["facts"]


def _bar(facts: Facts) -> Bar | None:
    return Bar(**facts["bar"]) if "bar" in facts else None


def _refused(bar: Bar) -> Refused | Failed:
    if bar.passing:
        return _failed(bar)
    return Refused(Code.PRECONDITION, f"{bar.sentence} Nothing was done.", {"do": bar.cure})


def _failed(bar: Bar) -> Failed:
    code = Code.UNAVAILABLE if bar.passing else Code.PRECONDITION
    sentence = f"{bar.sentence} Nothing was done."
    return Failed(code, sentence, bar.cure, retry=bar.passing)
