"""How a command ends: the exit statuses, and the error that carries one to the shell."""

from collections.abc import Mapping
from enum import IntEnum

from capabilities.kernel.codes import Code


class Exit(IntEnum):
    """Exit statuses never change their meaning; scripts may build on them."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NEEDS_YOU = 3
    UNREACHABLE = 4
    UNKNOWN = 5
    INTERRUPTED = 130


MEANINGS: Mapping[Exit, str] = {
    Exit.DONE: "done",
    Exit.FAILED: "failed",
    Exit.USAGE: "wrong usage",
    Exit.NEEDS_YOU: "needs you (approval, setup)",
    Exit.UNREACHABLE: "outside system unreachable",
    Exit.UNKNOWN: "outcome unknown",
    Exit.INTERRUPTED: "interrupted",
}

_BY_CODE: Mapping[str, Exit] = {
    Code.INVALID_INPUT: Exit.USAGE,
    Code.NEEDS_APPROVAL: Exit.NEEDS_YOU,
    Code.UNAVAILABLE: Exit.UNREACHABLE,
    Code.TIMEOUT: Exit.UNREACHABLE,
    Code.RATE_LIMITED: Exit.UNREACHABLE,
    Code.UNKNOWN_OUTCOME: Exit.UNKNOWN,
}


def exit_of(code: str) -> Exit:
    """The status for one of the kernel's codes; those without one of their own are failures."""
    return _BY_CODE.get(code, Exit.FAILED)


class EndError(Exception):
    """Ends a command early.

    Attributes:
        status: the exit status.
        sentence: what happened, what it means, what to do; printed on standard error.
        code: a word for programs, one of the kernel's codes where the server gave one.
        hint: what would help, where that is not in the sentence.
        details: JSON-ready facts for programs.
    """

    def __init__(
        self,
        status: Exit,
        sentence: str,
        *,
        code: str = "failed",
        hint: str = "",
        details: Mapping[str, object] | None = None,
    ) -> None:
        """Say how and why it ends."""
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.code = code
        self.hint = hint
        self.details = dict(details or {})

    @property
    def document(self) -> dict[str, object]:
        """What ``--json`` prints instead of the command's own document."""
        error = {"code": self.code, "sentence": self.sentence, "hint": self.hint}
        return {"error": {**error, **self.details}, "exit": int(self.status)}
