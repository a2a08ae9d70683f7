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
from ledger.faults import LedgerUnavailableError


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
    """Nothing was written down, so nothing was done."""
    return Failed(
        Code.UNAVAILABLE,
        f"{str(fault)[:1].upper()}{str(fault)[1:]}.",
        "Nothing was done. Free space on the home's disk or end what locks the file, then retry.",
        retry=True,
    )
