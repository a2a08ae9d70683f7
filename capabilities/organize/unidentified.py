"""Videos of a download of which nobody knows where they belong, and the question about them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.organize.import_plan import LeftFile, OrganizePlan, PlannedFile
from capabilities.rules.import_plan import Role
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow

SHOWN: Final = 30
TAKEN: Final = "a file of that name is in the library already; nothing is replaced"
UNIDENTIFIED: Final = "unidentified"
"""Under this name a refusal says which videos fit nothing, and why."""


def cause_of(download: str) -> str:
    """What the question about a part of a download is kept apart by."""
    return f"identify:{download}"


def refuse_nothing(files: Sequence[PlannedFile], left: Sequence[LeftFile]) -> None:
    """Refuse a plan that would place no video.

    Raises:
        HaltError: refused; it says why each file is left, and which of them fit nothing.
    """
    if any(each.role in {Role.VIDEO, Role.DISC} for each in files):
        return
    whys = [each.why for each in left]
    why = TAKEN if TAKEN in whys else next(iter(whys), "it has no files")
    _refuse(why, left)


def _refuse(why: str, left: Sequence[LeftFile]) -> NoReturn:
    needs: dict[str, Any] = {"left": {cleaned(one.path): one.why for one in left[:SHOWN]}}
    if unknown := unidentified(left):
        needs[UNIDENTIFIED] = unknown
    raise HaltError(
        Refused(Code.PRECONDITION, f"Nothing in this download can be placed: {why}.", needs)
    )


def unidentified(left: Sequence[LeftFile]) -> dict[str, str]:
    """Of the files that are left, those that fit nothing, with the reason; as a person reads it."""
    return {cleaned(one.path): one.why for one in left[:SHOWN] if one.unidentified}


def whole_question(row: DownloadRow, sentence: str, files: Mapping[str, str]) -> NewDecision:
    """The question about a download of which nothing could be placed."""
    return _question(
        row,
        f"import:{row.id}",
        f"{cleaned(row.name)} could not be imported: {sentence}",
        Severity.HIGH,
        files,
        Option.RETRY,
    )


def rest_question(row: DownloadRow, wanted: OrganizePlan | None) -> NewDecision | None:
    """The question about what was left behind when the rest was placed; None if nothing was."""
    files = {} if wanted is None else unidentified(wanted.left)
    if not files:
        return None
    title = f"{counted(len(files), 'video')} of {cleaned(row.name)} fit nothing and stayed behind"
    return _question(row, cause_of(row.id), title, Severity.MEDIUM, files)


def _question(
    row: DownloadRow,
    cause: str,
    title: str,
    severity: Severity,
    files: Mapping[str, str],
    *options: Option,
) -> NewDecision:
    """What it was taken for is a suggestion; it is never filled in as what somebody chose."""
    return NewDecision(
        DecisionKind.IMPORT_UNIDENTIFIED,
        cause,
        title,
        severity,
        evidence={
            "files": dict(files),
            "taken_for": row.work,
            "how": "Say which work it is with organize__assign_identity.",
        },
        options=offered(*options, Option.DISMISS),
        run=row.run,
        subject=row.id,
        lasting=True,
    )
