"""The download that a reference or an id names."""

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError
from ledger.stores import downloads
from ledger.stores.downloads import DownloadRow


async def named(given: str, context: Context) -> DownloadRow:
    """Its row.

    Raises:
        HaltError: failed; there is none.
    """
    id_ = await context.resolve("dl", given)
    row = await context.ledger.read(lambda conn: downloads.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no download {given[:60]!r}."))
    return row
