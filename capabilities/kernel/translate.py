"""From faults of the world and of the ledger to outcomes: the one place where that is decided."""

from capabilities.kernel.codes import Code
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from capabilities.kernel.outcomes import Failed, Unknown
from ledger.faults import LedgerUnavailableError, LedgerUnclearError

CHECK_RECORD = (
    "`matinee claims show` with this invocation tells once the ledger answers again: where there "
    "is no such act, nothing was done"
)


def from_world(fault: WorldFaultError, *, acts: bool, check: str) -> Failed | Unknown:
    """What a fault means for a call; ``acts``: whether the call has an effect in the world."""
    said = f"{fault.system[:1].upper()}{fault.system[1:]}: {fault.sentence}"
    match fault:
        case LostAnswerError() if acts:
            return Unknown(f"{said} Whether it was done is not known yet.", check)
        case ThrottledError():
            pause = fault.retry_after_s
            hint = f"Try again in {pause:.0f} s." if pause else "Try again a little later."
            details = {"retry_after_s": pause} if pause else {}
            return Failed(Code.RATE_LIMITED, said, hint, retry=True, details=details)
        case DeclinedError():
            return Failed(Code.PRECONDITION, said, "Nothing was changed.")
        case UnreachableError() | LostAnswerError():
            return Failed(
                Code.UNAVAILABLE, said, "Nothing was changed. See `matinee doctor`.", retry=True
            )
        case _:
            return Failed(Code.UNAVAILABLE, said, "Nothing was changed.")


def from_ledger(fault: LedgerUnavailableError) -> Failed:
    """Nothing was written down, so nothing was done; where that is not known, it says so."""
    said = _sentence(fault)
    if isinstance(fault, LedgerUnclearError):
        return Failed(Code.UNAVAILABLE, said, fault.cure)
    hint = f"Nothing was done. {fault.cure or 'Wait a little.'} Then try again."
    return Failed(Code.UNAVAILABLE, said, hint, retry=True)


def from_cut_commit(fault: LedgerUnclearError, invocation: str | None) -> Unknown:
    """What a call comes to whose whole record was in a commit that was cut: it stands, or nothing.

    ``invocation``: under which id it stands, if it does.
    """
    return Unknown(_sentence(fault), CHECK_RECORD, invocation)


def _sentence(fault: LedgerUnavailableError) -> str:
    return f"{str(fault)[:1].upper()}{str(fault)[1:]}."
