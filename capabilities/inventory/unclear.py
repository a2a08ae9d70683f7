"""What a library holds that is not in the inventory, as questions to the owner."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.adoption import Unclear
from capabilities.rules.outside_text import cleaned, titled
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered

SHOWN: Final = 30


def unclear_key(folder: str) -> str:
    """The one root cause: names in this library that say too little."""
    return f"library:unclear:{folder}"


def unclear_titles(
    folder: str, unclear: Sequence[Unclear], *, files: int, left_out: int
) -> NewDecision:
    """The question; a name is cured by the owner's recognition words, or a number in an NFO.

    Args:
        folder: that was adopted.
        unclear: some of what is left, at most `SHOWN`.
        files: how many are left.
        left_out: how many titles are left that are not among ``unclear``.
    """
    return NewDecision(
        DecisionKind.IMPORT_UNIDENTIFIED,
        unclear_key(folder),
        f"{files} videos in {cleaned(folder)} are not certain, and were left",
        Severity.LOW,
        evidence={
            "titles": [
                {
                    "title": titled(one.title, one.year) or "no title",
                    "files": one.files,
                    "example": cleaned(one.example),
                    "grade": one.grade,
                    "why": cleaned(one.why),
                }
                for one in unclear
            ],
            "left_out": left_out,
            "cure": "Write a recognition word into the identity policy, or the work's number into "
            "an NFO file or the folder's name; then type `matinee import` again.",
        },
        options=offered(Option.DISMISS),
        subject=folder,
        lasting=True,
    )


def new_videos_key(folder: str) -> str:
    """The one root cause: files that came into this library by another hand."""
    return f"library:new:{folder}"


def new_videos(folder: str, paths: Sequence[str]) -> NewDecision:
    """The question; nothing is taken in by itself."""
    return NewDecision(
        DecisionKind.OTHER,
        new_videos_key(folder),
        f"{len(paths)} videos in {cleaned(folder)} are new and not in the inventory",
        Severity.LOW,
        evidence={
            "files": [cleaned(path) for path in paths[:SHOWN]],
            "left_out": max(0, len(paths) - SHOWN),
            "cure": "Type `matinee import` with this folder to see what they are, and take them "
            "in.",
        },
        options=offered(Option.DISMISS),
        subject=folder,
        lasting=True,
    )
