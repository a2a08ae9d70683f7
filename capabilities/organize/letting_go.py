"""Whether a torrent may lose its files to a move: its client has let go of it, or a person said."""

from capabilities.adapters.downloader.port import ClientState, Downloaders, Transfer
from capabilities.adapters.shelf.placements import Mode
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.organize.import_plan import OrganizePlan
from ledger.stores import downloads

LET_GO = "its client has stopped it"
ASKED = "you asked for it, although its client still gives to others"


def why_movable(transfer: Transfer | None, *, asked: bool) -> str:
    """Why the files may be moved away.

    Args:
        transfer: the torrent; None where its client no longer has it.
        asked: whether the owner, by hand, asks for it now.

    Raises:
        HaltError: refused; the torrent is still seeded, and would be without its files.
    """
    if transfer is None or transfer.state is not ClientState.SEEDING:
        return LET_GO
    if asked:
        return ASKED
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            "The torrent still seeds, and moving its files away would end that. Nothing was done.",
            {
                "do": "Stop it in its client first, or the owner plans and places it by hand, or"
                " choose the mode hardlink."
            },
        )
    )


async def refuse_seeding(wanted: OrganizePlan, context: Context) -> None:
    """Let pass what is not moved, and what may be at this moment.

    Raises:
        HaltError: refused, as by `why_movable`.
        WorldFaultError: the client does not answer, so nobody knows.
    """
    if wanted.mode is not Mode.MOVE:
        return
    row = await context.ledger.read(lambda conn: downloads.by_id(conn, wanted.download))
    clients = context.part_if_configured(Downloaders)
    if row is None or clients is None:
        return
    transfer = await clients.named(row.client).transfer(row.info_hash)
    why_movable(transfer, asked=context.actor.decides or wanted.moved_because == ASKED)
