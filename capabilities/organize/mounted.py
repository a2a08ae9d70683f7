"""Whether a library is there at all: an empty one that has files is a disk that is not mounted."""

import os

from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.leftovers import token_of
from capabilities.adapters.shelf.recycling import RECYCLE
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from ledger.stores import placed_files

_OURS = frozenset({RECYCLE, "lost+found"})


async def refuse_unmounted(library: Root, context: Context) -> None:
    """Let pass a library that holds something, or of which no file is known.

    Raises:
        HaltError: refused; it is empty although files of it are known, and nothing is made in it.
    """
    if not await off_loop(_is_empty, library):
        return
    known = await context.ledger.read(
        lambda conn: placed_files.count_below(conn, str(library.path))
    )
    if known:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"{library.path} is empty, and {known} of its files are known: its disk is probably"
                " not mounted. Nothing was done.",
                {
                    "do": "Mount it, then try again. If you emptied it yourself, put any folder"
                    " into it first."
                },
            )
        )


def _is_empty(library: Root) -> bool:
    with (
        library.folder() as handle,
        translated(library.system),
        os.scandir(handle) as entries,
    ):
        return all(entry.name in _OURS or token_of(entry.name) for entry in entries)
