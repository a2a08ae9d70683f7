"""The temporary names of attempts, and what to do with those of dead ones."""

import os
import re
from contextlib import suppress

from capabilities.adapters.shelf.faults import NotFoundError, PathRefusedError, translated
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PREFIX = ".matinee-"
_TEMPORARY = re.compile(rf"\.matinee-({_TOKEN.pattern})\.tmp")


def token_for(work: str, attempt: str, number: int) -> str:
    """The token of one attempt at one placement of a piece of work.

    Args:
        work: what all attempts at it share, e.g. a part of the plan's id.
        attempt: what no other attempt has.
        number: which of the placements.
    """
    return f"{work}-{attempt}-{number}"


def is_attempt_at(token: str, work: str, number: int) -> bool:
    """Whether a token is of any attempt at that placement, or of one without an own part."""
    return token.startswith(f"{work}-") and token.endswith(f"-{number}")


def temporary_name(token: str) -> str:
    """The name under which an attempt writes in the target's folder.

    Raises:
        ValueError: the token is not 1 to 64 letters, digits, ``-`` and ``_``.
    """
    if not _TOKEN.fullmatch(token):
        raise ValueError("a token is 1 to 64 letters, digits, - and _")
    return f".matinee-{token}.tmp"


def token_of(name: str) -> str | None:
    """The token of a temporary name, or None for any other name."""
    found = _TEMPORARY.fullmatch(name) if name.startswith(_PREFIX) else None
    return found[1] if found else None


async def leftovers(shelf: Root, folder: str) -> frozenset[str]:
    """The tokens of all temporary names in a folder; a folder that is not there has none."""
    return await off_loop(_leftovers, shelf, folder)


def _leftovers(shelf: Root, folder: str) -> frozenset[str]:
    with (
        suppress(NotFoundError),
        shelf.folder(folder) as handle,
        translated(shelf.system),
        os.scandir(handle) as entries,
    ):
        return frozenset(token for entry in entries if (token := token_of(entry.name)))
    return frozenset()


async def clean(shelf: Root, target: str, token: str) -> bool:
    """Remove what the attempt `token` left beside `target`; False when there was nothing.

    Only for an attempt that can no longer be running: a running one would fail.
    """
    return await off_loop(_clean, shelf, target, token)


def _clean(shelf: Root, target: str, token: str) -> bool:
    folder, _ = shelf.split(target)
    with suppress(NotFoundError), shelf.folder(folder) as handle, translated(shelf.system):
        os.unlink(temporary_name(token), dir_fd=handle)
        os.fsync(handle)
        return True
    return False


def refuse_temporary(shelf: Root, name: str) -> None:
    """Keep the names of temporary files to temporary files."""
    if token_of(name):
        raise PathRefusedError(
            shelf.system, "A target has the name of a temporary file, so it was refused."
        )
