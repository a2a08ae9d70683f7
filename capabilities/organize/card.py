"""What a person reads of an import before it is carried out."""

from typing import Any, Final

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.context import Context
from capabilities.organize.import_plan import OrganizePlan
from capabilities.organize.known import Known
from capabilities.rules.outside_text import cleaned, titled

SHOWN: Final = 30
"""Lines of each kind, on a card as in an answer."""


def card(payload: OrganizePlan, known: Known, context: Context) -> dict[str, Any]:
    """The card of a frozen import: what comes, what goes and what stays."""
    library = Folders.name(payload.kind)
    return {
        "title": f"Place {titled(known.work.title, known.work.year)} in {library}",
        "changes": [
            *(f"{each.target} by {payload.mode}" for each in payload.files[:SHOWN]),
            *(f"{each.target} is written" for each in payload.written[:SHOWN]),
            *(f"{cleaned(each)} goes into the recycle folder" for each in payload.replaces[:SHOWN]),
            *([f"the sources go: {payload.moved_because}"] if payload.moved_because else []),
        ],
        "left": [f"{cleaned(each.path)}: {each.why}" for each in payload.left[:SHOWN]],
        "from": {"release": cleaned(known.row.name), "client": known.row.client},
        "asked_by": str(context.actor),
        "files": len(payload.files),
    }
