"""What a call can end as. Outcomes are values; only `HaltError` carries one through a stack."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from capabilities.kernel.codes import Code

Data_co = TypeVar("Data_co", bound=BaseModel, covariant=True)


@dataclass(frozen=True, slots=True)
class Succeeded(Generic[Data_co]):
    """Done, and known to be done. ``sentence`` says so to a person in one line."""

    data: Data_co
    sentence: str
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """Accepted, not finished. ``check`` names the call that tells how it stands."""

    handle: str
    sentence: str
    check: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody knows yet whether it happened: never success, never failure. A check settles it."""

    sentence: str
    check: str
    invocation: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was done. ``needs`` says what would allow it."""

    code: Code
    sentence: str
    needs: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Failed:
    """It was tried and did not succeed; nothing is left half done, or the sentence says what is.

    ``retry``: whether the same call may simply be made again. ``partly``: something was left done
    in the world, so it took of the budget that it was allowed by.
    """

    code: Code
    sentence: str
    hint: str = ""
    retry: bool = False
    details: Mapping[str, object] = field(default_factory=dict[str, object])
    partly: bool = False


Outcome: TypeAlias = Succeeded[Data_co] | Pending | Unknown | Refused | Failed
AnyOutcome: TypeAlias = Succeeded[BaseModel] | Pending | Unknown | Refused | Failed


class Recorded(BaseModel, extra="allow"):
    """The typed output of an earlier, identical call, as the ledger recorded it."""

    model_config = {"extra": "allow"}


class HaltError(Exception):
    """Ends a handler early with an outcome, from however deep inside it."""

    def __init__(self, outcome: Pending | Unknown | Refused | Failed) -> None:
        """Carry ``outcome`` to the caller of the handler."""
        super().__init__(outcome.sentence)
        self.outcome = outcome


def word(outcome: AnyOutcome) -> str:
    """The outcome's own word: succeeded, pending, unknown, refused or failed."""
    return type(outcome).__name__.lower()


def facts(outcome: AnyOutcome) -> dict[str, Any]:
    """The outcome as JSON-ready facts, the same for every door."""
    match outcome:
        case Succeeded(data=data, replayed=replayed):
            body = data.model_dump(mode="json", exclude_none=True)
            return {**body, "replayed": True} if replayed else body
        case Pending(handle=handle, check=check):
            return {"status": "pending", "handle": handle, "check": check}
        case Unknown(check=check, invocation=invocation):
            return {"status": "unknown", "check": check, "invocation": invocation}
        case Refused(code=code, sentence=sentence, needs=needs):
            return {"status": "refused", "code": code, "error": sentence, "needs": dict(needs)}
        case Failed():
            return {
                "status": "failed",
                "code": outcome.code,
                "error": outcome.sentence,
                "hint": outcome.hint,
                "retry": outcome.retry,
                **dict(outcome.details),
            }
