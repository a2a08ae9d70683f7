"""What the owner may choose where nothing comes of a download, each option with its act."""

from typing import Any

from capabilities.rules.outside_text import cleaned
from ledger.stores.decisions import Option
from ledger.stores.downloads import DownloadRow

GB = 1e9


def give_up(row: DownloadRow, other: str | None) -> dict[str, Any]:
    """Give it up; ``other`` is the title of what could be taken then, if anything is known."""
    then = "nothing else is known that could be taken"
    if other is not None:
        then = f"{cleaned(other)} could be taken next"
    return {
        "id": "give-up",
        "title": f"Give it up and do not take it again; {then}",
        "capability": "download.give_up",
        "arguments": {"download": row.id},
    }


def wait_anew() -> dict[str, Any]:
    """Be as patient with it again as before."""
    return {"id": Option.RE_EVALUATE.value, "title": "Wait for it as long again"}


def take(title: str, size: int, plan: str) -> dict[str, Any]:
    """Take another one, which is planned already."""
    return {
        "id": "next",
        "title": f"Take {cleaned(title)} instead ({size / GB:.2f} GB)",
        "capability": "download.submit",
        "arguments": {"plan": plan},
    }


def remove(row: DownloadRow) -> dict[str, Any]:
    """Take it out of its client, with what came of it."""
    return {
        "id": "remove",
        "title": f"Remove it from {row.client}, with everything that came of it",
        "capability": "download.remove",
        "arguments": {"download": row.id, "delete_data": True},
    }


def let_go_on() -> dict[str, Any]:
    """Let it run as it is."""
    title = "Let it go on as it is; what is dangerous is not placed in the library all the same"
    return {"id": Option.ACCEPT.value, "title": title}
