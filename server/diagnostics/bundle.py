"""The bundle as a file: one ZIP with a page that says what is in it."""

import io
import json
import zipfile
from collections.abc import Mapping
from datetime import datetime

READ_ME = "README.txt"

_PAGE = """Facts about a house of Matinee, for a helper; taken by its owner {at:%F %H:%M} UTC.

versions.json   of Matinee, Python, the system, the database and the libraries
settings.json   what is set; of a secret only that it is set
doctor.json     what `matinee doctor` found
counts.json     how many rows each table of the ledger has
ledger.json     the newest rows about acts, decisions, tasks and processes
audit.json      whether the audit trail is whole
log.txt         the end of the log in the home, and whether the server's own is there

Taken out: secrets that the house knows, what looks like one, and the paths of folders.
{titles}
Look through it before you hand it on.
"""
_WITH = "Titles are in it: it tells what the owner has, wants and asked for."
_WITHOUT = "Titles are not in it: columns that may hold one are left out, known ones are hidden."


def zipped(documents: Mapping[str, object], log: str, at: datetime, *, titles: bool) -> bytes:
    """A ZIP of JSON documents by name and of the log's text; everything was redacted before."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        page = _PAGE.format(at=at, titles=_WITH if titles else _WITHOUT)
        archive.writestr(READ_ME, page)
        for name, document in documents.items():
            text = json.dumps(document, ensure_ascii=False, indent=1, default=_spelled)
            # What is no character, half of a pair, is escaped as JSON does it.
            archive.writestr(f"{name}.json", text.encode(errors="backslashreplace"))
        archive.writestr("log.txt", log)
    return held.getvalue()


def _spelled(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
